"""Leases, under which keys are written that live for some time."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from kube_twisted.storage.etcd.leases import MOST_KEYS, Leases
from kube_twisted.storage.etcd.messages import LeaseGrantRequest, LeaseGrantResponse
from kube_twisted.storage.etcd.schema import decode
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.storage.etcd.case import ClientCase


class LeaseTests(ClientCase):
    """Leases are shared by keys of about the same time."""

    def setUp(self) -> None:
        super().setUp()
        self.leases = Leases(self.client, Clock(self.time))

    def obtain(self, ttl: int) -> Deferred[int]:
        return to_deferred(self.leases.obtain(ttl))

    def grant(self, number: int) -> int:
        """Grant the lease that was asked for; its length."""
        call = self.call()
        call.answer(LeaseGrantResponse(id=number))
        return decode(LeaseGrantRequest, call.messages[0]).ttl

    def test_shared(self) -> None:
        """Those who ask at once, and a minute long, share one; it lasts longer by that."""
        waiting = [self.obtain(3600) for _ in range(3)]
        self.assertEqual(self.grant(9), 3660)
        self.time.advance(60)
        self.assertEqual([self.successResultOf(one) for one in [*waiting, self.obtain(3600)]], [9] * 4)
        self.time.advance(1)
        late = self.obtain(3600)
        self.grant(10)
        self.assertEqual(self.successResultOf(late), 10)

    def test_short(self) -> None:
        """A short time is not shared with others later."""
        for number in (1, 2):
            one = self.obtain(15)
            self.assertEqual(self.grant(number), 15)
            self.assertEqual(self.successResultOf(one), number)
            self.time.advance(0.1)

    def test_most_keys(self) -> None:
        """A lease does not have any number of keys: etcd would delete them all at once."""
        first = self.obtain(3600)
        self.grant(1)
        self.successResultOf(first)
        for _ in range(MOST_KEYS - 1):
            self.assertEqual(self.successResultOf(self.obtain(3600)), 1)
        self.assertNoResult(self.obtain(3600))

    def test_refused(self) -> None:
        """When none is granted, all who wait fail; the next one asks anew."""
        waiting = [self.obtain(60), self.obtain(60)]
        self.call().refuse(14, "etcdserver: request timed out")
        self.assertEqual([self.error(one) for one in waiting], ["etcdserver: request timed out"] * 2)
        self.obtain(60)
        self.grant(1)
