"""Who owns which field after a write: ``managedFields`` of creates, updates and patches; server-side apply.

The rules are those of KEP-555 as ``k8s.io/apimachinery/pkg/util/managedfields`` carries them out.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from kube_twisted.api.errors import bad_request, plain_internal
from kube_twisted.schema.apply.conflict import ApplyConflict
from kube_twisted.schema.apply.elements import ElementError
from kube_twisted.schema.apply.fieldset import Path, from_paths, has
from kube_twisted.schema.apply.fieldsv1 import FieldsError
from kube_twisted.schema.apply.lastapplied import allowed_by_last_applied, renew_last_applied
from kube_twisted.schema.apply.managed import Entry, Managed, applier, decode, encode, is_reset, updater
from kube_twisted.schema.apply.merge import copied
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.apply.request import check_patch, described
from kube_twisted.schema.apply.typecheck import misfits, summary
from kube_twisted.schema.apply.updater import Updater
from kube_twisted.schema.apply.versions import Converter, Object, Versions
from kube_twisted.schema.decode import decode as decode_object
from kube_twisted.schema.types import Struct

#: The manager that takes a client-side apply over to server-side apply.
KUBECTL = "kubectl"
#: Owns what was there before ownership was recorded.
BEFORE_FIRST_APPLY = "before-first-apply"


class FieldManager:
    """Field ownership of one kind in one version, for the main resource or one subresource.

    :param kind: the kind that apply patches must have; the struct's Go name if left out.
    :param reset_fields: paths that requests cannot change here, such as ``("status",)``.
    :param include_fields: if given, the only paths that they can change; ``*`` is any item of a list.
    :param convert: how entries of other versions are understood; without it they are dropped.
    :param empty: what a new object is compared with: ``{}`` for custom resources; left out: an empty struct.
    :param plans: shared between the managers of one server.
    """

    def __init__(self, struct: Struct, api_version: str, subresource: str = "",
                 reset_fields: tuple[tuple[str, ...], ...] = (), *, kind: str = "",
                 include_fields: tuple[tuple[str, ...], ...] = (), convert: Converter | None = None,
                 empty: Object | None = None, plans: Plans | None = None) -> None:
        include = from_paths(map(_pattern, include_fields))
        self._versions = Versions.make(struct, api_version, plans or Plans(), reset_fields, include, convert)
        self._updater = Updater(self._versions)
        self._struct = struct
        self._api_version = api_version
        self._subresource = subresource
        self._kind = kind or struct.go_name
        self._given_empty = empty
        self._dropped = tuple(path[0] for path in reset_fields) if empty is not None else ()
        self._empty: Object | None = None

    def update(self, live: Object | None, new: Object, manager: str, now: str) -> None:
        """Set ``managedFields`` of an object that a create, an update or a patch made, decoded and defaulted.

        :param live: the stored object; None for a create.
        :param now: RFC 3339 in seconds.
        """
        metadata = new.get("metadata")
        if not isinstance(metadata, dict):
            return
        sent: list[Entry] | None = metadata.pop("managedFields", None)
        kept = _entries_of(live)
        managed, from_live = self._starting_point(sent, kept)
        if not managed and live is not None:
            return
        if not from_live and any(one.api_version.count("/") > 1 for one in managed.values()):
            return  # an apiVersion that can't be read takes all entries with it
        try:
            result = managed if self._drops_misfits(new) else self._updated(live, new, managed, manager, now)
        except ElementError:
            return  # nobody owns anything of an object that does not fit its type
        unchanged = from_live and len(kept or ()) == len(managed) and _same(managed, result)
        entries = kept if unchanged else encode(result)
        if entries:
            metadata["managedFields"] = entries

    def apply(self, live: Object | None, patch: Object, manager: str, force: bool, now: str) -> Object:
        """Merge an applied configuration into the stored object.

        The result still needs decoding and defaulting: it may hold nulls and numbers of the wrong size. It
        shares nothing with ``live``, and equals it when nothing changed.

        :param live: the stored object; None if there is none yet.
        :raises ApplyConflict: if others own what would change, and ``force`` is not set.
        :raises StatusError: 400 for another kind or version, 500 if the patch does not fit the type.
        """
        check_patch(patch, self._api_version, self._kind)
        managed = decode(_entries_of(live), trusted=True)
        if live is not None and not managed:
            with suppress(ElementError):  # the check of its type says what is wrong
                managed = self._updated(None, live, managed, BEFORE_FIRST_APPLY, now)
        if isinstance(_entries_of(patch), list):
            raise bad_request("metadata.managedFields must be nil")
        self._check_type("patch", patch, allow_repeated=False)
        if live is not None:
            self._check_type("live", live, allow_repeated=True)
        merged, managed = self._applied(live, patch, managed, manager, force, now)
        return _finished(merged, patch, managed, manager)

    def _drops_misfits(self, new: Object) -> bool:
        """Whether what is dropped of a custom object is of a wrong type: the write then goes unseen."""
        dropped = {key: new[key] for key in self._dropped if key in new}
        return bool(dropped) and bool(misfits(self._versions.own.whole, dropped, True))

    def _updated(self, live: Object | None, new: Object, managed: Managed, manager: str, now: str) -> Managed:
        identity = updater(manager, self._api_version, self._subresource)
        base = self._empty_object() if live is None else live
        return self._updater.update(base, new, managed, identity, now)

    def _applied(self, live: Object | None, patch: Object, managed: Managed, manager: str, force: bool,
                 now: str) -> tuple[Object, Managed]:
        identity = applier(manager, self._subresource)
        base = self._new_object() if live is None else live
        try:
            return self._updater.apply(base, patch, managed, identity, force, now)
        except ApplyConflict as conflict:
            if manager != KUBECTL:
                raise
            self._check_last_applied(base, conflict)
            return self._updater.apply(base, patch, managed, identity, True, now)

    def _check_last_applied(self, live: Object, conflict: ApplyConflict) -> None:
        """Raise what is left of a conflict after the fields that client-side apply already owned."""
        allowed = allowed_by_last_applied(self._versions.own, live)
        if allowed is None:
            raise conflict
        left = [one for one in conflict.conflicts if not has(allowed, one.path)]
        if left:
            raise ApplyConflict(left) from None

    def _check_type(self, role: str, obj: Object, allow_repeated: bool) -> None:
        found = misfits(self._versions.own.whole, obj, allow_repeated)
        if found:
            raise plain_internal(f"failed to create typed {role} object ({described(obj)}): {summary(found)}")

    def _starting_point(self, sent: list[Entry] | None, kept: list[Entry] | None) -> tuple[Managed, bool]:
        """The sets before an update, and whether they are the stored ones.

        A request may replace or reset them, except through a subresource; what is malformed is ignored.
        """
        if not self._subresource and sent != kept:
            if is_reset(sent):
                return {}, False
            try:
                managed = decode(sent)
            except FieldsError:
                managed = {}
            if managed:
                return managed, False
        return decode(kept, trusted=True), True

    def _empty_object(self) -> Object:
        if self._empty is None:
            given = self._given_empty
            self._empty = {"metadata": {}, **(decode_object(self._struct, {}) if given is None else given)}
        return self._empty

    def _new_object(self) -> Object:
        return {**self._empty_object(), "apiVersion": self._api_version, "kind": self._kind}


def _pattern(names: tuple[str, ...]) -> Path:
    return tuple("*" if name == "*" else f"f:{name}" for name in names)


def _entries_of(obj: Object | None) -> list[Entry] | None:
    metadata: Any = obj.get("metadata") if obj else None
    return metadata.get("managedFields") if isinstance(metadata, dict) else None


def _same(before: Managed, after: Managed) -> bool:
    return len(before) == len(after) and all(after.get(one) is owned for one, owned in before.items())


def _finished(merged: Object, patch: Object, managed: Managed, manager: str) -> Object:
    result: Object = copied(merged)
    metadata = result["metadata"] = result.get("metadata") or {}
    metadata.pop("managedFields", None)
    if manager == KUBECTL:
        renew_last_applied(metadata, patch)
    entries = encode(managed)
    if entries:
        metadata["managedFields"] = entries
    return result
