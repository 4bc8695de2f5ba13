"""Deletes the objects of a definition that is deleted, and then lets the definition go.

Source of the rules: the Kubernetes documentation, "Delete a CustomResourceDefinition".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from twisted.internet.defer import gatherResults

from kube_twisted.api.errors import StatusError
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.store import CustomResourceStore
from kube_twisted.registry.apiextensions.conditions import (
    CLEANUP_FINALIZER,
    ESTABLISHED,
    TERMINATING,
    condition,
    equivalent,
    find,
    is_true,
    set_condition,
)
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.write import Write
from kube_twisted.server.queue import RetryAfter, WorkFailed
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.selection import Selection
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

#: Seconds between two looks at whether all objects are gone.
_POLL = 0.5
#: How many objects are deleted at the same time: the store writes them together.
_BATCH = 100
_IN_PROGRESS = condition(TERMINATING, "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress")
_COMPLETED = condition(TERMINATING, "False", "InstanceDeletionCompleted", "removed all instances")
_NEVER = condition(TERMINATING, "False", "NeverEstablished", "resource was never established")
_OVERLAPPING = condition(TERMINATING, "False", "OverlappingBuiltInResource",
                         "instances overlap with built-in resources in storage")
#: Built-in resources that are stored where those of a definition of the same name would be.
_BUILT_IN = (("apiregistration.k8s.io", "apiservices"), ("apiextensions.k8s.io", "customresourcedefinitions"))


class _DeletionError(Exception):
    """Objects could not be deleted; the text tells why."""


class Finalizer:
    """Finishes definitions that are marked for deletion.

    :param store_of: the store of a definition's objects.
    :param write_status: replaces a definition through its status endpoint, and gives it as it is then.
    """

    def __init__(self, store_of: Callable[[Definition], Awaitable[CustomResourceStore]],
                 write_status: Callable[[Obj], Awaitable[Obj]], clock: Clock) -> None:
        self._store_of = store_of
        self._write_status = write_status
        self._clock = clock

    async def finalize(self, crd: Obj) -> None:
        """Delete all objects, then take the finalizer off.

        :param crd: a copy that may be changed.
        :raises RetryAfter: while there are objects that their finalizers hold.
        :raises WorkFailed: when objects can't be deleted; the definition tells why.
        :raises StatusError: 409 when somebody else has changed the definition.
        """
        verdict = _NEVER
        if (crd["spec"]["group"], crd["spec"]["names"]["plural"]) in _BUILT_IN:
            verdict = _OVERLAPPING
        elif is_true(crd, ESTABLISHED):
            crd = await self._empty(crd)
            verdict = _COMPLETED
        set_condition(crd, verdict, self._clock.rfc3339())
        meta = crd["metadata"]
        meta["finalizers"] = [one for one in meta["finalizers"] if one != CLEANUP_FINALIZER]
        await self._write_status(crd)

    async def _empty(self, crd: Obj) -> Obj:
        """Delete all objects of a definition, which tells how that goes; gives it as it is then."""
        if not is_true(crd, TERMINATING):
            crd = await self._tell(crd, _IN_PROGRESS)
        try:
            left = await self._delete_objects(Definition(crd))
        except _DeletionError as error:
            await self._tell(crd, condition(TERMINATING, "True", "InstanceDeletionFailed", str(error)))
            raise WorkFailed(str(error)) from None
        if left:
            await self._tell(crd, _IN_PROGRESS)
            raise RetryAfter(_POLL)
        return crd

    async def _tell(self, crd: Obj, wanted: Obj) -> Obj:
        if equivalent(find(crd, TERMINATING), wanted):
            return crd
        set_condition(crd, wanted, self._clock.rfc3339())
        return await self._write_status(crd)

    async def _delete_objects(self, definition: Definition) -> int:
        """Delete what can be; how many objects are left.

        :raises _DeletionError: when some can't be.
        """
        try:
            store = await self._store_of(definition)
        except StatusError as error:
            raise _DeletionError(f"could not list instances: {error.message}") from None
        await store.cache.read_revision()
        items, _, _ = store.cache.select(Selection())
        for start in range(0, len(items), _BATCH):
            await self._delete_batch(store, items[start:start + _BATCH])
        return len(store.cache)

    async def _delete_batch(self, store: CustomResourceStore, items: Sequence[CachedObject]) -> None:
        work = [to_deferred(self._delete(store, item)) for item in items]
        outcomes = await gatherResults(work, consumeErrors=True)
        failures = list(dict.fromkeys(one for one in outcomes if one))
        if failures:
            told = failures[0] if len(failures) == 1 else f"[{', '.join(failures)}]"
            raise _DeletionError(f"could not issue all deletes: {told}")

    async def _delete(self, store: CustomResourceStore, item: CachedObject) -> str:
        """Delete an object; why it could not be, empty when it could."""
        write = Write(WriteContext(self._clock.rfc3339(), item.namespace))
        try:
            await store.delete(write, item.name, _accept)
        except StatusError as error:
            return "" if error.code == 404 else error.message
        return ""


async def _accept(_obj: Obj) -> None:
    """No admission: nobody may keep the objects of a definition that is gone."""
