"""Deciding whether an object must go, and having it go.

Source of the rules: the Kubernetes documentation, "Garbage Collection" and "Owners and Dependents".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define, field
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.discovery import Resource
from kube_twisted.controlplane.controllers.garbage.graph import Graph, Node
from kube_twisted.controlplane.controllers.garbage.objects import NamespacedOwner, Objects, UnknownKind
from kube_twisted.controlplane.controllers.garbage.references import (
    FOREGROUND,
    ORPHAN,
    Obj,
    Reference,
    references,
    seen,
)
from kube_twisted.server.queue import RetryAfter


@define
class _Owners:
    """The owners of an object by what has become of them.

    :ivar solid: they are there.
    :ivar dangling: they are gone.
    :ivar waiting: they are deleted, and wait for their dependents to go.
    """

    solid: list[Reference] = field(factory=list)
    dangling: list[Reference] = field(factory=list)
    waiting: list[Reference] = field(factory=list)


class Collector:
    """Works on the nodes that the graph wishes to be looked at.

    :param followed: whether a resource's changes are told to the graph by now.
    :param delete_soon: has another node looked at.
    """

    _log = Logger()

    def __init__(self, graph: Graph, objects: Objects, followed: Callable[[Resource], bool],
                 delete_soon: Callable[[str], None]) -> None:
        self._graph = graph
        self._objects = objects
        self._followed = followed
        self._delete_soon = delete_soon

    # -- deletion -------------------------------------------------------------------------------------------------

    async def attempt(self, uid: str) -> None:
        """Delete the object of a node if all its owners are gone.

        :raises RetryAfter: when that can't be told yet.
        """
        node = self._graph.nodes.get(uid)
        if node is None:
            return
        try:
            await self._attempt(node)
        except NamespacedOwner as wrong:
            self._log.info("{node}: owners in a namespace are not for objects of the cluster: {owner}",
                           node=node.identity, owner=str(wrong))
            return
        except UnknownKind:
            raise RetryAfter from None
        if node.virtual and self._is_current(node):
            raise RetryAfter

    async def _attempt(self, node: Node) -> None:
        if node.deleting and not node.deleting_dependents:
            return
        identity = node.identity
        latest = await self._objects.find(identity)
        if latest is None:
            self._graph.not_found(identity)
            return
        if not self._is_current(node):
            return
        if node.virtual:
            self._observe(node, latest)
        if node.deleting_dependents:
            await self._go_on_deleting_dependents(node)
            return
        owners = references(latest["metadata"])
        if owners:
            await self._decide(node, latest["metadata"], await self._classify(node, owners))

    def _is_current(self, node: Node) -> bool:
        return self._graph.nodes.get(node.identity.uid) is node

    def _observe(self, node: Node, latest: Obj) -> None:
        """What the server says counts as seen where the end of the object will be told, too."""
        resource = self._objects.resource(node.identity)
        if self._followed(resource):
            self._graph.changed(seen(resource, latest))

    async def _go_on_deleting_dependents(self, node: Node) -> None:
        """It may go when nothing blocks it; what blocks it is looked at."""
        blocking = node.blocking_dependents()
        if not blocking:
            await self._objects.remove_finalizer(node.identity, FOREGROUND)
        for dependent in blocking:
            if not dependent.deleting_dependents:
                self._delete_soon(dependent.identity.uid)

    # -- owners ---------------------------------------------------------------------------------------------------

    async def _classify(self, node: Node, references: Iterable[Reference]) -> _Owners:
        owners = _Owners()
        for reference in references:
            found = await self._owner(node, reference)
            if found is None:
                owners.dangling.append(reference)
            elif _waits(found["metadata"]):
                owners.waiting.append(reference)
            else:
                owners.solid.append(reference)
        return owners

    async def _owner(self, node: Node, reference: Reference) -> Obj | None:
        """The owner; None when it does not exist.

        :raises NamespacedOwner, UnknownKind, StatusError: when that can't be told.
        """
        absent = self._graph.absent
        identity = reference.at(node.identity.namespace)
        if identity.in_cluster() in absent or identity in absent:
            return None
        if not self._objects.resource(reference).namespaced:
            identity = identity.in_cluster()
        found = await self._objects.find(identity)
        if found is None:
            absent.add(identity)
        return found

    async def _decide(self, node: Node, latest: Obj, owners: _Owners) -> None:
        identity = node.identity
        if owners.solid:
            useless = {one.uid for one in (*owners.dangling, *owners.waiting)}
            if useless:
                await self._objects.remove_owners(identity, useless)
        elif owners.waiting and node.dependents:
            if any(one.blocks for one in node.owners) and any(one.deleting_dependents for one in node.dependents):
                # owners and dependents wait for it, which may be a circle
                await self._objects.unblock_owners(identity, node.owners)
                raise RetryAfter
            await self._delete(node, latest, "Foreground")
        else:
            await self._delete(node, latest, _policy(latest))

    async def _delete(self, node: Node, latest: Obj, policy: str) -> None:
        identity = node.identity
        self._log.info("deleting {object}: its owners are gone", object=identity, policy=policy)
        if not await self._objects.delete(identity, latest, policy):
            self._graph.not_found(identity)

    # -- orphans --------------------------------------------------------------------------------------------------

    async def orphan(self, uid: str) -> None:
        """Have the dependents of an object forget it, and then let it go.

        :raises StatusError: when one of them can't be changed; others may have been.
        """
        node = self._graph.nodes.get(uid)
        if node is None:
            return
        for dependent in list(node.dependents):
            try:
                await self._objects.remove_owners(dependent.identity, {uid})
            except StatusError as error:
                if error.code != 404:
                    raise
        await self._objects.remove_finalizer(node.identity, ORPHAN)


def _waits(meta: Obj) -> bool:
    """Whether an object is deleted in the foreground."""
    return bool(meta.get("deletionTimestamp")) and FOREGROUND in (meta.get("finalizers") or ())


def _policy(meta: Obj) -> str:
    """How an object wishes to be deleted."""
    finalizers = meta.get("finalizers") or ()
    if ORPHAN in finalizers:
        return "Orphan"
    return "Foreground" if FOREGROUND in finalizers else "Background"
