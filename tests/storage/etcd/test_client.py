"""Calls to an etcd cluster whose members come and go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.config.etcd import Endpoint
from kube_twisted.storage.etcd.client import TIMEOUT, EtcdClient
from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.errors import RPCError, not_connected
from kube_twisted.storage.etcd.feed import Feed
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.leases import MOST_KEYS, Leases
from kube_twisted.storage.etcd.messages import (
    COMPACT,
    RANGE,
    CompactionRequest,
    CompactionResponse,
    Header,
    LeaseGrantRequest,
    LeaseGrantResponse,
    RangeRequest,
    RangeResponse,
)
from kube_twisted.storage.etcd.read_revision import ReadRevisions
from kube_twisted.storage.etcd.schema import decode
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.storage.etcd.member import Call, Member

ENDPOINTS = [Endpoint("etcd", number) for number in (1, 2, 3)]


class FakeDialer:
    """Connects to members in memory.

    :ivar down: the ports that refuse.
    :ivar asked: the ports that were tried.
    """

    def __init__(self, time: FakeTime) -> None:
        self.time = time
        self.down: set[int] = set()
        self.asked: list[int] = []
        self.members: list[Member] = []
        self.waiting: Deferred[None] | None = None

    async def connect(self, endpoint: Endpoint, lost: Callable[[Connection, str], None]) -> Connection:
        self.asked.append(endpoint.port)
        if self.waiting is not None:
            await self.waiting
        if endpoint.port in self.down:
            raise not_connected(f"{endpoint} is down")
        member = Member(self.time)
        member.connection._lost = lost
        member.greet()
        self.members.append(member)
        return member.connection

    @property
    def member(self) -> Member:
        return self.members[-1]


class ClientCase(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.dialer = FakeDialer(self.time)
        self.client = EtcdClient(self.dialer, ENDPOINTS, Clock(self.time))  # type: ignore[arg-type]

    def read(self) -> Deferred[RangeResponse]:
        return to_deferred(self.client.call(RANGE, RangeRequest(b"k"), again=True))

    def write(self) -> Deferred[CompactionResponse]:
        return to_deferred(self.client.call(COMPACT, CompactionRequest(5)))

    def call(self) -> Call:
        """The last call of the member that is connected."""
        self.dialer.member.pump()
        return self.dialer.member.calls[-1]

    def error(self, work: Deferred[Any]) -> str:
        return str(self.failureResultOf(work, RPCError).value)


class ClientTests(ClientCase):
    def test_call(self) -> None:
        """A call is made over the first connection there is, which is kept."""
        first, second = self.read(), self.read()
        self.dialer.member.pump()
        for call in self.dialer.member.calls:
            self.assertEqual(call.messages, [b"\x0a\x01k"])
            call.answer(RangeResponse(count=7))
        self.assertEqual([self.successResultOf(one).count for one in (first, second)], [7, 7])
        self.assertEqual(self.dialer.asked, [1])
        self.assertEqual(len(self.time.getDelayedCalls()), 1, "only the connection's timer is left")

    def test_next_member(self) -> None:
        """A member that can't be reached is passed over."""
        self.dialer.down = {1, 2}
        self.read()
        self.assertEqual((self.dialer.asked, self.call().path), ([1, 2, 3], RANGE.path))

    def test_all_down(self) -> None:
        """When none can be reached, the error is the first one's; for a moment nobody tries again."""
        self.dialer.down = {1, 2, 3}
        for _ in range(2):
            self.assertIn("etcd:1 is down", self.error(self.read()))
        self.assertEqual(self.dialer.asked, [1, 2, 3])
        self.time.advance(0.2)
        self.dialer.down = set()
        self.read()
        self.assertEqual(self.dialer.asked, [1, 2, 3, 1])

    def test_wait_for_connection(self) -> None:
        """All who come while a connection is made wait for it, and share what comes of it."""
        for down in (set(), {1, 2, 3}):
            self.setUp()
            self.dialer.down, self.dialer.waiting = down, Deferred()
            calls = [self.read() for _ in range(3)]
            calls[1].addErrback(lambda _: None).cancel()
            self.dialer.waiting.callback(None)
            self.assertEqual(self.dialer.asked, [1, 2, 3] if down else [1])
            if down:
                for index in (0, 2):
                    self.assertIn("etcd:1 is down", self.error(calls[index]))
            else:
                self.dialer.member.pump()
                self.assertEqual(len(self.dialer.member.calls), 2)

    def test_lost_in_read(self) -> None:
        """A read whose connection is lost is asked again of the next member."""
        work = self.read()
        self.call()
        self.dialer.member.end()
        self.time.advance(0.1)
        self.assertEqual(self.dialer.asked, [1, 2])
        self.call().answer(RangeResponse(count=2))
        self.assertEqual(self.successResultOf(work).count, 2)

    def test_lost_in_write(self) -> None:
        """A write is not done twice: nobody knows whether it was done."""
        work = self.write()
        self.call()
        self.dialer.member.end()
        self.assertEqual(self.error(work), "rpc error: code = Unavailable desc = error reading from server: EOF")
        self.assertEqual(self.dialer.asked, [1])

    def test_election(self) -> None:
        """While the members elect a leader, reads are asked again; writes fail in etcd's words."""
        write = self.write()
        self.call().refuse(14, "etcdserver: leader changed")
        self.assertEqual(self.error(write), "etcdserver: leader changed")
        read = self.read()
        for _ in range(10):
            self.call().refuse(14, "etcdserver: leader changed")
            self.time.advance(0.05)
        self.call().answer(RangeResponse(count=1))
        self.assertEqual(self.successResultOf(read).count, 1)
        self.assertEqual(self.dialer.asked, [1])

    def test_no_leader(self) -> None:
        """A member that is cut off from the others is left for one of them."""
        read = self.read()
        self.call().refuse(14, "etcdserver: no leader")
        self.time.advance(0.05)
        self.assertEqual(self.dialer.asked, [1, 2])
        self.call().answer(RangeResponse(count=1))
        self.assertEqual(self.successResultOf(read).count, 1)

    def test_deadline(self) -> None:
        """An answer that takes too long is not waited for."""
        work = self.read()
        self.call()
        self.time.advance(TIMEOUT)
        self.assertEqual(self.error(work), "context deadline exceeded")
        self.assertTrue(self.call().is_reset)

    def test_cancelled(self) -> None:
        """A call that nobody waits for any more is given up."""
        work = self.read()
        self.call()
        work.addErrback(lambda _: None).cancel()
        self.assertTrue(self.call().is_reset)

    def test_stop(self) -> None:
        """After the end there is no connection, and no other one is made."""
        self.read().addErrback(lambda _: None)
        self.call()
        self.successResultOf(self.client.stop())
        self.time.advance(1)
        self.assertIn("the client connection is closing", self.error(self.read()))
        self.assertEqual((self.dialer.asked, self.time.getDelayedCalls()), ([1], []))


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


