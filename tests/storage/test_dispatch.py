"""Events find the subscriptions whose prefix they fall under."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.dispatch import Dispatcher
from kube_twisted.storage.interfaces import Event, EventType


def event(key: str, revision: int = 2) -> Event:
    return Event(EventType.CREATED, key, b"", revision, None, 0)


class DispatcherTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.dispatcher = Dispatcher()
        self.seen: list[Event] = []

    def test_key_shorter_than_prefixes(self) -> None:
        """A key that is shorter than other prefixes is delivered once to the one that it has."""
        for prefix in ("/a", "/a/b", "/a/b/c"):
            self.dispatcher.subscribe(prefix, 1, self.seen.extend).release()
        self.dispatcher.dispatch([event("/a")])
        self.assertEqual([one.key for one in self.seen], ["/a"])

    def test_held(self) -> None:
        """Until the release live events wait, so that past ones go first."""
        subscription = self.dispatcher.subscribe("/", 5, self.seen.extend)
        self.dispatcher.dispatch([event("/a", 6)])
        subscription.deliver([event("/a", 4), event("/a", 5)])
        self.dispatcher.dispatch([event("/a", 7)])
        subscription.release()
        self.dispatcher.dispatch([event("/a", 8)])
        self.assertEqual([one.revision for one in self.seen], [4, 5, 6, 7, 8])

    def test_held_and_stopped(self) -> None:
        """What was held for a subscription that has been stopped is never delivered."""
        subscription = self.dispatcher.subscribe("/", 1, self.seen.extend)
        self.dispatcher.dispatch([event("/a")])
        subscription.stop()
        subscription.release()
        self.assertTrue(subscription.stopped)
        self.assertEqual(self.seen, [])

    def test_known_revisions(self) -> None:
        """Events up to the revision that a subscription begins after are not for it."""
        self.dispatcher.subscribe("/", 3, self.seen.extend).release()
        self.dispatcher.dispatch([event("/a", 2), event("/a", 3), event("/a", 4)])
        self.assertEqual([one.revision for one in self.seen], [4])

    def test_stopped_by_a_neighbour(self) -> None:
        """A consumer may stop other subscriptions: they get nothing more of the events under way."""
        first = self.dispatcher.subscribe("/", 1, lambda events: second.stop())
        second = self.dispatcher.subscribe("/", 1, self.seen.extend)
        first.release()
        second.release()
        self.dispatcher.dispatch([event("/a")])
        self.assertEqual(self.seen, [])

    def test_stop_all(self) -> None:
        """A store that ends ends all subscriptions."""
        subscriptions = [self.dispatcher.subscribe(prefix, 1, self.seen.extend)
                         for prefix in ("/", "/", "/a")]
        for subscription in subscriptions:
            subscription.release()
        self.dispatcher.stop()
        self.dispatcher.dispatch([event("/a")])
        self.assertEqual(([one.stopped for one in subscriptions], self.seen), ([True] * 3, []))
