"""A process that writes is killed, again and again: what it acknowledged is there, whole, and in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from attrs import define, field
from twisted.internet import reactor
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import TestCase

from kube_twisted.storage.interfaces import CompactedError, Event
from kube_twisted.storage.sqlite import SqliteStore
from kube_twisted.util.clock import Clock
from tests.storage.crash_child import value_of

ROUNDS = 5
#: Acknowledgements to wait for before each kill.
LINES = (40, 200, 777, 100, 1500)
ROOT = Path(__file__).parents[2]


@define
class Acknowledged:
    """What the killed processes said.

    :ivar newest: the newest revision.
    :ivar pairs: the revision of each pair.
    :ivar count: the counter's last value.
    """

    newest: int = 1
    count: int = 0
    opened: int = 0
    pairs: dict[str, int] = field(factory=dict)

    def hear(self, line: str) -> None:
        kind, revision, *rest = line.split()
        self.newest = max(self.newest, int(revision))
        if kind == "pair":
            self.pairs[rest[0]] = int(revision)
        elif kind == "count":
            self.count = int(rest[0])
        else:
            self.opened = int(revision)


class CrashTests(TestCase):
    """Real processes, real kills, a real disk."""

    def setUp(self) -> None:
        self.path = os.path.abspath(os.path.join(self.mktemp(), "state.db"))
        self.said = Acknowledged()

    def write_and_kill(self, number: int) -> None:
        """Let a process write for some time, and kill it in the midst."""
        command = [sys.executable, "-m", "tests.storage.crash_child", self.path, str(number)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as child:
            assert child.stdout is not None
            before = self.said.newest
            for _ in range(LINES[number]):
                self.said.hear(child.stdout.readline())
            child.send_signal(signal.SIGKILL)
            for line in child.stdout:
                if line.endswith("\n"):
                    self.said.hear(line)
        self.assertEqual(child.returncode, -signal.SIGKILL)
        self.assertGreaterEqual(self.said.opened, before, "revisions went back")

    async def inspect(self) -> None:
        """Open the store and compare it with what was acknowledged."""
        store = SqliteStore(self.path, reactor, Clock(FakeTime()))
        await store.start()
        try:
            self.assertGreaterEqual(store.current_revision, self.said.newest)
            await self.inspect_pairs(store)
            await self.inspect_counter(store)
            await self.inspect_watch(store)
        finally:
            await store.stop()
        self.said.newest = max(self.said.newest, store.current_revision)

    async def inspect_pairs(self, store: SqliteStore) -> None:
        """Every acknowledged pair is there, and every pair is whole."""
        sides = []
        for side in ("left", "right"):
            page = await store.list_entries(f"/pairs/{side}/")
            sides.append({entry.key.rsplit("/")[-1]: (entry.revision, entry.value) for entry in page.entries})
        self.assertEqual(sides[0], sides[1])
        found = {name: revision for name, (revision, _) in sides[0].items()}
        self.assertEqual({name: found.get(name) for name in self.said.pairs}, self.said.pairs)
        for name, (_, value) in sides[0].items():
            self.assertEqual(value, value_of(name))

    async def inspect_counter(self, store: SqliteStore) -> None:
        """The counter has no acknowledged step undone, and at most the one under way more."""
        entry = await store.get("/count")
        number = int(entry.value) if entry is not None else 0
        self.assertIn(number, (self.said.count, self.said.count + 1))
        self.said.count = number

    async def inspect_watch(self, store: SqliteStore) -> None:
        """A watch from any revision goes on without a gap, or says that it is compacted."""
        compacted, current = store.compacted_revision, store.current_revision
        for after in (1, max(compacted - 1, 1), max(compacted, 1), current - 1):
            events: list[Event] = []
            if after < compacted:
                await self.assertFailure(store.watch("", after, events.extend), CompactedError)
                continue
            await store.watch("", after, events.extend)
            revisions = sorted({event.revision for event in events})
            self.assertEqual(revisions, list(range(after + 1, current + 1)))

    async def test_killed(self) -> None:
        """Nothing acknowledged is lost, nothing is half there, and revisions never go back."""
        for number in range(ROUNDS):
            self.write_and_kill(number)
            await self.inspect()
        self.assertGreater(len(self.said.pairs), 100)
        self.assertGreater(self.said.count, 10)
