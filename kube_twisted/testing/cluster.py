"""A whole server in the process of a test: no sockets, objects in memory, and time that stands still until told."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Mapping
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.internet.testing import MemoryReactorClock
from twisted.python.failure import Failure

from kube_twisted.config import load_config
from kube_twisted.controlplane.completed import complete
from kube_twisted.controlplane.server import KapiServer
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

T = TypeVar("T")

#: 2026-01-01T00:00:00Z
START = 1767225600.0
_STEP = 0.01


class _SocketlessServer(KapiServer):
    def _listen(self) -> None:
        self.url = "https://127.0.0.1:6443"


class InProcessCluster:
    """A server that is asked through its handler chain, over no connection.

    No controllers run unless ``overrides`` says so.

    :param overrides: settings by dotted key, as in the configuration file: ``{"controllers": ["namespace"]}``.
    :param directory: where keys are kept, to be shared by clusters that need not make their own;
        a temporary one, removed at the end, by default.
    :param objects: what is there at the start, as :meth:`objects` gives it; nothing by default.
    :ivar clock: all timers of the server; ``clock.advance(1)`` lets a second pass.
    :ivar client: speaks to the server as an administrator.
    """

    def __init__(self, overrides: Mapping[str, Any] | None = None, directory: Path | None = None,
                 objects: MemoryStore | None = None) -> None:
        self._own_directory = directory is None
        self.directory = directory or Path(tempfile.mkdtemp(prefix="kube-twisted-"))
        self.reactor = MemoryReactorClock()
        self.clock: FakeReactor = self.reactor
        self.clock.advance(START)
        settings: dict[str, Any] = {
            "dataDirectory": str(self.directory), "storage.backend": "memory", "controllers": [],
            "server.bindAddress": "127.0.0.1", **(overrides or {})}
        self._store = objects.fork(Clock(self.reactor)) if objects is not None else MemoryStore(Clock(self.reactor))
        completed = complete(load_config(None, settings), self.reactor, self._store)
        self.server = _SocketlessServer(completed, self.reactor)
        self.client = self.server.client.named("test")

    def start(self) -> None:
        """Start, until the server is ready."""
        self.result(self.server.start())

    def objects(self) -> MemoryStore:
        """All objects, with their past, as they are now; any number of clusters may begin with them.

        Such a cluster starts in half the time, since what a server writes at its first start is there already.
        """
        return self._store.fork()

    def stop(self) -> None:
        """Stop, and remove what is left on disk."""
        try:
            self.result(self.server.stop())
        finally:
            if self._own_directory:
                rmtree(self.directory, ignore_errors=True)

    def result(self, work: Awaitable[T], patience: float = 10.0) -> T:
        """The result of ``work``, for which up to so many seconds of the cluster's time pass.

        :raises AssertionError: when it takes longer.
        """
        results: list[Any] = []
        waiting: Deferred[T] = to_deferred(work)
        waiting.addBoth(results.append)
        end = self.clock.seconds() + patience
        while not results and self.clock.seconds() < end:
            self.clock.advance(_STEP)
        if not results:
            raise AssertionError(f"no result after {patience} s: {work!r}")
        if isinstance(results[0], Failure):
            results[0].raiseException()
        outcome: T = results[0]
        return outcome

    def run(self, seconds: float = 1.0) -> None:
        """Let time pass, in steps small enough for one thing to lead to the next."""
        end = self.clock.seconds() + seconds
        while self.clock.seconds() < end:
            self.clock.advance(_STEP)

    def ask(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> dict[str, Any]:
        """Send a request and give its answer.

        :raises StatusError: for an answer of 400 or more.
        """
        return self.result(self.client.call(method, path, body, content_type))
