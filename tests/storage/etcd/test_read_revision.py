"""Consistent reads."""

from __future__ import annotations

from kube_twisted.storage.etcd.feed import Feed
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.read_revision import ReadRevisions
from kube_twisted.util.clock import Clock
from tests.storage.etcd.case import ClientCase


class ReadRevisionTests(ClientCase):
    """Consistent reads."""

    def setUp(self) -> None:
        super().setUp()
        self.feed = Feed(self.client, Clock(self.time), Keys(), lambda _: None)
        self.feed.revision = 5
        self.reads = ReadRevisions(self.client, Keys(), self.feed)

    def test_shared(self) -> None:
        """Who asks while a question is under way waits for the next one, together with others."""
        first, second, third = (self.reads.ask() for _ in range(3))
        self.answer_revision(5)
        self.assertEqual(self.successResultOf(first), 5)
        self.assertNoResult(second)
        self.answer_revision(5)
        self.assertEqual([self.successResultOf(one) for one in (second, third)], [5, 5])
        self.assertEqual(len(self.dialer.member.calls), 2)

    def test_behind(self) -> None:
        """When the log has not come so far, it is waited for, but not for ever."""
        first = self.reads.ask()
        self.answer_revision(7)
        self.assertNoResult(first)
        self.feed._deliver([], 8)
        self.assertEqual(self.successResultOf(first), 8)
        second = self.reads.ask()
        self.answer_revision(9)
        self.time.advance(10)
        self.assertEqual(self.error(second), "context deadline exceeded")

    def test_failure(self) -> None:
        """An error is told to all who shared the question."""
        first = self.reads.ask()
        self.call().refuse(7, "etcdserver: permission denied")
        second = self.reads.ask()
        self.assertEqual(self.error(first), "etcdserver: permission denied")
        self.answer_revision(5)
        self.assertEqual(self.successResultOf(second), 5)
