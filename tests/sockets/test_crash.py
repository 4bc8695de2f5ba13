"""A server is killed amid writes, again and again: what it acknowledged is there, whole and in order."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.sockets.crash_writer import CONFIG_MAPS, Known, Ledger, Writing, content_of
from tests.sockets.support.process import ServerProcess

#: The writes to wait for before each kill.
ROUNDS = (60, 300, 15, 500)
CLIENTS = 4


class CrashTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.server = ServerProcess(Path(self.mktemp()))
        self.addCleanup(self.server.discard)
        self.ledgers = [Ledger(f"client{number}", random.Random(number)) for number in range(CLIENTS)]
        self.newest = 0
        self.resumed = 0

    def test_kills(self) -> None:
        """Nothing acknowledged is lost, nothing is half there, versions never go back, watches resume."""
        self.server.start()
        for writes in ROUNDS:
            self.write_and_kill(writes)
            self.server.start()
            self.check_objects()
            self.check_watch()
        self.assertGreater(self.resumed, 0)

    def write_and_kill(self, writes: int) -> None:
        threads = [Writing(self.server.client(), ledger) for ledger in self.ledgers]
        goal = sum(ledger.writes for ledger in self.ledgers) + writes
        for one in threads:
            one.start()
        self.server.wait_for(lambda: sum(one.writes for one in self.ledgers) >= goal, "clients write")
        self.server.kill()
        for one in threads:
            one.join()
        self.assertEqual([error for ledger in self.ledgers for error in ledger.errors], [])

    # -- what is there ---------------------------------------------------------------------------------

    def check_objects(self) -> None:
        """Each object is as acknowledged, or as the write without an answer would have left it."""
        answer = self.server.client().request("GET", CONFIG_MAPS).json()
        found = {item["metadata"]["name"]: Known(int(item["metadata"]["resourceVersion"]), content_of(item))
                 for item in answer["items"]}
        for ledger in self.ledgers:
            self.check_ledger(ledger, {name: one for name, one in found.items()
                                       if name.startswith(f"{ledger.name}-")})
        acknowledged = [known.version for ledger in self.ledgers for _, known in ledger.history]
        version = int(answer["metadata"]["resourceVersion"])
        self.assertGreaterEqual(version, max(self.newest, *acknowledged))
        self.newest = version

    def check_ledger(self, ledger: Ledger, found: dict[str, Known]) -> None:
        attempt, ledger.open = ledger.open, None
        if attempt is not None:
            before, now = ledger.objects.pop(attempt.name, None), found.get(attempt.name)
            if now != before:
                self.assertEqual(now and now.content, attempt.content, attempt)
                if now is not None:
                    self.assertGreater(now.version, before.version if before else self.newest)
                    ledger.history.append((attempt.name, now))
            if now is not None:
                ledger.objects[attempt.name] = now
        self.assertEqual(found, ledger.objects)

    # -- what happened ---------------------------------------------------------------------------------

    def check_watch(self) -> None:
        """A watch from an acknowledged version gets every later change in order, or learns it is too old."""
        history = sorted((known.version, name, known.content)
                         for ledger in self.ledgers for name, known in ledger.history)
        start = history[len(history) // 2][0]
        events = list(self.server.client().watch(
            f"{CONFIG_MAPS}?watch=true&timeoutSeconds=1&resourceVersion={start}"))
        if events and events[0]["type"] == "ERROR":
            self.assertEqual(events[0]["object"]["code"], 410)
            return
        self.resumed += 1
        versions = [int(event["object"]["metadata"]["resourceVersion"]) for event in events]
        self.assertEqual(versions, sorted(set(versions)))
        changes = [(version, event["object"]["metadata"]["name"], content_of(event["object"]))
                   for version, event in zip(versions, events, strict=True) if event["type"] != "DELETED"]
        self.assertEqual(changes, [one for one in history if one[0] > start])
        self.check_deletions(events)

    def check_deletions(self, events: list[dict[str, Any]]) -> None:
        """After its last event an object is there or not, as the events say."""
        last = {event["object"]["metadata"]["name"]: event["type"] for event in events}
        there = set().union(*(ledger.objects for ledger in self.ledgers))
        for name, kind in last.items():
            if name.startswith("client"):
                self.assertEqual(name in there, kind != "DELETED", name)
