"""The objects of one write as webhooks want to see them, converted once for each kind."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission.attributes import Attributes
from kube_twisted.api.gvk import GroupVersionKind

Obj = dict[str, Any]


class Views:
    """What webhooks are shown of a write."""

    def __init__(self, attributes: Attributes) -> None:
        self._attributes = attributes
        self._new: dict[GroupVersionKind, Obj] = {}
        self._old: dict[GroupVersionKind, Obj] = {}

    async def show(self, kind: GroupVersionKind) -> tuple[Obj | None, Obj | None]:
        """The object and the old one.

        :raises StatusError: when they can't be converted.
        """
        attributes = self._attributes
        return (await self._shown(self._new, attributes.obj, kind), await self._shown(self._old, attributes.old, kind))

    async def _shown(self, known: dict[GroupVersionKind, Obj], obj: Obj | None, kind: GroupVersionKind) -> Obj | None:
        if obj is None:
            return None
        found = known.get(kind)
        if found is None:
            found = known[kind] = await self._attributes.versions.show(obj, kind)
        return found

    def changed(self) -> None:
        """The object is another now."""
        self._new.clear()
