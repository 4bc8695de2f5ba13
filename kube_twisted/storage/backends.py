"""The store that the configuration asks for, with the loops that keep it small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kube_twisted.config import Config
from kube_twisted.storage.compaction import Compactor, ICompactable
from kube_twisted.storage.expiry import ExpiryLoop
from kube_twisted.storage.measured import MeasuredStore
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock


class Loop(Protocol):
    """Work in rounds."""

    def start(self) -> None: ...

    def stop(self) -> None: ...


def _no_problem() -> str | None:
    return None


class Backend:
    """A store, and what runs with it.

    :param problem: says why the store is of no use at present, None when it is.
    """

    def __init__(self, store: MeasuredStore, loops: Sequence[Loop], problem: Callable[[], str | None] = _no_problem
                 ) -> None:
        self.store = store
        self._loops = loops
        self._problem = problem
        self._running = False

    async def start(self) -> None:
        """:raises StoreUnusable: when the store can't be opened."""
        await self.store.start()
        self._running = True
        for loop in self._loops:
            loop.start()

    async def stop(self) -> None:
        if self._running:
            self._running = False
            for loop in self._loops:
                loop.stop()
            await self.store.stop()

    def problem(self) -> str | None:
        """What the health check says."""
        return self._problem() if self._running else "the store is not open"


def verify_backend(config: Config) -> None:
    """Find out in a moment whether the store could be opened now; nothing stays open.

    :raises StoreUnusable: when it is in use elsewhere, or can't be read.
    """
    if config.storage.backend == "etcd":
        from kube_twisted.storage.etcd.opening import verify_etcd

        verify_etcd(config.storage.etcd)
    elif config.storage.backend == "sqlite":
        from kube_twisted.storage.sqlite_file import StoreFile

        StoreFile(str(config.database_file)).verify()


def open_backend(config: Config, reactor: Any, clock: Clock) -> Backend:
    """A backend, not started."""
    settings = config.storage
    if settings.backend == "etcd":
        from kube_twisted.storage.etcd.opening import open_etcd

        opened = open_etcd(settings.etcd, settings.compaction_interval, reactor, clock)
        return Backend(MeasuredStore(opened.store, clock), [opened.compactor], opened.store.problem)
    if settings.backend == "memory":
        return local_backend(config, MemoryStore(clock), clock)
    from kube_twisted.storage.sqlite import SqliteStore

    return local_backend(config, SqliteStore(str(config.database_file), reactor, clock), clock)


def local_backend(config: Config, inner: ICompactable, clock: Clock) -> Backend:
    """A backend, not started, over a store of this process."""
    settings = config.storage
    store = MeasuredStore(inner, clock)
    return Backend(store, [Compactor(store, clock, settings.compaction_interval, settings.history_limit),
                           ExpiryLoop(store, clock)])
