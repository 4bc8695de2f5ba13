"""The garbage collector as a whole: watches tell a graph, the graph fills queues, workers ask the server."""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.controlplane.controllers.context import Context, IController
from kube_twisted.controlplane.controllers.discovery import Discovered, Resource
from kube_twisted.controlplane.controllers.garbage.collecting import Collector
from kube_twisted.controlplane.controllers.garbage.complaints import complain
from kube_twisted.controlplane.controllers.garbage.graph import Graph, Node, Wishes
from kube_twisted.controlplane.controllers.garbage.monitors import Monitors
from kube_twisted.controlplane.controllers.garbage.objects import Objects
from kube_twisted.controlplane.controllers.garbage.references import Obj, identity_of, seen
from kube_twisted.controlplane.controllers.informer import Handlers
from kube_twisted.server.queue import WorkQueue

_WORKERS = 10


@implementer(IController)
class GarbageCollector:
    """Deletes dependents whose owners are gone: in the background, or before the owner; or sets them free."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._objects = Objects(context.client)
        self._delete = WorkQueue("garbagecollector", context.clock, context.tasks, self._attempt, _WORKERS)
        self._orphan = WorkQueue("garbagecollector orphans", context.clock, context.tasks, self._set_free, _WORKERS)
        self.graph = Graph(Wishes(self._delete.add, self._delete.add_rate_limited, self._orphan.add, self._complain))
        self._monitors = Monitors(
            context, self._handlers, self.graph.concerns, self._discovered, self._work)
        self._collector = Collector(self.graph, self._objects, self._monitors.followed, self._delete.add)

    def start(self) -> None:
        self._monitors.start()

    def stop(self) -> None:
        self._monitors.stop()
        self._delete.stop()
        self._orphan.stop()

    def _work(self) -> None:
        """The graph is complete: not before would it be safe to conclude that nothing depends on an object."""
        self._delete.start()
        self._orphan.start()

    async def _attempt(self, uid: str) -> None:
        await self._collector.attempt(uid)

    async def _set_free(self, uid: str) -> None:
        await self._collector.orphan(uid)

    def _discovered(self, found: Discovered) -> None:
        self._objects.resources = found.by_kind()

    def _handlers(self, resource: Resource) -> Handlers:
        group_kind = (resource.group, resource.kind)

        def changed(obj: Obj) -> None:
            self.graph.changed(seen(resource, obj))

        def deleted(obj: Obj) -> None:
            self.graph.deleted(identity_of(resource, obj["metadata"]))

        def listed(uids: frozenset[str]) -> None:
            self.graph.listed(group_kind, uids)

        return Handlers(changed, deleted, listed)

    def _complain(self, dependent: Node, owner_uid: str) -> None:
        reference = next((one for one in dependent.owners if one.uid == owner_uid), None)
        if reference is not None:
            self._context.tasks.start(complain(self._context, dependent.identity, reference), "writing an event")
