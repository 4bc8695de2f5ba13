"""Who depends on whom, as far as the watches have told.

Only objects that name owners, are named as owners, or are deleted in an unusual way have a node here: the many others
cost nothing. An owner that is named before it has been seen has a virtual node, until the server confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from attrs import frozen

from kube_twisted.controlplane.controllers.garbage.references import (
    AbsentOwners,
    Identity,
    Reference,
    Seen,
    another_name,
)

_UID = re.compile(rb'"uid":"([^"]*)"')


class Node:
    """An object.

    :ivar dependents: the nodes that name it as their owner.
    :ivar virtual: whether nobody has seen it yet.
    :ivar deleting: whether it has a deletionTimestamp.
    :ivar deleting_dependents: whether it waits for its blocking dependents to go.
    :ivar last: whether it was waiting for (orphans, dependents) when it was seen last.
    """

    __slots__ = ("deleting", "deleting_dependents", "dependents", "identity", "last", "owners", "virtual")

    def __init__(self, identity: Identity, owners: tuple[Reference, ...] = (), virtual: bool = False) -> None:
        self.identity = identity
        self.owners = owners
        self.dependents: set[Node] = set()
        self.virtual = virtual
        self.deleting = False
        self.deleting_dependents = False
        self.last = (False, False)

    def __repr__(self) -> str:
        return f"<Node {self.identity}{' virtual' if self.virtual else ''}>"

    def blocking_dependents(self) -> list[Node]:
        """Those that must be gone before it goes in the foreground; it need not wait for itself."""
        uid = self.identity.uid
        return [one for one in self.dependents
                if one is not self and any(ref.blocks and ref.uid == uid for ref in one.owners)]


@frozen
class Wishes:
    """What the graph asks for, by uid.

    :ivar delete: see whether an object must go.
    :ivar delete_later: the same, after a back-off.
    :ivar orphan: free the dependents of an object.
    :ivar complain: tell that a node names an owner in another namespace.
    """

    delete: Callable[[str], None]
    delete_later: Callable[[str], object]
    orphan: Callable[[str], None]
    complain: Callable[[Node, str], None]


class Graph:
    """The nodes, kept up to date by what is seen. Works as the original's GraphBuilder, on fewer objects.

    :ivar absent: owners that do not exist.
    """

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self.nodes: dict[str, Node] = {}
        self.absent = AbsentOwners()

    def concerns(self, event: bytes) -> bool:
        """Whether an event, as its bytes, may change something here: most objects neither own nor are owned."""
        if b'"ownerReferences":' in event or b'"finalizers":' in event:
            return True
        return bool(self.nodes) and any(uid.decode() in self.nodes for uid in _UID.findall(event))

    # -- what is seen ---------------------------------------------------------------------------------------------

    def changed(self, state: Seen) -> None:
        """An object is there or has changed."""
        uid = state.identity.uid
        node = self.nodes.get(uid)
        if node is None:
            if not state.matters:
                return
            node = self.nodes[uid] = Node(state.identity, state.owners)
            node.deleting_dependents = state.foreground
            self._join(node, state.owners)
        else:
            if node.virtual:
                self._observe(node, state.identity)
            self._update_owners(node, state.owners)
        node.deleting = node.deleting or state.deleting
        self._begin_waiting(node, state)
        self._forget_plain(node)

    def deleted(self, identity: Identity) -> None:
        """An object is gone."""
        node = self.nodes.get(identity.uid)
        if node is not None:
            self._remove(node, identity)

    def not_found(self, identity: Identity) -> None:
        """The server says that there is no such object; there may be one of the same uid under another name."""
        node = self.nodes.get(identity.uid)
        if node is None:
            return
        if not node.virtual and node.identity == identity:
            self._remove(node, identity)
            return
        matching, others = _split(node, identity)
        if node.virtual and not others:
            self._remove(node, identity)
            return
        if matching:
            self.absent.add(identity)
            self._delete_all(matching)
        if node.virtual and node.identity == identity:
            self._rename(node, others)

    def listed(self, group_kind: tuple[str, str], uids: frozenset[str]) -> None:
        """All objects of a kind were told; those that are not among them are doubtful until they are looked up."""
        for uid, node in list(self.nodes.items()):
            if node.identity.group_kind == group_kind and uid not in uids and not node.virtual:
                node.virtual = True
                self._wishes.delete(uid)

    # -- owners ---------------------------------------------------------------------------------------------------

    def _join(self, node: Node, owners: Iterable[Reference]) -> None:
        """Make ``node`` a dependent of its owners; look into it when a reference seems wrong."""
        doubtful = False
        for reference in owners:
            owner = self.nodes.get(reference.uid)
            if owner is None:
                owner = Node(reference.at(node.identity.namespace), virtual=True)
                self.nodes[reference.uid] = owner
                owner.dependents.add(node)
                self._wishes.delete(reference.uid)
                continue
            owner.dependents.add(node)
            doubtful = self._doubtful(node, reference, owner) or doubtful
        if doubtful:
            self._wishes.delete(node.identity.uid)

    def _doubtful(self, node: Node, reference: Reference, owner: Node) -> bool:
        """Whether a reference may mean something else than the owner of that uid."""
        theirs, ours = owner.identity.namespace, node.identity.namespace
        if theirs and theirs != ours:
            if not owner.virtual:
                self._wishes.complain(node, reference.uid)
            return True
        if not owner.identity.is_meant_by(reference):
            return True
        return not theirs and bool(ours) and owner.virtual

    def _update_owners(self, node: Node, owners: tuple[Reference, ...]) -> None:
        old = {one.uid: one for one in node.owners}
        new = {one.uid: one for one in owners}
        if node.owners == owners:
            return
        removed = [one for uid, one in old.items() if uid not in new]
        unblocked = [one for uid, one in old.items() if one.blocks and not (uid in new and new[uid].blocks)]
        node.owners = owners
        for reference in unblocked:
            if reference.uid in self.nodes:
                self._wishes.delete(reference.uid)
        self._join(node, [one for uid, one in new.items() if uid not in old])
        self._leave(node, removed)

    def _leave(self, node: Node, owners: Iterable[Reference]) -> None:
        for reference in owners:
            owner = self.nodes.get(reference.uid)
            if owner is not None:
                owner.dependents.discard(node)
                self._forget_plain(owner)

    # -- transitions ----------------------------------------------------------------------------------------------

    def _observe(self, node: Node, identity: Identity) -> None:
        """A virtual node turns out to be this object; dependents that meant another one are looked into."""
        node.virtual = False
        if identity == node.identity:
            return
        _, others = _split(node, identity)
        for dependent in others:
            if identity.namespace and dependent.identity.namespace != identity.namespace:
                self._wishes.complain(dependent, identity.uid)
        self._delete_all(others)
        node.identity = identity

    def _begin_waiting(self, node: Node, state: Seen) -> None:
        """Deletion begins to wait for orphans or for dependents."""
        orphaning, foreground = node.last
        node.last = (state.orphaning, state.foreground)
        if state.orphaning and not orphaning:
            self._wishes.orphan(node.identity.uid)
        elif state.foreground and not foreground:
            node.deleting_dependents = True
            self._delete_all(node.dependents)
            self._wishes.delete(node.identity.uid)

    def _rename(self, node: Node, others: Iterable[Node]) -> None:
        """Try another of the names by which dependents call a virtual node."""
        uid = node.identity.uid
        names = [(one.identity.namespace, ref) for one in others for ref in one.owners if ref.uid == uid]
        other = another_name(node.identity, names)
        if other is not None:
            node.identity = other
            self._wishes.delete_later(uid)

    # -- leaving --------------------------------------------------------------------------------------------------

    def _remove(self, node: Node, identity: Identity) -> None:
        del self.nodes[identity.uid]
        if node.dependents:
            self.absent.add(identity)
            self._delete_all(node.dependents)
        for reference in node.owners:
            owner = self.nodes.get(reference.uid)
            if owner is not None and owner.deleting_dependents:
                self._wishes.delete(reference.uid)
        self._leave(node, node.owners)

    def _forget_plain(self, node: Node) -> None:
        """Drop a node that has come to be like the many others, or that nobody names any more."""
        uid = node.identity.uid
        if not (node.owners or node.dependents or node.deleting_dependents or any(node.last)):
            self.nodes.pop(uid, None)

    def _delete_all(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self._wishes.delete(node.identity.uid)


def _split(node: Node, identity: Identity) -> tuple[list[Node], list[Node]]:
    """(dependents that mean ``identity``, those that mean another object of its uid); one may be in both."""
    matching, others = [], []
    for dependent in node.dependents:
        here = not identity.namespace or identity.namespace == dependent.identity.namespace
        meant = [here and identity.is_meant_by(ref) for ref in dependent.owners if ref.uid == identity.uid]
        if any(meant):
            matching.append(dependent)
        if not all(meant):
            others.append(dependent)
    return matching, others
