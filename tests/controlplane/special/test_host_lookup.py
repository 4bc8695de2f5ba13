"""The addresses of host names."""

from __future__ import annotations

from typing import Any

from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from twisted.internet.testing import MemoryReactorClock
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer

from kube_twisted.controlplane.special.host_lookup import host_lookup


@implementer(IHostnameResolver)
class Addresses:
    """Knows some addresses of any host."""

    def __init__(self, *addresses: str) -> None:
        self.addresses = addresses

    def resolveHostName(self, resolutionReceiver: IResolutionReceiver, hostName: str, *options: Any) -> Any:
        for address in self.addresses:
            resolutionReceiver.addressResolved(IPv4Address("TCP", address, 0))
        resolutionReceiver.resolutionComplete()


class HostLookupTests(SynchronousTestCase):
    def lookup(self, *addresses: str) -> Deferred[list[str]]:
        reactor = MemoryReactorClock()
        reactor.installNameResolver(Addresses(*addresses))
        return Deferred.fromCoroutine(host_lookup(reactor)("node-1"))

    def test_addresses(self) -> None:
        """All that the resolver finds."""
        self.assertEqual(self.successResultOf(self.lookup("10.0.0.1", "10.0.0.2")), ["10.0.0.1", "10.0.0.2"])

    def test_unknown(self) -> None:
        """A host without addresses is an error that names it."""
        error = self.failureResultOf(self.lookup(), LookupError).value
        self.assertEqual(str(error), "lookup node-1: no such host")
