"""PATCH of one object: JSON patch, merge patch, strategic merge patch, server-side apply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupKind
from kube_twisted.api.options import validate_patch_options
from kube_twisted.codec import json as json_codec
from kube_twisted.endpoints.apply import parse_applied
from kube_twisted.endpoints.negotiation import negotiate
from kube_twisted.endpoints.patched import decode_patched
from kube_twisted.endpoints.options import include_object, patch_options, refuse_invalid
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.update import check_name
from kube_twisted.endpoints.writing import Writing
from kube_twisted.registry.objectmeta import ensure_namespace
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema import json_patch, merge_patch, strategic_merge

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
#: What built-in kinds accept; custom resources have no strategic merge.
BUILTIN_TYPES = (JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH)


async def patch(scope: RequestScope, request: Request) -> Response:
    """Change the object that the path names; an apply patch creates it when it is missing."""
    chosen = negotiate(request.transport.header("accept"), request.parameter("pretty"))
    type_ = patch_type(request, scope.patch_types)
    options = patch_options(request)
    raw = request.transport.read_body()
    refuse_invalid("PatchOptions", validate_patch_options(options, type_))
    writing = Writing(scope, request, options)
    patching = _Applying(writing, raw) if type_ == APPLY_PATCH else _Patching(writing, raw, type_)
    item, created = await scope.store.update(
        writing.write, request.info.name, patching.transform, writing.validate_create, writing.validate_update,
        force_create=type_ == APPLY_PATCH, strategy=scope.strategy)
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    return encoder.object_response(item, 201 if created else 200)


def patch_type(request: Request, accepted: tuple[str, ...]) -> str:
    """The patch's media type.

    :raises StatusError: 415.
    """
    type_ = (request.transport.header("content-type") or "").split(";", 1)[0].strip()
    if type_ not in BUILTIN_TYPES:
        raise errors.StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {})
    if type_ not in accepted:
        raise errors.unsupported_media_type(list(accepted))
    return type_


class _Patching:
    """A patch against the current object, in this endpoint's version."""

    def __init__(self, writing: Writing, raw: bytes, type_: str) -> None:
        self.writing = writing
        self.scope = writing.scope
        self.raw = raw
        self.type = type_
        self._duplicates: list[str] = []
        self._apply = self._parsed(raw)

    def _parsed(self, raw: bytes) -> Callable[[Obj], Any]:
        """The patch as a function from the object's JSON to the patched one.

        :raises StatusError: 400 for a body that is no patch.
        """
        if self.type == JSON_PATCH:
            return lambda document: json_patch.apply(document, raw)
        try:
            change = json_codec.parse(raw)
        except ValueError as error:
            raise errors.bad_request(f"error decoding patch: {error}") from None
        self._duplicates = json_codec.duplicate_fields(raw, change)
        if self.type == MERGE_PATCH:
            return lambda document: merge_patch.apply(document, change)
        return lambda document: strategic_merge.apply(document, change, self.scope.struct)

    async def transform(self, old: Obj | None) -> Obj:
        if old is None:
            raise errors.not_found(self.scope.group_resource, self.writing.request.info.name)
        live = self.scope.writable(old)
        obj = self._decode(self._apply(live))
        check_name(self.writing.request, obj["metadata"])
        ensure_namespace(obj["metadata"], self.writing.namespace)
        self.writing.own(live, obj)
        hub = self.scope.merge(old, obj)
        await self.scope.admission.admit(self.writing.attributes("UPDATE", hub, old))
        return hub

    def _decode(self, patched: Any) -> Obj:
        """The patched JSON as an object.

        :raises StatusError: 422 when it no longer is one.
        """
        try:
            decoded = decode_patched(patched, self.scope.body_kind, self.scope.schema, self._duplicates)
        except ValueError as error:
            shown = orjson.dumps(patched, option=orjson.OPT_SORT_KEYS).decode()
            failure = errors.FieldError("Invalid", "patch", shown, str(error))
            raise errors.invalid(GroupKind("", ""), "", [failure]) from None
        self.writing.report(decoded)
        return self.writing.defaulted(decoded.obj)


class _Applying:
    """A server-side apply (KEP-555): the fields that one manager wants."""

    def __init__(self, writing: Writing, raw: bytes) -> None:
        self.writing = writing
        self.scope = writing.scope
        self.applied, self._duplicates = parse_applied(raw)

    async def transform(self, old: Obj | None) -> Obj:
        writing, scope = self.writing, self.scope
        live = scope.writable(old) if old is not None else None
        merged = writing.field_manager.apply(live, self.applied, writing.manager, bool(writing.options.get("force")),
                                             writing.now)
        decoded = decode_patched(merged, scope.body_kind, scope.schema, self._duplicates)
        writing.report(decoded)
        obj = writing.defaulted(decoded.obj)
        check_name(writing.request, obj["metadata"])
        ensure_namespace(obj["metadata"], writing.namespace)
        hub = scope.merge(old, obj)
        operation = "UPDATE" if old is not None else "CREATE"
        await scope.admission.admit(writing.attributes(operation, hub, old))
        return hub
