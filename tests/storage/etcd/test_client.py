"""Calls to an etcd cluster whose members come and go."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from kube_twisted.storage.etcd.client import TIMEOUT
from kube_twisted.storage.etcd.messages import RANGE, RangeResponse
from tests.storage.etcd.case import ClientCase


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
