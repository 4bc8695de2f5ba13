"""The entries of ``metadata.managedFields``: decoding, identity, order, and the cap on updaters."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from attrs import evolve, frozen

from kube_twisted.api.field import go_quote
from kube_twisted.schema.apply.elements import json_text
from kube_twisted.schema.apply.fieldset import FieldSet, union
from kube_twisted.schema.apply.fieldsv1 import FieldsError, ordered, parse

Entry: TypeAlias = dict[str, Any]

#: Who takes over the fields of the oldest updaters, and how many updaters may stay.
ANCIENT_CHANGES = "ancient-changes"
MAX_UPDATERS = 10


class Identity(NamedTuple):
    """What tells entries apart; an applier has one entry whatever version it applies in."""

    manager: str
    operation: str
    api_version: str
    subresource: str

    def description(self) -> str:
        """How conflicts name the manager."""
        text = go_quote(self.manager)
        if self.subresource:
            text += f" with subresource {go_quote(self.subresource)}"
        return f"{text} using {self.api_version}" if self.operation == "Update" else text

    def sort_text(self) -> str:
        """What the original sorts identities by: their JSON."""
        named = (("manager", self.manager), ("operation", self.operation), ("apiVersion", self.api_version),
                 ("subresource", self.subresource))
        return "{" + ",".join(f'"{name}":{json_text(value)}' for name, value in named if value) + "}"


def updater(manager: str, api_version: str, subresource: str = "") -> Identity:
    return Identity(manager or "unknown", "Update", api_version, subresource)


def applier(manager: str, subresource: str = "") -> Identity:
    return Identity(manager or "unknown", "Apply", "", subresource)


@frozen
class Owned:
    """The fields of one manager.

    :ivar fresh: the set is not known to be in order, and is put so before it is written.
    :ivar time: RFC 3339; None if the manager only agreed with what was there.
    """

    fields: FieldSet
    api_version: str
    time: str | None = None
    fresh: bool = True


    def having(self, fields: FieldSet) -> Owned:
        """The same entry with what is left of its fields."""
        return self if fields is self.fields else Owned(fields, self.api_version, self.time, self.fresh)


Managed: TypeAlias = dict[Identity, Owned]


def decode(entries: list[Entry] | None, trusted: bool = False) -> Managed:
    """Entries by identity; of entries with the same identity the last one counts.

    :param trusted: the entries come from storage: their sets are taken as they are.
    :raises FieldsError: for a malformed entry.
    """
    managed: Managed = {}
    for index, entry in enumerate(entries or ()):
        if not trusted:
            _check(entry, index)
        fields = entry.get("fieldsV1") or {}
        managed[_identity(entry)] = Owned(fields if trusted else parse(fields), entry.get("apiVersion") or "",
                                          entry.get("time"), fresh=not trusted)
    return managed


def _identity(entry: Entry) -> Identity:
    operation = entry.get("operation") or ""
    api_version = "" if operation == "Apply" else entry.get("apiVersion") or ""
    return Identity(entry.get("manager") or "", operation, api_version, entry.get("subresource") or "")


def _check(entry: Entry, index: int) -> None:
    if entry.get("operation") not in ("Apply", "Update"):
        raise FieldsError("operation must be `Apply` or `Update`")
    if not entry.get("apiVersion"):
        raise FieldsError("apiVersion must not be empty")
    kind = entry.get("fieldsType")
    if not kind:
        raise FieldsError(f"missing fieldsType in managed fields entry {index}")
    if kind != "FieldsV1":
        raise FieldsError(f"invalid fieldsType {go_quote(kind)} in managed fields entry {index}")


def encode(managed: Managed) -> list[Entry]:
    """The entries in their order: appliers first, then by time, name, version and subresource."""
    def rank(item: tuple[Identity, Owned]) -> tuple[str, ...]:
        identity, owned = item
        return identity.operation, owned.time or "", identity.manager, owned.api_version, identity.subresource

    items = managed.items()
    return [_entry(identity, owned) for identity, owned in (sorted(items, key=rank) if len(items) > 1 else items)]


def _entry(identity: Identity, owned: Owned) -> Entry:
    entry: Entry = {"manager": identity.manager} if identity.manager else {}
    entry["operation"] = identity.operation
    entry["apiVersion"] = owned.api_version
    if owned.time:
        entry["time"] = owned.time
    entry["fieldsType"] = "FieldsV1"
    entry["fieldsV1"] = ordered(owned.fields) if owned.fresh else owned.fields
    if identity.subresource:
        entry["subresource"] = identity.subresource
    return entry


def capped(managed: Managed) -> Managed:
    """With more than the allowed updaters, the oldest of each version become one ``ancient-changes``."""
    updaters = [identity for identity in managed if identity.operation == "Update"]
    if len(updaters) <= MAX_UPDATERS:
        return managed
    updaters.sort(key=lambda identity: (managed[identity].time or "", identity.sort_text()))
    result = dict(managed)
    left = len(updaters)
    oldest: dict[str, Identity] = {}
    for identity in updaters:
        owned = result[identity]
        bucket = updater(ANCIENT_CHANGES, owned.api_version)
        if left <= MAX_UPDATERS:
            break
        if owned.api_version not in oldest:
            oldest[owned.api_version] = identity
        elif identity != bucket:
            if bucket not in result:
                result[bucket] = result.pop(oldest[owned.api_version])
            del result[identity]
            merged = union(owned.fields, result[bucket].fields)
            result[bucket] = evolve(owned, fields=merged, fresh=True)
            left -= 1
    return result


def is_reset(entries: list[Entry] | None) -> bool:
    """Whether a request asks to forget all ownership: an empty list, or a list of one empty entry."""
    return entries is not None and (not entries or (len(entries) == 1 and not any(entries[0].values())))
