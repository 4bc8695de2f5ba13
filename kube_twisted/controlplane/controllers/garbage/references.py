"""How objects and their owners are named, and what a garbage collector sees of an object."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from attrs import evolve, frozen

from kube_twisted.controlplane.controllers.discovery import Resource

Obj = dict[str, Any]

ORPHAN = "orphan"
FOREGROUND = "foregroundDeletion"


@frozen
class Reference:
    """An entry of ``metadata.ownerReferences``.

    :ivar blocks: whether the owner waits for the dependent in foreground deletion.
    """

    api_version: str
    kind: str
    name: str
    uid: str
    blocks: bool = False

    def at(self, namespace: str) -> Identity:
        """The object that is meant, seen from a namespace."""
        return Identity(self.kind, self.api_version, namespace, self.name, self.uid)


@frozen(order=True)
class Identity:
    """Where an object is, and which one it is. Their order is that in which other names of an owner are tried."""

    kind: str
    api_version: str
    namespace: str
    name: str
    uid: str

    def __str__(self) -> str:
        """As the original's events write it."""
        return (f"[{self.api_version}/{self.kind}, namespace: {self.namespace}, name: {self.name}, "
                f"uid: {self.uid}]")

    @property
    def group_kind(self) -> tuple[str, str]:
        return self.api_version.rpartition("/")[0], self.kind

    def is_meant_by(self, reference: Reference) -> bool:
        """Whether a reference has these coordinates, the namespace apart."""
        return (self.uid, self.name, self.kind, self.api_version) == (
            reference.uid, reference.name, reference.kind, reference.api_version)

    def in_cluster(self) -> Identity:
        """The same without a namespace."""
        return evolve(self, namespace="")


@frozen
class Seen:
    """The state of an object as far as it matters here.

    :ivar deleting: it has a deletionTimestamp.
    :ivar orphaning: it is deleted once its dependents no longer refer to it.
    :ivar foreground: it is deleted once its blocking dependents are gone.
    """

    identity: Identity
    owners: tuple[Reference, ...]
    deleting: bool
    orphaning: bool
    foreground: bool

    @property
    def matters(self) -> bool:
        """Whether there is something to do about it even if nobody refers to it."""
        return bool(self.owners) or self.orphaning or self.foreground


def seen(resource: Resource, obj: Obj) -> Seen:
    """Read an object's metadata."""
    meta = obj["metadata"]
    deleting = bool(meta.get("deletionTimestamp"))
    finalizers = meta.get("finalizers") or ()
    return Seen(identity_of(resource, meta), references(meta), deleting,
                deleting and ORPHAN in finalizers, deleting and FOREGROUND in finalizers)


def identity_of(resource: Resource, meta: Obj) -> Identity:
    return Identity(resource.kind, resource.api_version, meta.get("namespace", ""), meta["name"], meta["uid"])


def references(meta: Obj) -> tuple[Reference, ...]:
    """The owners that an object names."""
    return tuple(Reference(one["apiVersion"], one["kind"], one["name"], one["uid"],
                           bool(one.get("blockOwnerDeletion"))) for one in meta.get("ownerReferences") or ())


class AbsentOwners:
    """Owners of which it is known that they do not exist; the most recently used ones.

    :param size: how many are remembered.
    """

    def __init__(self, size: int = 500) -> None:
        self._size = size
        self._known: OrderedDict[Identity, None] = OrderedDict()

    def add(self, identity: Identity) -> None:
        self._known[identity] = None
        self._known.move_to_end(identity)
        if len(self._known) > self._size:
            self._known.popitem(last=False)

    def __contains__(self, identity: Identity) -> bool:
        if identity not in self._known:
            return False
        self._known.move_to_end(identity)
        return True


def another_name(known: Identity, names: Iterable[tuple[str, Reference]]) -> Identity | None:
    """Another object that the same uid might be, in the order of identities; after the last the first again.

    :param known: what it is not.
    :param names: the references to the uid, with the namespaces that they come from.
    """
    others: set[Identity] = set()
    for namespace, reference in names:
        other = reference.at(namespace)
        if not known.namespace and (other.api_version, other.kind) == (known.api_version, known.kind):
            other = other.in_cluster()
        if other != known:
            others.add(other)
    return min((one for one in others if one > known), default=min(others, default=None))
