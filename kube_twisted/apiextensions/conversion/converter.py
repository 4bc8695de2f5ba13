"""What converts custom resources, and the conversion that only changes ``apiVersion``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from kube_twisted.api.errors import plain_internal
from kube_twisted.api.gvk import GroupVersion

Obj = dict[str, Any]


class Converter(Protocol):
    """Converts objects of one kind."""

    async def convert(self, objects: Sequence[Obj], to: GroupVersion) -> list[Obj]:
        """The objects in another version, in the same order.

        What is given stays as it is. What comes back may share parts with it, and must be copied before it is changed.

        :raises StatusError: 500 when it does not work.
        """


class Versions:
    """The versions that a definition has, served or not."""

    def __init__(self, group: str, names: Iterable[str]) -> None:
        self._valid = frozenset(str(GroupVersion(group, name)) for name in names)

    def check(self, objects: Iterable[Obj], to: GroupVersion) -> None:
        """Refuse what the definition doesn't know.

        :raises StatusError: 500.
        """
        if str(to) not in self._valid:
            raise plain_internal(f"request to convert CR to an invalid group/version: {to}")
        for one in objects:
            if one.get("apiVersion") not in self._valid:
                raise plain_internal(f"request to convert CR from an invalid group/version: {one.get('apiVersion')}")


class NoneConverter:
    """The strategy ``None``: all versions have the same fields."""

    def __init__(self, versions: Versions) -> None:
        self._versions = versions

    async def convert(self, objects: Sequence[Obj], to: GroupVersion) -> list[Obj]:
        return self.convert_now(objects, to)

    def convert_now(self, objects: Sequence[Obj], to: GroupVersion) -> list[Obj]:
        """As :meth:`convert`, without waiting."""
        self._versions.check(objects, to)
        return [with_version(one, to) for one in objects]


def with_version(obj: Obj, to: GroupVersion) -> Obj:
    """The object with another ``apiVersion``; the same one when it has that already."""
    api_version = str(to)
    return obj if obj.get("apiVersion") == api_version else {**obj, "apiVersion": api_version}
