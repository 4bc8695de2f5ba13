"""PATCH of one object: JSON patch, merge patch, strategic merge patch, server-side apply."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.field import invalid
from kube_twisted.api.gvk import GroupKind
from kube_twisted.api.jsonvalue import go_print
from kube_twisted.api.options import validate_patch_options
from kube_twisted.codec import json as json_codec
from kube_twisted.codec.body import Decoded
from kube_twisted.endpoints.apply import Applying
from kube_twisted.endpoints.options import include_object, patch_options, refuse_invalid
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.update import check_name
from kube_twisted.endpoints.writing import Writing
from kube_twisted.registry.conversion import ConversionError
from kube_twisted.registry.objectmeta import ensure_namespace
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema import json_patch, merge_patch, strategic_merge
from kube_twisted.schema.patched_text import patched_text

JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
#: What built-in kinds accept; custom resources have no strategic merge.
BUILTIN_TYPES = (JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH)
CUSTOM_TYPES = (JSON_PATCH, MERGE_PATCH, APPLY_PATCH)


async def patch(scope: RequestScope, request: Request) -> Response:
    """Change the object that the path names; an apply patch creates it when it is missing."""
    type_ = patch_type(request, scope.patch_types)
    chosen = scope.negotiate(request)
    options = patch_options(request)
    raw = request.transport.read_body()
    if options or type_ == APPLY_PATCH:
        refuse_invalid("PatchOptions", validate_patch_options(options, type_))
    if request.recording is not None:
        request.recording.request_patch(raw)
    writing = Writing(scope, request, options)
    patching = Applying(writing, raw) if type_ == APPLY_PATCH else _Patching(
        writing, raw, type_, scope.patch_types == BUILTIN_TYPES)
    item, created = await scope.store.update(
        writing.write, request.info.name, patching.transform, writing.validate_create_on_update,
        writing.validate_update,
        force_create=type_ == APPLY_PATCH and not scope.subresource, strategy=scope.strategy)
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    return encoder.object_response(item, 201 if created else 200)


def patch_type(request: Request, accepted: tuple[str, ...]) -> str:
    """The patch's media type.

    :raises StatusError: 415.
    """
    type_ = (request.transport.header("content-type") or "").split(";", 1)[0].strip()
    if type_ not in BUILTIN_TYPES and accepted == BUILTIN_TYPES:
        raise errors.StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {})
    if type_ not in accepted:
        raise errors.unsupported_media_type(list(accepted))
    return type_


class _Patching:
    """A patch against the current object, in this endpoint's version."""

    def __init__(self, writing: Writing, raw: bytes, type_: str, is_builtin: bool) -> None:
        self.writing = writing
        self.scope = writing.scope
        self._rereads_version = is_builtin and type_ != STRATEGIC_MERGE_PATCH
        self.raw = raw
        self.type = type_
        self._lenient = writing.options.get("fieldValidation") == "Ignore"
        self._change: Any = None
        self._complaints: list[str] = []
        self._live: Obj = {}

    @cached_property
    def _apply(self) -> Callable[[Obj], Any]:
        """The patch as a function from the object's JSON to the patched one.

        :raises StatusError: 400 for a body that is no patch.
        """
        change = self._change = self._parsed()
        self._complaints = json_codec.duplicate_fields(self.raw, change)
        if self.type == JSON_PATCH:
            self._complaints = [f"json patch {one}" for one in self._complaints]
            self._complaints += json_patch.check(change, self._lenient)
            return lambda document: json_patch.apply(document, change, self._lenient)
        if self.type == MERGE_PATCH:
            return lambda document: merge_patch.apply(document, change, self._lenient)
        return lambda document: strategic_merge.apply(document, change, self.scope.struct)

    def _parsed(self) -> Any:
        try:
            return json_codec.parse(self.raw)
        except ValueError as error:
            if self._lenient and self.type == MERGE_PATCH:
                raise merge_patch.invalid_patch() from None
            prefix = "" if self._lenient or self.type == STRATEGIC_MERGE_PATCH else "error decoding patch: "
            raise errors.bad_request(f"{prefix}{error}") from None

    async def transform(self, old: Obj | None) -> Obj:
        if old is None:
            raise errors.not_found(self.scope.group_resource, self.writing.request.info.name)
        live = self._live = self.scope.writable(old)
        patched = self._apply(live)
        if self._rereads_version and isinstance(patched, dict) and not patched.get("apiVersion"):
            self._refuse_versionless(patched)
        obj = self._decode(patched)
        check_name(self.writing.request, obj["metadata"])
        ensure_namespace(obj["metadata"], self.writing.namespace)
        await self.writing.own(live, obj)
        return await self.writing.changed_object(old, obj)

    def _refuse_versionless(self, patched: dict[str, Any]) -> None:
        """The original reads a built-in object without version as its internal kind, which knows none of the fields.

        Then it has no name either. A strategic merge isn't read anew.

        :raises StatusError: 400, or 422 where unknown fields are refused.
        """
        unknown = tuple(f'unknown field "{name}"' for name in sorted(patched.keys() - {"kind", "apiVersion"}))
        if self.writing.options.get("fieldValidation") == "Strict":
            raise self._invalid(patched, "strict decoding error: " + ", ".join(unknown))
        self.writing.report(Decoded(patched, self.scope.body_kind, unknown))
        check_name(self.writing.request, {})

    def _decode(self, patched: Any) -> Obj:
        """The patched JSON as an object.

        :raises StatusError: 422 when it no longer is one, or 500 after a strategic merge that can't be stored.
        """
        scope = self.scope
        try:
            decoded = (
                scope.reading.merged(patched, self._complaints) if self.type == STRATEGIC_MERGE_PATCH else
                scope.reading.patched(patched, self._complaints, scope.relatives))
            obj = scope.from_relative(self.writing.defaulted(decoded.obj), decoded.gvk)
        except ValueError as error:
            raise self._invalid(patched, str(error)) from None
        except ConversionError as error:
            if self.type == STRATEGIC_MERGE_PATCH:
                raise errors.plain_internal(error.why) from None
            raise self._invalid(patched, error.why) from None
        if decoded.strict_errors and self.writing.options.get("fieldValidation") == "Strict":
            raise self._invalid(patched, "strict decoding error: " + ", ".join(decoded.strict_errors))
        self.writing.report(decoded)
        return obj

    def _invalid(self, patched: Any, why: str) -> errors.StatusError:
        if self.type == STRATEGIC_MERGE_PATCH:
            shown = go_print(self._change)
        else:
            live = self.scope.reading.live(self._live)
            shown = patched_text(live, patched, sort_new=self.type == MERGE_PATCH)
        return errors.invalid(GroupKind("", ""), "", [invalid("patch", shown, why)])
