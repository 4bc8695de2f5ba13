"""The controllers of a cluster with several servers: they run in one of them at a time."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Protocol
from uuid import uuid4

from twisted.internet.defer import Deferred, DeferredList

from kube_twisted.config import Config
from kube_twisted.controlplane.controllers.election import LeaderElection
from kube_twisted.controlplane.controllers.runner import USER_AGENT, Controllers
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock


class IRunning(Protocol):
    """Controllers that can be started once, and stopped."""

    def start(self) -> None: ...

    def stop(self) -> Deferred[None]: ...


def cluster_controllers(config: Config, client: LoopbackClient, clock: Clock, root_ca: str) -> IRunning:
    """The controllers of a server: elected ones when the store may have other servers.

    :param root_ca: what pods must trust to trust the server, as PEM.
    """
    def make() -> Controllers:
        return Controllers(config.controllers, client, clock, root_ca)

    if config.storage.backend == "etcd" and config.controllers:
        return ElectedControllers(make, client, clock)
    return make()


class ElectedControllers:
    """Controllers that are made anew whenever this server is elected.

    :param make: makes them.
    """

    def __init__(self, make: Callable[[], IRunning], client: LoopbackClient, clock: Clock) -> None:
        self._make = make
        self._running: IRunning | None = None
        self._ending: list[Deferred[None]] = []
        self._election = LeaderElection(client.named(USER_AGENT), clock, f"{socket.gethostname()}_{uuid4()}",
                                        self._begin, self._end)

    def start(self) -> None:
        self._election.start()

    def stop(self) -> Deferred[None]:
        """Fires when the last of their work has ended, and another server may begin."""
        return Deferred.fromCoroutine(self._stop())

    async def _stop(self) -> None:
        await self._election.stop()
        await DeferredList(self._ending)

    def _begin(self) -> None:
        self._running = self._make()
        self._running.start()

    def _end(self) -> None:
        if self._running is not None:
            self._ending = [one for one in self._ending if not one.called]
            self._ending.append(self._running.stop())
            self._running = None
