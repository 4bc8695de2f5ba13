"""A test case that has stores over a real etcd."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from twisted.internet import reactor
from twisted.trial.unittest import TestCase

from kube_twisted.config.etcd import Endpoint, EtcdSettings
from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.endpoints import Dialer
from kube_twisted.storage.etcd.errors import not_connected
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.store import EtcdStore
from kube_twisted.util.clock import Clock
from tests.etcd import MISSING, Etcd, find_etcd

PODS = "/registry/pods/"


class Gate(Dialer):
    """A way to etcd that can be closed."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.is_open = True

    async def connect(self, endpoint: Endpoint, lost: Callable[[Connection, str], None]) -> Connection:
        if not self.is_open:
            raise not_connected("the gate is closed")
        return await super().connect(endpoint, lost)


class EtcdStoreCase(TestCase):
    """Makes members and stores, and ends them."""

    skip = None if find_etcd() else MISSING
    timeout = 60

    def setUp(self) -> None:
        self.clock = Clock(reactor)  # type: ignore[arg-type]
        self.members: list[Etcd] = []

    def member(self, *arguments: Any, **options: Any) -> Etcd:
        made = Etcd(Path(self.mktemp()), *arguments, **options)
        self.addCleanup(made.remove)
        self.members.append(made)
        return made

    def store(self, settings: EtcdSettings | None = None) -> EtcdStore:
        """A store over all members, not started."""
        if settings is None:
            settings = EtcdSettings(tuple(Endpoint("127.0.0.1", one.client_port) for one in self.members))
        self.gate = Gate(reactor, self.clock, settings)
        self.client = EtcdClient(self.gate, settings.endpoints, self.clock)
        store = EtcdStore(self.client, Keys(settings.prefix), self.clock)
        self.addCleanup(store.stop)
        return store

    async def started(self, settings: EtcdSettings | None = None) -> EtcdStore:
        store = self.store(settings)
        await store.start()
        return store

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self.clock.sleep(0.01)
