"""An etcd store from its settings, and whether it could be opened now."""

from __future__ import annotations

import socket
from typing import Any

from attrs import frozen

from kube_twisted.config.etcd import EtcdSettings
from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.compactor import EtcdCompactor
from kube_twisted.storage.etcd.endpoints import Credentials, Dialer
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.store import EtcdStore
from kube_twisted.storage.interfaces import StoreUnusable
from kube_twisted.util.clock import Clock

#: Seconds for a member to take a connection.
_PATIENCE = 5.0


@frozen
class OpenedEtcd:
    """A store, not started, and what compacts it."""

    store: EtcdStore
    compactor: EtcdCompactor


def open_etcd(settings: EtcdSettings, compaction_interval: float, reactor: Any, clock: Clock) -> OpenedEtcd:
    client = EtcdClient(Dialer(reactor, clock, settings), settings.endpoints, clock)
    return OpenedEtcd(EtcdStore(client, Keys(settings.prefix), clock),
                      EtcdCompactor(client, clock, compaction_interval))


def verify_etcd(settings: EtcdSettings) -> None:
    """Find out whether any member takes a connection; nothing stays open.

    :raises StoreUnusable: when none does, or a file of the settings can't be used.
    """
    Credentials.read(settings)
    first: StoreUnusable | None = None
    for endpoint in settings.endpoints:
        try:
            socket.create_connection((endpoint.host, endpoint.port), _PATIENCE).close()
        except OSError as error:
            why = error.strerror or str(error)
            first = first or StoreUnusable(f"cannot connect to etcd at {endpoint}: {why}")
        else:
            return
    assert first is not None, "there is an endpoint"
    raise first
