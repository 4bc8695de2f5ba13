"""The log of etcd as it goes on."""

from __future__ import annotations

from typing import Any

from kube_twisted.storage.etcd.feed import COMPACT_KEY, Feed
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import (
    WATCH,
    Change,
    ChangeType,
    Header,
    KeyValue,
    RangeResponse,
    WatchRequest,
    WatchResponse,
)
from kube_twisted.storage.etcd.probe import INTERVAL, Probe
from kube_twisted.storage.etcd.schema import decode
from kube_twisted.storage.interfaces import Event, EventType
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from tests.storage.etcd.case import ClientCase
from tests.storage.etcd.member import Call

POD = "/registry/pods/"
CREATED, UPDATED, DELETED = EventType


def put(name: str, value: bytes, created: int, revision: int, previous: KeyValue | None = None) -> Change:
    return Change(ChangeType.PUT, KeyValue(f"{POD}{name}".encode(), created, revision, 1, value), previous)


class FeedTests(ClientCase):
    """A feed that begins at revision 5, where there is one pod, of revision 3."""

    def setUp(self) -> None:
        super().setUp()
        self.events: list[Event] = []
        self.batches = 0
        clock = Clock(self.time)
        self.feed = Feed(self.client, clock, Keys(), self.consume)
        started = to_deferred(self.feed.start())
        self.call().answer(RangeResponse(Header(revision=5), [KeyValue(b"/registry/pods/a", 3, 3)],  # type: ignore
                                         count=1))
        self.successResultOf(started)
        self.watch = self.follow(5)
        self.addCleanup(self.feed.stop)

    def consume(self, events: Any) -> None:
        self.events += events
        self.batches += 1

    def follow(self, revision: int) -> Call:
        """Let the feed find out where etcd is, and begin to watch."""
        self.answer_revision(revision)
        watch = self.call()
        self.assertEqual(watch.path, WATCH.path)
        watch.begin()
        return watch

    def send(self, *changes: Change) -> None:
        self.watch.send(WatchResponse(Header(revision=9), events=changes))

    def take(self) -> list[Event]:
        events, self.events = self.events, []
        return events

    def test_request(self) -> None:
        """It watches all keys, with the values before, from the last revision that it knows on."""
        create = decode(WatchRequest, self.watch.messages[0]).create_request
        assert create is not None
        self.assertEqual((create.key, create.range_end, create.start_revision, create.prev_kv), (b"\0", b"\0", 5, True))
        self.assertEqual(self.watch.headers["hasleader"], "true")

    def test_events(self) -> None:
        """Changes are events; all of one answer come together, and what was known before is left out."""
        old = KeyValue(b"/registry/pods/a", 3, 3, 1, b"1")
        self.send(put("x", b"known", 5, 5), put("b", b"b", 6, 6), put("a", b"2", 3, 7, old),
                  Change(ChangeType.DELETE, KeyValue(b"/registry/pods/b", mod_revision=8),
                         KeyValue(b"/registry/pods/b", 6, 6, 1, b"b")))
        self.assertEqual(self.take(), [
            Event(CREATED, POD + "b", b"b", 6, None, 0), Event(UPDATED, POD + "a", b"2", 7, b"1", 3),
            Event(DELETED, POD + "b", b"b", 8, b"b", 6)])
        self.assertEqual((self.feed.revision, self.batches), (8, 1))

    def test_values_lost(self) -> None:
        """When etcd has compacted the values before, the events still say what has happened, and since when."""
        self.send(put("a", b"2", 3, 7))
        self.send(Change(ChangeType.DELETE, KeyValue(b"/registry/pods/a", mod_revision=8)))
        self.assertEqual(self.take(), [Event(UPDATED, POD + "a", b"2", 7, b"", 3),
                                       Event(DELETED, POD + "a", b"", 8, b"", 7)])

    def test_reached(self) -> None:
        """Who waits for a revision is told once it is here, the events first."""
        waiting = self.feed.reached(7)
        waiting.addCallback(lambda _: len(self.events))
        self.send(put("b", b"", 6, 6))
        self.assertNoResult(waiting)
        self.send(put("c", b"", 8, 8))
        self.assertEqual(self.successResultOf(waiting), 2)

    def test_compaction(self) -> None:
        """What other servers compact is noted; it is no event, but brings the log on."""
        self.send(Change(ChangeType.PUT, KeyValue(COMPACT_KEY, 6, 6, 1, b"4")))
        self.assertEqual((self.feed.compacted, self.feed.revision, self.take()), (4, 6, []))

    def test_broken_off(self) -> None:
        """When the connection is lost, it goes on at another member, from where it was."""
        self.send(put("b", b"", 6, 6))
        self.dialer.member.end()
        self.assertEqual(self.feed.problem, "rpc error: code = Unavailable desc = error reading from server: EOF")
        self.time.advance(0.1)
        self.watch = self.follow(7)
        self.assertEqual((self.feed.problem, self.dialer.asked), (None, [1, 2]))
        create = decode(WatchRequest, self.watch.messages[0]).create_request
        self.assertEqual(create and create.start_revision, 6)
        self.send(put("b", b"", 6, 6), put("c", b"", 7, 7))
        self.assertEqual([event.revision for event in self.take()], [6, 7])

    def test_canceled(self) -> None:
        """When the member cancels the watch, for having no leader, another one is asked."""
        self.watch.send(WatchResponse(canceled=True, cancel_reason="etcdserver: no leader"))
        self.assertEqual(self.feed.problem, "etcdserver: no leader")
        self.time.advance(0.1)
        self.assertEqual(self.dialer.asked, [1, 2])

    def test_gone_back(self) -> None:
        """An etcd that is at an older revision than before is not followed."""
        self.dialer.member.end()
        self.time.advance(0.1)
        self.answer_revision(4)
        self.assertEqual((self.feed.is_astray, self.feed.problem),
                         (True, "etcd is at revision 4, and was at 5: restart the server"))

    # The probe.

    def probe(self) -> Probe:
        probe = Probe(self.client, Clock(self.time), Keys(), self.feed)
        probe.start()
        self.addCleanup(probe.stop)
        self.time.advance(INTERVAL)
        return probe

    def test_probe(self) -> None:
        """A probe finds etcd well when it answers and its changes come."""
        probe = self.probe()
        self.answer_revision(6)
        self.send(put("b", b"", 6, 6))
        self.assertIsNone(probe.problem)
        self.time.advance(INTERVAL)
        self.answer_revision(6)
        self.assertIsNone(probe.problem)
        self.assertEqual(self.dialer.asked, [1])

    def test_probe_no_answer(self) -> None:
        """When there is no answer in time, it says so, and the next member is tried."""
        probe = self.probe()
        self.time.advance(12)
        self.assertEqual(probe.problem, "context deadline exceeded")
        self.time.advance(0.1)
        self.assertEqual(self.dialer.asked, [1, 2])

    def test_probe_no_changes(self) -> None:
        """So it is when etcd answers, but its changes do not come."""
        probe = self.probe()
        self.answer_revision(6)
        self.time.advance(10)
        self.assertEqual(probe.problem, "context deadline exceeded")
        self.time.advance(0.1)
        self.assertEqual(self.dialer.asked, [1, 2])
