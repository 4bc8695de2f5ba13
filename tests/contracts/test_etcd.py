"""What every store does, over a real etcd: a fresh one for each test, since revisions are counted from its first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from twisted.internet import reactor
from twisted.trial.unittest import TestCase
from zope.interface.verify import verifyObject

from kube_twisted.config.etcd import Endpoint, EtcdSettings
from kube_twisted.storage.etcd.opening import open_etcd
from kube_twisted.storage.etcd.store import MAX_OPERATIONS, EtcdStore
from kube_twisted.storage.interfaces import IStore
from kube_twisted.util.clock import Clock
from tests.contracts.test_store import StoreContract
from tests.etcd import MISSING, Etcd, find_etcd


class EtcdStoreTests(StoreContract, TestCase):
    """The etcd backend."""

    most_operations = MAX_OPERATIONS
    skip = None if find_etcd() else MISSING

    async def setUp(self) -> None:
        self.etcd = Etcd(Path(self.mktemp()))
        self.etcd.start()
        self.addCleanup(self.etcd.remove)
        await super().setUp()

    def make_store(self) -> Any:
        return self.reopen()

    def reopen(self) -> EtcdStore:
        settings = EtcdSettings((Endpoint("127.0.0.1", self.etcd.client_port),))
        return open_etcd(settings, 0, reactor, Clock(self.time)).store

    def test_interface(self) -> None:
        """It provides what it promises."""
        self.assertTrue(verifyObject(IStore, self.store))
