"""The kind that field ownership is about, in its own version and, where a converter knows them, in others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from attrs import field, frozen

from kube_twisted.schema.apply.compare import Changes, compare
from kube_twisted.schema.apply.fieldset import FieldSet, difference, field_path, from_paths, matching
from kube_twisted.schema.apply.owned import owned
from kube_twisted.schema.apply.plan import MapNode, Plans
from kube_twisted.schema.types import Struct

Object = dict[str, Any]

#: Fields that the system sets, and that nobody owns.
STRIPPED = (("apiVersion",), ("kind",), *(("metadata", name) for name in (
    "name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation", "managedFields",
    "resourceVersion")))
_STRIPPED_SET = from_paths([field_path("metadata"), *(field_path(*path) for path in STRIPPED)])


class ConversionNeeded(Exception):
    """An object must be seen in another version, which takes a while: convert it, and begin anew.

    :ivar convert: converts it, and remembers it; raises StatusError.
    """

    def __init__(self, convert: Callable[[], Awaitable[None]]) -> None:
        super().__init__()
        self.convert = convert


class Converter(Protocol):
    """Brings objects of one kind from version to version."""

    def __call__(self, obj: Object, api_version: str) -> tuple[Struct, Object] | None:
        """The object in another version, with the type of that version; None if there is no such version.

        Objects come as they were merged: they may hold nulls, and lack what defaulting adds.

        :raises ConversionNeeded: when it is not at hand.
        """


@frozen
class View:
    """One version of the kind.

    :ivar whole: all fields.
    :ivar settable: the fields that requests can set.
    :ivar tracked: those of them that can be owned.
    """

    api_version: str
    whole: MapNode
    settable: MapNode
    tracked: MapNode

    @classmethod
    def make(cls, api_version: str, whole: MapNode, reset_fields: tuple[tuple[str, ...], ...]) -> View:
        settable = whole.excluding(*reset_fields)
        return cls(api_version, whole, settable, settable.excluding(*STRIPPED))


@frozen
class Versions:
    """What is owned and what changed, in whichever version an entry speaks.

    :ivar reset_fields: paths that requests of this subresource cannot change.
    :ivar include: if not empty, the only fields that they can change, as a set in which ``*`` is any element.
    """

    own: View
    plans: Plans
    reset_fields: tuple[tuple[str, ...], ...] = ()
    include: FieldSet = field(factory=dict)
    convert: Converter | None = None

    @classmethod
    def make(cls, struct: Struct, api_version: str, plans: Plans,
             reset_fields: tuple[tuple[str, ...], ...] = (), include: FieldSet | None = None,
             convert: Converter | None = None) -> Versions:
        own = View.make(api_version, plans.root(struct), reset_fields)
        return cls(own, plans, reset_fields, include or {}, convert)

    def at(self, obj: Object, api_version: str) -> tuple[View, Object] | None:
        """An object of any version, in the version asked for; None if that version is unknown."""
        if obj.get("apiVersion", self.own.api_version) == api_version == self.own.api_version:
            return self.own, obj
        if self.convert is None:
            return None
        converted = self.convert(obj, api_version)
        if converted is None:
            return None
        if api_version == self.own.api_version:
            return self.own, converted[1]
        return View.make(api_version, self.plans.root(converted[0]), self.reset_fields), converted[1]

    def changes(self, old: Object, new: Object) -> Changes:
        """What differs between two objects of the own version.

        :raises ElementError: if a list item has no path element.
        """
        return self._filtered(compare(self.own.tracked, old, new))

    def changes_at(self, old: Object, new: Object, api_version: str) -> Changes | None:
        """What differs in another version; None if it is unknown."""
        before, after = self.at(old, api_version), self.at(new, api_version)
        if before is None or after is None:
            return None
        return self._filtered(compare(after[0].tracked, before[1], after[1]))

    def applied(self, patch: Object) -> FieldSet:
        """The set of what an applied configuration says, system fields among it.

        :raises ElementError: if a list item has no path element.
        """
        fields = owned(self.own.settable, patch)
        return matching(fields, self.include) if self.include else fields

    @staticmethod
    def stripped(fields: FieldSet) -> FieldSet:
        """A set without the fields that nobody owns."""
        return difference(fields, _STRIPPED_SET)

    def _filtered(self, changes: Changes) -> Changes:
        if not self.include:
            return changes
        return Changes(matching(changes.changed, self.include), matching(changes.removed, self.include))
