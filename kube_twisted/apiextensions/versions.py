"""Custom resources in other versions of their kind: for admission, which handles them in that of the request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api.errors import plain_internal
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.apiextensions.conversion.converter import Converter
from kube_twisted.apiextensions.reading import CustomReading
from kube_twisted.apiextensions.schemas import VersionSchema
from kube_twisted.registry.strategy import Obj


@frozen
class CustomVersions:
    """The versions of one custom kind.

    :ivar kind: in the version that is handled.
    :ivar schemas: of all versions.
    """

    kind: GroupVersionKind
    schemas: Mapping[str, VersionSchema]
    converter: Converter

    async def show(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        if obj.get("apiVersion") == kind.api_version:
            return obj
        (converted,) = await self.converter.convert([obj], kind.group_version)
        return converted

    def decode(self, document: Any, kind: GroupVersionKind, strict: bool = False) -> Obj:
        return CustomReading(kind, self.schemas).patched(document, []).obj

    async def adopt(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        schema = self.schemas.get(GroupVersion.parse(obj["apiVersion"]).version)
        if schema is not None:
            schema.default(obj)
        if obj["apiVersion"] == self.kind.api_version:
            return obj
        (converted,) = await self.converter.convert([obj], self.kind.group_version)
        adopted: Obj = deep_copy(converted)
        try:
            self.schemas[self.kind.version].coerce(adopted)
        except ValueError as error:
            raise plain_internal(str(error)) from None
        return adopted
