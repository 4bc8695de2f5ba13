"""Objects as field ownership sees them in other versions of their kind: managers may have written in any."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.apiextensions.conversion.converter import Converter, NoneConverter, with_version
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.apply.versions import ConversionNeeded
from kube_twisted.schema.types import Struct

#: How many objects that a webhook has converted are remembered: a write needs a few, a moment later.
_MOST_REMEMBERED = 100


class OwnedVersions:
    """Converts objects for field ownership.

    :param struct: gives the type of a version.
    """

    def __init__(self, definition: Definition, converter: Converter, struct: Callable[[str], Struct]) -> None:
        self._definition = definition
        self._converter = converter
        self._struct = struct
        self._remembered: dict[tuple[bytes, str], Obj] = {}

    def __call__(self, obj: Obj, api_version: str) -> tuple[Struct, Obj] | None:
        target = GroupVersion.parse(api_version)
        if target.group != self._definition.group or target.version not in self._definition.versions:
            return None
        struct = self._struct(target.version)
        if isinstance(self._converter, NoneConverter):
            return struct, with_version(obj, target)
        key = orjson.dumps(obj), api_version
        found = self._remembered.get(key)
        if found is None:
            raise ConversionNeeded(lambda: self._convert(key, obj, target))
        return struct, found

    async def _convert(self, key: tuple[bytes, str], obj: Obj, target: GroupVersion) -> None:
        (converted,) = await self._converter.convert([obj], target)
        if len(self._remembered) >= _MOST_REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = converted
