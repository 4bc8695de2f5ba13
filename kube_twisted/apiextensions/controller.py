"""Follows the definitions: has them served, settles their conditions, and finishes those that are deleted.

What the original does in controllers of their own is done here in one go, in the order of their files: naming,
establishing (with approval and structure), finalizing.
"""

from __future__ import annotations

from collections.abc import Awaitable

from kube_twisted.api.errors import StatusError
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.establishing import establish, note_approval, note_structure
from kube_twisted.apiextensions.finalizing import Finalizer
from kube_twisted.apiextensions.handler import CustomResourceHandler
from kube_twisted.apiextensions.naming import accept_names, taken_names
from kube_twisted.apiextensions.store import CustomResourceStore
from kube_twisted.registry.apiextensions.conditions import CLEANUP_FINALIZER
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.queue import WorkQueue
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import WatchEvent
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks

_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
#: How many definitions are finished at the same time.
_FINISHERS = 4
#: Somebody else was faster: the change that this is about comes round again.
_PASSED_BY = (404, 409)


class DefinitionController:
    """One for all definitions.

    :param store: of the definitions.
    :param client: writes their status.
    """

    def __init__(self, store: Store, handler: CustomResourceHandler, client: LoopbackClient, clock: Clock) -> None:
        self.selection = Selection()
        self._store = store
        self._handler = handler
        self._client = client
        self._clock = clock
        self._tasks = Tasks()
        self._queue = WorkQueue("CustomResourceDefinitions", clock, self._tasks, self._settle)
        self._deleted = WorkQueue("deleted CustomResourceDefinitions", clock, self._tasks, self._finish, _FINISHERS)
        self._finalizer = Finalizer(self._store_of, self._write_status, clock)

    def follow(self) -> None:
        """Have all accepted definitions served, from now on."""
        self._store.cache.add(self)
        items, _, _ = self._store.cache.select(self.selection)
        for item in items:
            self._handler.put(item.peek())
            self._queue.add(item.name)

    async def start(self) -> None:
        """Settle conditions from now on."""
        self._queue.start()
        self._deleted.start()

    async def stop(self) -> None:
        """Begin no more work; wait for what is under way."""
        self._queue.stop()
        self._deleted.stop()
        await self._tasks.stop()

    # -- what the cache tells -------------------------------------------------------------------------------------

    def deliver(self, change: WatchEvent) -> None:
        name = change.item.name
        if change.deleted:
            self._handler.remove(name)
            self._queue_group(change.item.peek())
        else:
            self._handler.put(change.item.peek())
            self._queue.add(name)

    def end(self) -> None:
        """The server stops."""

    def _queue_group(self, crd: Obj) -> None:
        """A name may be free now: look at all definitions of the group."""
        for one in self._handler.definitions:
            if one.group == crd["spec"]["group"] and one.name != crd["metadata"]["name"]:
                self._queue.add(one.name)

    # -- settling -------------------------------------------------------------------------------------------------

    async def _settle(self, name: str) -> None:
        crd = self._find(name)
        if crd is None:
            return
        if _is_deleted(crd):
            self._deleted.add(name)  # which may take long: others need not wait
        else:
            await _unless_passed_by(self._settle_conditions(crd))

    async def _finish(self, name: str) -> None:
        crd = self._find(name)
        if crd is not None and _is_deleted(crd):
            await _unless_passed_by(self._finalizer.finalize(crd))

    def _find(self, name: str) -> Obj | None:
        """A copy of a definition."""
        item = self._store.cache.get(self._store.cache.key("", name))
        return item.parse() if item is not None else None

    async def _settle_conditions(self, crd: Obj) -> None:
        now = self._clock.rfc3339()
        others = (one.crd for one in self._handler.definitions)
        renamed = accept_names(crd, taken_names(others, crd["spec"]["group"]), now)
        changed = [establish(crd, now), note_structure(crd, now), note_approval(crd, now)]
        if renamed or any(changed):
            await self._write_status(crd)
        if renamed:
            self._queue_group(crd)

    async def _write_status(self, crd: Obj) -> Obj:
        return await self._client.call("PUT", f"{_PATH}/{crd['metadata']['name']}/status", crd)

    async def _store_of(self, definition: Definition) -> CustomResourceStore:
        return (await self._handler.serving(definition)).store


def _is_deleted(crd: Obj) -> bool:
    """Whether the definition waits for its objects to be deleted."""
    meta = crd["metadata"]
    return bool(meta.get("deletionTimestamp")) and CLEANUP_FINALIZER in meta.get("finalizers", ())


async def _unless_passed_by(work: Awaitable[None]) -> None:
    try:
        await work
    except StatusError as error:
        if error.code not in _PASSED_BY:
            raise
