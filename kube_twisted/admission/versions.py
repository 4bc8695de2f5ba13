"""How the objects of an endpoint look in other versions of their kind: what webhooks and policies ask for."""

from __future__ import annotations

from typing import Any, Protocol

from kube_twisted.api.gvk import GroupVersionKind

Obj = dict[str, Any]


class ObjectVersions(Protocol):
    """Shows objects in other versions, and reads what was made of them."""

    async def show(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        """An object that admission handles, in the version of ``kind``; it may share parts with the argument.

        :raises StatusError: when it can't be converted.
        """

    def decode(self, document: Any, kind: GroupVersionKind, strict: bool = False) -> Obj:
        """What a patch made of a shown object, as an object again.

        :param document: JSON data, which may be changed.
        :param strict: refuse fields that the kind has not, rather than drop them.
        :raises ValueError: when it is no longer an object of the kind.
        """

    async def adopt(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        """A decoded object, with defaults, as admission handles it.

        :raises StatusError: when it can't be converted.
        """


class AsTheyAre:
    """For what has one version only."""

    async def show(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        return obj

    def decode(self, document: Any, kind: GroupVersionKind, strict: bool = False) -> Obj:
        if not isinstance(document, dict):
            raise ValueError(f"Object 'Kind' is missing in '{document}'")
        return document

    async def adopt(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        return obj


AS_THEY_ARE = AsTheyAre()
