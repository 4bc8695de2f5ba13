"""The store that the configuration asks for, with the loops that keep it small."""

from __future__ import annotations

from typing import Any

from kube_twisted.config import Config
from kube_twisted.storage.compaction import Compactor, ICompactable
from kube_twisted.storage.expiry import ExpiryLoop
from kube_twisted.storage.measured import MeasuredStore
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock


class Backend:
    """A store, its compaction and its expiry."""

    def __init__(self, inner: Any, clock: Clock, compaction_interval: float, history_limit: int) -> None:
        self.store = store = MeasuredStore(inner, clock)
        self._compactor = Compactor(store, clock, compaction_interval, history_limit)
        self._expiry = ExpiryLoop(store, clock)
        self._running = False

    async def start(self) -> None:
        """:raises StoreUnusable: when the store can't be opened."""
        await self.store.start()
        self._running = True
        self._compactor.start()
        self._expiry.start()

    async def stop(self) -> None:
        if self._running:
            self._running = False
            self._compactor.stop()
            self._expiry.stop()
            await self.store.stop()

    def problem(self) -> str | None:
        """What the health check says."""
        return None if self._running else "the store is not open"


def verify_backend(config: Config) -> None:
    """Find out in a moment whether the store could be opened now; nothing stays open.

    :raises StoreUnusable: when it is in use elsewhere, or can't be read.
    """
    if config.storage.backend != "memory":
        from kube_twisted.storage.sqlite_file import StoreFile

        StoreFile(str(config.database_file)).verify()


def open_backend(config: Config, reactor: Any, clock: Clock) -> Backend:
    """A backend, not started."""
    settings = config.storage
    store: ICompactable
    if settings.backend == "memory":
        store = MemoryStore(clock)
    else:
        from kube_twisted.storage.sqlite import SqliteStore

        store = SqliteStore(str(config.database_file), reactor, clock)
    return Backend(store, clock, settings.compaction_interval, settings.history_limit)

