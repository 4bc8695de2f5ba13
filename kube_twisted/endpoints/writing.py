"""What create, update and patch have in common: body, options, admission, and the store's Write."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from kube_twisted.admission.attributes import Attributes, Operation
from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource, GroupVersion
from kube_twisted.codec.body import Decoded, MediaType
from kube_twisted.endpoints.authorizing import require_verb
from kube_twisted.endpoints.content_type import parse_media_type
from kube_twisted.endpoints.negotiation import JSON, PROTOBUF, YAML
from kube_twisted.endpoints.options import manager_name
from kube_twisted.endpoints.request import Request
from kube_twisted.endpoints.scope import EndpointScope, FieldOwnership
from kube_twisted.registry.objectmeta import drop_repeated_owners, wipe_system_fields
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.write import Write
from kube_twisted.schema.apply.guards import restore_invalid
from kube_twisted.schema.apply.versions import ConversionNeeded

_ACCEPTED = [JSON, YAML, PROTOBUF]


class Writing:
    """One create, update or patch.

    :param options: the validated options.
    """

    def __init__(self, scope: EndpointScope, request: Request, options: dict[str, Any]) -> None:
        self.scope = scope
        self.request = request
        self.options = options
        self.dry_run = bool(options.get("dryRun"))
        self.now = scope.clock.rfc3339()
        user, info = request.user, request.info
        self.namespace = info.namespace if scope.namespaced else ""
        ctx = WriteContext(self.now, self.namespace, user.name, user.groups, user.uid, tuple(user.extra.items()),
                           self.dry_run, request.add_warning)
        self.write = Write(ctx, options, add_warning=request.add_warning)
        self.manager = manager_name(request, options)
        #: as admission is told it, whatever it does to the object's
        self.name = info.name

    # -- the body -------------------------------------------------------------------------------------------------

    def decode(self, raw: bytes, media_type: MediaType, accepts: Collection[GroupVersion] = ()) -> Obj:
        """A body as an object of this endpoint's version, with defaults.

        :param accepts: further versions of which the body may be.
        :raises StatusError: 400 for what can't be understood, or for unknown fields under ``Strict``.
        """
        decoded = self.scope.reading.body(raw, media_type, accepts)
        obj = self.defaulted(decoded.obj)
        self.report(decoded)
        if decoded.misfit is not None:
            raise decoded.misfit
        if self.request.recording is not None:
            self.request.recording.request_object(obj)
        return obj

    def defaulted(self, obj: Obj) -> Obj:
        if self.scope.shown_kind is None:
            self.scope.strategy.default(obj)
        return obj

    def report(self, decoded: Decoded) -> None:
        """Unknown and duplicate fields: refused, warned about or ignored, as ``fieldValidation`` says (KEP-2885)."""
        if not decoded.strict_errors:
            return
        directive = self.options.get("fieldValidation", "")
        if directive == "Strict":
            raise decoded.strict_error(self.scope.body_kind)
        if directive != "Ignore":
            for text in decoded.warnings:
                self.request.add_warning(text)

    # -- field ownership ------------------------------------------------------------------------------------------

    @property
    def field_manager(self) -> FieldOwnership:
        return self.scope.field_manager

    async def own(self, live: Obj | None, obj: Obj) -> None:
        """Note who owns what the write changes, of what can be stored of it."""
        seen = self.scope.as_stored(obj)
        await self._note_owners(live, seen)
        if seen is not obj:
            entries = seen["metadata"].get("managedFields")
            obj["metadata"].pop("managedFields", None)
            if entries:
                obj["metadata"]["managedFields"] = entries

    async def _note_owners(self, live: Obj | None, obj: Obj) -> None:
        sent = obj["metadata"].get("managedFields")
        while True:
            try:
                self.field_manager.update(live, obj, self.manager, self.now)
                return
            except ConversionNeeded as needed:
                if sent is not None:
                    obj["metadata"]["managedFields"] = sent
                await needed.convert()

    async def applied(self, live: Obj | None, patch: Obj) -> Obj:
        """The object after a server-side apply.

        :raises StatusError: 409 when other managers own what it changes, and ``force`` is not set.
        """
        force = bool(self.options.get("force"))
        while True:
            try:
                return self.field_manager.apply(live, patch, self.manager, force, self.now)
            except ConversionNeeded as needed:
                await needed.convert()

    def drop_repeated_owners(self, obj: Obj, when: str = "") -> None:
        """Owner references that stand twice are taken out, with a warning."""
        repeated = drop_repeated_owners(obj["metadata"])
        if repeated:
            self.request.add_warning(
                f".metadata.ownerReferences contains duplicate entries{when}; API server dedups owner references in "
                "1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) "
                f"observed: {', '.join(repeated)}")

    async def new_object(self, obj: Obj) -> Obj:
        """An object to be created: as sent, owned by its writer, through mutating admission."""
        version = obj["metadata"].get("resourceVersion")
        wipe_system_fields(obj["metadata"])
        self.drop_repeated_owners(obj)
        self.name = self.name or obj["metadata"].get("name", "")
        await self.own(None, obj)
        hub = self.scope.merge(None, obj)
        await self.admit(self.attributes("CREATE", hub, None))
        self.drop_repeated_owners(hub, " after mutating admission happens")
        if version:
            hub["metadata"]["resourceVersion"] = version
        return hub

    async def changed_object(self, old: Obj, obj: Obj) -> Obj:
        """A changed object, with its owners noted, through mutating admission, as it is to be stored."""
        if self.scope.shown_kind is not None:
            await self.admit(self.attributes("UPDATE", obj, self.scope.writable(old)))
            self._check_uid(old["metadata"], obj["metadata"].get("uid", ""))
            return self.scope.merge(old, obj)
        hub = self.scope.merge(old, obj)
        await self.admit(self.attributes("UPDATE", hub, old))
        self.drop_repeated_owners(hub, " after mutating admission happens")
        return hub

    def _check_uid(self, old: Obj, uid: str) -> None:
        """A patched Scale is still that of the same object. Where the whole is sent, the store looks at its uid.

        :raises StatusError: 409.
        """
        if self.scope.is_custom or self.write.uid or not uid or uid == old["uid"]:
            return
        resource = self.scope.resource
        raise errors.conflict(
            GroupResource(resource.group, f"{resource.resource}/{self.scope.subresource}"), old["name"],
            f"Precondition failed: UID in precondition: {uid}, UID in object meta: {old['uid']}")

    # -- admission ------------------------------------------------------------------------------------------------

    async def admit(self, attributes: Attributes) -> None:
        """Mutating admission; what it did to field ownership is undone when that can't be read any more."""
        obj = attributes.obj
        assert obj is not None
        before = obj["metadata"].get("managedFields")
        await self.scope.admission.admit(attributes)
        if obj["metadata"].get("managedFields") is not before:
            warning = restore_invalid(before, obj)
            if warning is not None:
                self.request.add_warning(warning)

    def attributes(self, operation: Operation, obj: Obj | None, old: Obj | None) -> Attributes:
        scope = self.scope
        name = self.name or (obj["metadata"].get("name", "") if obj is not None else "")
        namespace = self.namespace
        if scope.resource.resource == "namespaces" and not scope.resource.group:
            namespace = name
        return Attributes(operation, scope.body_kind, scope.resource, scope.subresource, namespace, name, obj, old,
                          self.request.user, self.options, self.dry_run, self.request.add_warning,
                          annotate=self.request.annotate, versions=scope.versions, deadline=self.request.deadline)

    async def validate_create(self, obj: Obj) -> None:
        """Validating admission of a new object."""
        await self.scope.admission.validate(self.attributes("CREATE", obj, None))

    async def validate_create_on_update(self, obj: Obj) -> None:
        """Like :meth:`validate_create`, for a request that was authorized as an update.

        :raises StatusError: 403 when the user may not create the object.
        """
        await require_verb(self.request, "create")
        await self.validate_create(obj)

    async def validate_update(self, obj: Obj, old: Obj) -> None:
        """Validating admission of a change."""
        if self.scope.shown_kind is not None:
            obj, old = self.scope.show(obj), self.scope.before(old)
        await self.scope.admission.validate(self.attributes("UPDATE", obj, old))


def body_media_type(request: Request, *, protobuf: bool = False) -> MediaType:
    """``json``, ``yaml`` or ``protobuf``, from the content type.

    :param protobuf: whether what is sent here may be protobuf: it has a message.
    :raises StatusError: 415.
    """
    content_type = request.transport.header("content-type")
    if not content_type or content_type == JSON:
        return "json"
    media_type = parse_media_type(content_type)
    if media_type == JSON or not content_type.strip():
        return "json"
    if media_type == YAML:
        return "yaml"
    if media_type == PROTOBUF and protobuf:
        return "protobuf"
    raise errors.unsupported_media_type(_ACCEPTED)
