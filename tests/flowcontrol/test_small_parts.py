"""Hands of queues, seats of lists, the time to come again, and the condition of schemas."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.flowcontrol.dangling import changed_condition
from kube_twisted.flowcontrol.dropped import RetryAfter
from kube_twisted.flowcontrol.shuffle import deal, flow_hash
from kube_twisted.flowcontrol.work import Stored, list_seats, watch_begins_with_list
from tests.flowcontrol.objects import schema, user


class ShuffleTests(SynchronousTestCase):
    def test_hands(self) -> None:
        """A hand has different queues, always the same for a flow, and others for most other flows."""
        hands = {name: deal(flow_hash("s", name), 64, 6) for name in map(str, range(100))}
        for name, hand in hands.items():
            self.assertEqual(len(set(hand)), 6)
            self.assertTrue(all(0 <= card < 64 for card in hand))
            self.assertEqual(deal(flow_hash("s", name), 64, 6), hand)
        self.assertGreater(len(set(hands.values())), 95)

    def test_whole_deck(self) -> None:
        """A hand as large as the deck has all of it."""
        self.assertEqual(sorted(deal(12345, 4, 4)), [0, 1, 2, 3])


class ListSeatsTests(SynchronousTestCase):
    def _seats(self, count: int, size: float = 1000.0, most: int = 0, single: bool = False, **query: str) -> int:
        return list_seats(Stored(count, size), {key: [value] for key, value in query.items()}, single=single, most=most)

    def test_by_size(self) -> None:
        """A seat for each 100 kB that the list has, up to ten."""
        self.assertEqual([self._seats(count) for count in (0, 1, 100, 101, 250, 100_000)], [1, 1, 1, 2, 3, 10])

    def test_limit(self) -> None:
        """Only as much counts as is asked for; a bad limit counts for nothing."""
        self.assertEqual(self._seats(1000, limit="200"), 2)
        self.assertEqual(self._seats(1000, limit="x"), 10)
        self.assertEqual(self._seats(1000, single=True), 1)

    def test_most(self) -> None:
        """The level's limit holds."""
        self.assertEqual(self._seats(1000, most=4), 4)

    def test_unknown(self) -> None:
        """Of resources that are not known, it is one."""
        self.assertEqual(list_seats(None, {}, single=False, most=0), 1)

    def test_watches(self) -> None:
        """A watch begins with a list when it asks for it, or names no revision."""
        for query, expected in (({}, True), ({"resourceVersion": ["0"]}, True), ({"resourceVersion": ["5"]}, False),
                                ({"resourceVersion": ["5"], "sendInitialEvents": ["true"]}, True)):
            self.assertEqual(watch_begins_with_list(query), expected, query)


class RetryAfterTests(SynchronousTestCase):
    def test_rising_and_falling(self) -> None:
        """It doubles while many requests are turned away, up to 32 seconds, and comes down one by one."""
        retry, now = RetryAfter(), 1000.0
        seen = set()
        for _ in range(200):
            now += 1
            for _ in range(10):
                retry.record(now)
            seen.add(retry.seconds)
        self.assertEqual(seen, {1, 2, 4, 8, 16, 32})
        for step in range(40):
            now += 40
            retry.record(now)
            self.assertEqual(retry.seconds, max(1, 31 - step))


class DanglingTests(SynchronousTestCase):
    def test_condition(self) -> None:
        """It says whether the level is there; nothing when the object says so already."""
        obj = schema("s", user("*"), level="gone")
        condition = changed_condition(obj, False, "2026-01-01T00:00:00Z")
        assert condition is not None
        self.assertEqual(condition, {
            "type": "Dangling", "status": "True", "reason": "NotFound", "lastTransitionTime": "2026-01-01T00:00:00Z",
            "message": 'This FlowSchema references the PriorityLevelConfiguration object named "gone" but there is no '
                       "such object"})
        obj["status"] = {"conditions": [condition]}
        self.assertIsNone(changed_condition(obj, False, "2026-01-02T00:00:00Z"))
        changed = changed_condition(obj, True, "2026-01-02T00:00:00Z")
        assert changed is not None
        self.assertEqual((changed["status"], changed["reason"]), ("False", "Found"))
