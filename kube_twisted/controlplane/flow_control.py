"""Priority and fairness follow their objects: what is stored is what is done, and schemas tell whether they dangle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twisted.internet.task import LoopingCall

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.stores import Stores
from kube_twisted.flowcontrol.dangling import changed_condition
from kube_twisted.flowcontrol.flow_control import INTERVAL, FlowControl
from kube_twisted.flowcontrol.work import Stored
from kube_twisted.registry.flowcontrol import mandatory
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.lifecycle import LifecycleSignals
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.queue import WorkQueue
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import WatchEvent
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks

_GROUP = "flowcontrol.apiserver.k8s.io"
_SCHEMAS, _LEVELS = "flowschemas", "prioritylevelconfigurations"
_MANAGER = "api-priority-and-fairness-config-consumer-v1"
#: How many objects are looked at to know how large they are.
_SAMPLE = 10
_EVERYTHING = Selection()


class FlowControlObjects:
    """What is stored, for :class:`FlowControl`; the mandatory objects are there before they are stored."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def schemas(self) -> list[Obj]:
        return self._all(_SCHEMAS, mandatory.FLOW_SCHEMAS)

    def levels(self) -> list[Obj]:
        return self._all(_LEVELS, mandatory.PRIORITY_LEVELS)

    def _all(self, resource: str, needed: dict[str, dict[str, Any]]) -> list[Obj]:
        found = self._stores.list_objects(_GROUP, resource)
        names = {obj["metadata"]["name"] for obj in found}
        missing = [name for name in needed if name not in names]
        return found + [{"metadata": {"name": name}, "spec": needed[name]} for name in missing]

    def stored(self, group: str, resource: str) -> Stored | None:
        """How much there is of a resource, by a few of its objects."""
        store = self._stores.store(group, resource)
        if store is None:
            return None
        items, _, _ = store.cache.select(_EVERYTHING, limit=_SAMPLE)
        size = sum(len(item.tail) for item in items) / len(items) if items else 0.0
        return Stored(len(store.cache), size)


class FlowControlController:
    """Tells flow control what changes, and writes the condition Dangling of schemas."""

    selection = _EVERYTHING

    def __init__(self, flow_control: FlowControl, stores: Stores, client: LoopbackClient, clock: Clock,
                 signals: LifecycleSignals) -> None:
        self._flow_control = flow_control
        self._stores = stores
        self._client = client
        self._clock = clock
        self._tasks = Tasks()
        self._queue = WorkQueue("FlowSchemas", clock, self._tasks, self._settle)
        self._loop: LoopingCall = clock.looping_call(flow_control.rebalance)
        signals.has_been_ready.call(self._queue.start)

    def follow(self) -> None:
        """Take over what is stored, and every change from now on."""
        for resource in (_SCHEMAS, _LEVELS):
            store = self._stores.store(_GROUP, resource)
            if store is not None:
                store.cache.add(self)
        self._flow_control.changed()
        self._check(self._schemas())

    async def start(self) -> None:
        """Levels lend each other seats from now on."""
        self._loop.start(INTERVAL, now=False)

    async def stop(self) -> None:
        """Begin no more work; wait for what is under way."""
        if self._loop.running:
            self._loop.stop()
        self._queue.stop()
        await self._tasks.stop()

    # -- what the caches tell -------------------------------------------------------------------------------------

    def deliver(self, change: WatchEvent) -> None:
        self._flow_control.changed()
        obj = change.item.parse()
        if obj["kind"] == "FlowSchema":
            self._check([] if change.deleted else [obj])
        else:
            self._check([one for one in self._schemas() if _level_of(one) == change.item.name])

    def end(self) -> None:
        """The server stops."""

    def _schemas(self) -> list[Obj]:
        return self._stores.list_objects(_GROUP, _SCHEMAS)

    def _check(self, schemas: Sequence[Obj]) -> None:
        for schema in schemas:
            self._queue.add(schema["metadata"]["name"])

    # -- conditions -----------------------------------------------------------------------------------------------

    async def _settle(self, name: str) -> None:
        schema = self._stores.get(_GROUP, _SCHEMAS, "", name)
        if schema is None:
            return
        has_level = self._stores.exists(_GROUP, _LEVELS, "", _level_of(schema))
        condition = changed_condition(schema, has_level, self._clock.rfc3339())
        if condition is None:
            return
        try:
            await self._client.call(
                "PATCH", f"/apis/{_GROUP}/v1/{_SCHEMAS}/{name}/status?fieldManager={_MANAGER}&force=true",
                {"apiVersion": f"{_GROUP}/v1", "kind": "FlowSchema", "metadata": {"name": name},
                 "status": {"conditions": [condition]}}, "application/apply-patch+yaml")
        except StatusError as error:
            if error.code != 404:
                raise


def _level_of(schema: Obj) -> str:
    name: str = schema["spec"]["priorityLevelConfiguration"]["name"]
    return name
