"""Goes through all objects of a store without holding up requests."""

from __future__ import annotations

from collections.abc import AsyncIterator

from kube_twisted.registry.store import Store
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.selection import Selection
from kube_twisted.util.clock import Clock

#: After how many objects the reactor has its turn.
_STRIDE = 200


async def all_objects(store: Store, clock: Clock) -> AsyncIterator[CachedObject]:
    """The objects that are there now, each as it is when its turn comes; those that go meanwhile are left out."""
    items, _, _ = store.cache.select(Selection())
    for number, item in enumerate(list(items), 1):
        current = store.cache.get(item.key)
        if current is not None:
            yield current
        if number % _STRIDE == 0:
            await clock.sleep(0)
