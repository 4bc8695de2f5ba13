"""Objects of a built-in kind in other versions of it: for admission, which handles them in the stored one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api.errors import plain_internal
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.endpoints.patched import decode_patched
from kube_twisted.registry.conversion import Conversion, ConversionError
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.builtin import BuiltinSchema


@frozen
class BuiltinVersions:
    """The versions of one kind.

    :ivar conversions: by kind, for those that are not handled as they are.
    :ivar default: sets the defaults of an object of any version.
    """

    conversions: Mapping[GroupVersionKind, Conversion]
    schema: BuiltinSchema
    default: Callable[[Obj], None]

    async def show(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        conversion = self.conversions.get(kind)
        shown = conversion.from_hub(obj) if conversion is not None else obj
        if shown.get("apiVersion") == kind.api_version and shown.get("kind") == kind.kind:
            return shown
        return {**shown, "kind": kind.kind, "apiVersion": kind.api_version}

    def decode(self, document: Any, kind: GroupVersionKind, strict: bool = False) -> Obj:
        decoded = decode_patched(document, kind, self.schema, [])
        if strict and decoded.strict_errors:
            raise ValueError(f"strict decoding error: {', '.join(decoded.strict_errors)}")
        return decoded.obj

    async def adopt(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        conversion = self.conversions.get(kind)
        try:
            self.default(obj)
            return conversion.to_hub(obj) if conversion is not None else obj
        except ConversionError as error:
            raise plain_internal(error.why) from None
