"""How a write moves fields between managers, on decoded sets: the heart of field ownership."""

from __future__ import annotations

from attrs import evolve, frozen

from kube_twisted.schema.apply.compare import Changes
from kube_twisted.schema.apply.conflict import ApplyConflict, conflicts_of
from kube_twisted.schema.apply.fieldset import FieldSet, difference, includes, intersection, union
from kube_twisted.schema.apply.managed import Identity, Managed, Owned, capped
from kube_twisted.schema.apply.merge import merge
from kube_twisted.schema.apply.owned import reconciled
from kube_twisted.schema.apply.prune import prune
from kube_twisted.schema.apply.versions import Object, Versions


@frozen
class Updater:
    """Works out the sets of all managers after a write.

    All methods raise ``ElementError`` if an item of a keyed list or a set has no path element.
    """

    versions: Versions

    def update(self, old: Object, new: Object, managed: Managed, identity: Identity, now: str) -> Managed:
        """The sets after an update: whoever changed a field owns it alone, and keeps what it had.

        The time of an entry is renewed only when it takes a field.
        """
        if managed:
            managed = self._reconciled(old, managed)
        mine = managed.pop(identity, None)
        managed, changes = self._take(old, new, managed, None, force=True)
        left = difference(mine.fields, changes.removed) if mine else {}
        if changes.changed:
            managed[identity] = self._owner(changes.changed, mine.having(left) if mine and left else None, now)
        elif mine and left:
            managed[identity] = mine.having(left)
        return capped(managed)

    def _owner(self, changed: FieldSet, before: Owned | None, now: str) -> Owned:
        """Who changed these fields, and keeps those that it had."""
        version = self.versions.own.api_version
        if before is None:
            return Owned(changed, version, now, fresh=False)
        if includes(before.fields, changed):
            return Owned(before.fields, version, now, before.fresh)
        return Owned(union(changed, before.fields), version, now)

    def apply(self, old: Object, patch: Object, managed: Managed, identity: Identity, force: bool,
              now: str) -> tuple[Object, Managed]:
        """The merged object and the sets after an apply: the applier owns exactly what it applies.

        ``old`` itself comes back when nothing changed; then no time is renewed.

        :raises ApplyConflict: if others own what would change, and ``force`` is not set.
        """
        managed = self._reconciled(old, managed)
        last = managed.get(identity)
        fields = self.versions.applied(patch)
        managed[identity] = Owned(fields, self.versions.own.api_version, last.time if last else None)
        merged: Object = merge(self.versions.own.whole, old, patch)
        if last is not None and _dropped_something(last, managed[identity]):
            merged = prune(self.versions, merged, managed, last)
        managed, _ = self._take(old, merged, managed, identity, force)
        same = bool(merged == old)
        mine = managed.pop(identity, None)
        left = self.versions.stripped(mine.fields) if mine else {}
        if mine and left:
            managed[identity] = evolve(mine, fields=left, time=mine.time if same else now)
        return old if same else merged, managed

    def _take(self, old: Object, new: Object, managed: Managed, applying: Identity | None,
              force: bool) -> tuple[Managed, Changes]:
        """The sets without what others changed or removed; empty ones are dropped."""
        own = self.versions.changes(old, new)
        by_version: dict[str, Changes | None] = {self.versions.own.api_version: own}
        result: Managed = {}
        contested: dict[Identity, FieldSet] = {}
        for identity, owned in managed.items():
            fields = owned.fields
            if identity != applying:
                if owned.api_version not in by_version:
                    by_version[owned.api_version] = self.versions.changes_at(old, new, owned.api_version)
                changes = by_version[owned.api_version]
                if changes is None:
                    continue
                lost = intersection(fields, changes.changed)
                if lost:
                    contested[identity] = lost
                fields = difference(difference(fields, lost), changes.removed)
            if fields:
                result[identity] = owned.having(fields)
        if contested and not force:
            raise ApplyConflict(conflicts_of(contested))
        return result, own

    def _reconciled(self, live: Object, managed: Managed) -> Managed:
        """The sets as the types are now; sets of versions that are gone are dropped."""
        result: Managed = {}
        for identity, owned in managed.items():
            seen = self.versions.at(live, owned.api_version)
            if seen is not None:
                result[identity] = owned.having(reconciled(seen[0].whole, owned.fields))
        return result


def _dropped_something(last: Owned, now: Owned) -> bool:
    return last.api_version != now.api_version or bool(difference(last.fields, now.fields))
