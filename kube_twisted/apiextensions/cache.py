"""The watch cache of a custom resource: its objects may be stored in several versions, and under older schemas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import orjson

from kube_twisted.storage.cached import CachedObject, Encoding
from kube_twisted.storage.interfaces import Entry, IStore
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.util.clock import Clock

#: Brings a stored object, in the version that it says, to what its schema is now; raises ValueError.
Renew = Callable[[dict[str, Any]], None]
#: How many objects are read at once.
_PORTION = 100


class CustomResourceCache(WatchCache):
    """Objects of one custom resource; each keeps the version that it is stored in.

    What was stored before the definition was last changed is pruned and defaulted anew when it is read.

    :param encoding: of the storage version.
    """

    def __init__(self, store: IStore, prefix: str, namespaced: bool, encoding: Encoding, renew: Renew,
                 clock: Clock) -> None:
        super().__init__(store, prefix, namespaced, encoding)
        self._renew = renew
        self._clock = clock
        self._encodings = {encoding.api_version: encoding}

    async def _fill(self, entries: Sequence[Entry]) -> None:
        """Some at a time, so that many objects do not keep other requests waiting."""
        for start in range(0, len(entries), _PORTION):
            if start:
                await self._clock.sleep(0)
            await super()._fill(entries[start:start + _PORTION])

    def encoding_of(self, value: bytes) -> Encoding:
        """That of the version which the value says it is of."""
        if value.startswith(self.encoding.head):
            return self.encoding
        stored: dict[str, Any] = orjson.loads(value)
        return self.encoding_for(str(stored.get("apiVersion", "")))

    def encoding_for(self, api_version: str) -> Encoding:
        """The layout of objects of another version of the kind."""
        found = self._encodings.get(api_version)
        if found is None:
            found = self._encodings[api_version] = Encoding(self.encoding.kind, api_version)
        return found

    def make(self, key: str, value: bytes, revision: int) -> CachedObject:
        made = super().make(key, value, revision)
        made.outdated = made.encoding is not self.encoding
        return made

    def read_back(self, key: str, value: bytes, revision: int) -> CachedObject:
        obj: dict[str, Any] = orjson.loads(value)
        self._renew(obj)
        renewed = self.encoding_for(obj["apiVersion"]).encode(obj)
        made = self.make(key, renewed, revision)
        made.outdated |= renewed != value
        return made