class ReadRevisionTests(ClientCase):
    """Consistent reads."""

    def setUp(self) -> None:
        super().setUp()
        self.feed = Feed(self.client, Clock(self.time), Keys(), lambda _: None)
        self.feed.revision = 5
        self.reads = ReadRevisions(self.client, Keys(), self.feed)

    def answer(self, revision: int) -> None:
        self.call().answer(RangeResponse(Header(revision=revision)))

    def test_shared(self) -> None:
        """Who asks while a question is under way waits for the next one, together with others."""
        first, second, third = (self.reads.ask() for _ in range(3))
        self.answer(5)
        self.assertEqual(self.successResultOf(first), 5)
        self.assertNoResult(second)
        self.answer(5)
        self.assertEqual([self.successResultOf(one) for one in (second, third)], [5, 5])
        self.assertEqual(len(self.dialer.member.calls), 2)

    def test_behind(self) -> None:
        """When the log has not come so far, it is waited for, but not for ever."""
        first = self.reads.ask()
        self.answer(7)
        self.assertNoResult(first)
        self.feed._deliver([], 8)
        self.assertEqual(self.successResultOf(first), 8)
        second = self.reads.ask()
        self.answer(9)
        self.time.advance(10)
        self.assertEqual(self.error(second), "context deadline exceeded")

    def test_failure(self) -> None:
        """An error is told to all who shared the question."""
        first = self.reads.ask()
        self.call().refuse(7, "etcdserver: permission denied")
        second = self.reads.ask()
        self.assertEqual(self.error(first), "etcdserver: permission denied")
        self.answer(5)
        self.assertEqual(self.successResultOf(second), 5)
