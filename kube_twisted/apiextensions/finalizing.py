"""Deletes the objects of a definition that is deleted, and then lets the definition go.

Source of the rules: the Kubernetes documentation, "Delete a CustomResourceDefinition".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from kube_twisted.api.errors import StatusError
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.store import CustomResourceStore
from kube_twisted.registry.apiextensions.conditions import (
    CLEANUP_FINALIZER,
    ESTABLISHED,
    TERMINATING,
    condition,
    is_true,
    set_condition,
)
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.write import Write
from kube_twisted.server.queue import RetryAfter
from kube_twisted.storage.selection import Selection
from kube_twisted.util.clock import Clock

#: Seconds between two looks at whether all objects are gone.
_POLL = 0.5
_IN_PROGRESS = condition(TERMINATING, "True", "InstanceDeletionInProgress", "CustomResource deletion is in progress")
_COMPLETED = condition(TERMINATING, "False", "InstanceDeletionCompleted", "removed all instances")
_NEVER = condition(TERMINATING, "False", "NeverEstablished", "resource was never established")


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
        :raises StatusError: 409 when somebody else has changed the definition.
        """
        if is_true(crd, ESTABLISHED):
            crd = await self._mark(crd)
            await self._delete_objects(Definition(crd))
            self._finish(crd, _COMPLETED)
        else:
            self._finish(crd, _NEVER)
        await self._write_status(crd)

    async def _mark(self, crd: Obj) -> Obj:
        before = [dict(one) for one in crd["status"].get("conditions") or ()]
        set_condition(crd, _IN_PROGRESS, self._clock.rfc3339())
        return crd if crd["status"]["conditions"] == before else await self._write_status(crd)

    async def _delete_objects(self, definition: Definition) -> None:
        store = await self._store_of(definition)
        await store.cache.read_revision()
        items, _, _ = store.cache.select(Selection())
        for item in items:
            write = Write(WriteContext(self._clock.rfc3339(), item.namespace))
            try:
                await store.delete(write, item.name, _accept)
            except StatusError as error:
                if error.code != 404:
                    raise
        if len(store.cache):
            raise RetryAfter(_POLL)

    def _finish(self, crd: Obj, verdict: Obj) -> None:
        set_condition(crd, verdict, self._clock.rfc3339())
        meta = crd["metadata"]
        meta["finalizers"] = [one for one in meta["finalizers"] if one != CLEANUP_FINALIZER]


async def _accept(_obj: Obj) -> None:
    """No admission: nobody may keep the objects of a definition that is gone."""
