"""Events are written as lines, in a thread, and files are put aside when they are full."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from twisted.internet.defer import Deferred
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.audit.event import Event
from kube_twisted.audit.levels import REQUEST_RECEIVED, Level
from kube_twisted.audit.log import LogSink
from kube_twisted.audit.log_file import LogFile, Rotation
from kube_twisted.audit.sinks import AuditCounts, Truncating, Union
from kube_twisted.util.deferreds import to_deferred
from tests.audit.test_recording import POD, recording


def an_event(annotation: str = "") -> Event:
    made = recording(Level.METADATA)
    made.annotate("a", annotation)
    return made.event(REQUEST_RECEIVED, 0)


class HeldThread:
    """Does its work when it is told to."""

    def __init__(self) -> None:
        self.work: list[tuple[Callable[..., None], tuple[Any, ...], Deferred[None]]] = []
        self.stopped = False

    def run(self, function: Callable[..., None], *args: Any) -> Deferred[None]:
        done: Deferred[None] = Deferred()
        self.work.append((function, args, done))
        return done

    def go_on(self) -> None:
        function, args, done = self.work.pop(0)
        try:
            function(*args)
        except OSError:
            done.errback()
        else:
            done.callback(None)

    def stop(self) -> None:
        self.stopped = True


class Lines:
    """A file.

    :ivar problem: why it can't be written.
    """

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.problem: OSError | None = None
        self.closed = False

    def write(self, lines: bytes) -> None:
        if self.problem is not None:
            raise self.problem
        self.writes.append(lines)

    def close(self) -> None:
        self.closed = True


class LogSinkTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.file, self.thread, self.counts = Lines(), HeldThread(), AuditCounts()

    def sink(self, mode: str = "blocking", format_: str = "json") -> LogSink:
        return LogSink(self.file, self.thread, format_, mode, self.counts)  # type: ignore[arg-type]

    def waited(self, sink: LogSink, event: Event) -> Deferred[bool]:
        wait = sink.process(event)
        assert wait is not None
        return wait

    def test_together(self) -> None:
        """Events that come while others are written are written together after them, in their order."""
        sink, events = self.sink(), [an_event(text) for text in "abc"]
        waits = [self.waited(sink, event) for event in events]
        self.thread.go_on()
        self.assertTrue(self.successResultOf(waits[0]))
        self.assertNoResult(waits[1])
        self.thread.go_on()
        self.assertEqual(self.file.writes, [events[0].json + b"\n", events[1].json + b"\n" + events[2].json + b"\n"])
        self.assertTrue(self.successResultOf(waits[2]))

    def test_legacy(self) -> None:
        """Or in the old format."""
        sink = self.sink(format_="legacy")
        self.waited(sink, an_event())
        self.thread.go_on()
        self.assertEqual(self.file.writes, [an_event().legacy + b"\n"])

    def test_nobody_waits(self) -> None:
        """In batches nobody waits; when too many events do, the rest is lost."""
        sink, event = self.sink("batch"), an_event()
        for _ in range(10_001):
            self.assertIsNone(sink.process(event))
        sink.process(event)
        self.assertEqual(self.counts.errors, {"buffered": 1})
        self.flushLoggedErrors()

    def test_full_disk(self) -> None:
        """What can't be written is counted; it matters to those who are strict."""
        for mode, expected in (("blocking", True), ("blocking-strict", False)):
            sink = self.sink(mode)
            self.file.problem = OSError("no space left")
            wait = self.waited(sink, an_event())
            self.thread.go_on()
            self.assertEqual(self.successResultOf(wait), expected)
            self.file.problem = None
            again = self.waited(sink, an_event())
            self.thread.go_on()
            self.assertTrue(self.successResultOf(again))
        self.assertEqual(self.counts.errors, {"log": 2})

    def test_close(self) -> None:
        """At the end, all is written first."""
        sink = self.sink("batch")
        for _ in range(3):
            sink.process(an_event())
        closing = to_deferred(sink.close())
        for _ in range(3):
            self.assertFalse(self.file.closed)
            self.thread.go_on()
        self.successResultOf(closing)
        self.assertEqual((len(self.file.writes), self.file.closed, self.thread.stopped), (2, True, True))


class SinkTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.counts = AuditCounts()
        self.threads, self.files = [HeldThread(), HeldThread()], [Lines(), Lines()]
        self.sinks = [LogSink(file, thread, "json", mode, self.counts)  # type: ignore[arg-type]
                      for file, thread, mode
                      in zip(self.files, self.threads, ("blocking-strict", "batch"), strict=True)]

    def test_union(self) -> None:
        """Events go everywhere; who has to wait waits for the slowest."""
        union = Union([*self.sinks, self.sinks[0]])
        wait = union.process(an_event())
        assert wait is not None
        self.files[0].problem = OSError("no")
        for _ in range(2):
            self.assertNoResult(wait)
            self.threads[0].go_on()
        self.assertFalse(self.successResultOf(wait))
        self.threads[1].go_on()
        self.assertEqual(len(self.files[1].writes), 1)
        self.assertIsNone(Union([self.sinks[1]]).process(an_event()))

    def test_truncating(self) -> None:
        """Events that are too large lose their objects, and are lost when that is not enough."""
        made = recording(Level.REQUEST)
        made.request_object({**POD, "data": "x" * 1000})
        event = made.event(REQUEST_RECEIVED, 0)
        small = event.truncated()
        self.assertNotIn(b"requestObject", small.json)
        self.assertIn(b'"annotations":{"audit.k8s.io/truncated":"true"}', small.json)
        for most, lost in ((len(event.json), 0), (len(small.json), 0), (len(small.json) - 1, 1)):
            Truncating(self.sinks[1], most, self.counts).process(event)
            self.threads[1].go_on() if self.threads[1].work else None
            self.assertEqual(self.counts.errors["truncate"], lost)
        self.assertEqual(self.files[1].writes, [event.json + b"\n", small.json + b"\n"])


class LogFileTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.folder = Path(self.mktemp())

    def file(self, **rotation: Any) -> LogFile:
        file = LogFile(self.folder / "audit.log", Rotation(1, **rotation), lambda: self.now)
        self.addCleanup(file.close)
        return file

    def fill(self, file: LogFile, times: int) -> None:
        """Put the file aside so often."""
        for _ in range(times):
            self.now += timedelta(hours=1)
            file.write(b"x" * 700_000)

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.iterdir())

    def test_appended(self) -> None:
        """A file that is there is added to; only its owner can read it."""
        for line in (b"a\n", b"b\n"):
            file = self.file()
            file.write(line)
            file.close()
        path = self.folder / "audit.log"
        self.assertEqual((path.read_bytes(), path.stat().st_mode & 0o777), (b"a\nb\n", 0o600))

    def test_put_aside(self) -> None:
        """A file that would become too large is put aside under its time."""
        self.fill(self.file(), 3)
        self.assertEqual(self.names(), ["audit-2026-01-01T02-00-00.000.log", "audit-2026-01-01T03-00-00.000.log",
                                        "audit.log"])
        self.assertEqual((self.folder / "audit.log").stat().st_size, 700_000)

    def test_count(self) -> None:
        """Only so many are kept, the newest; other files are left alone."""
        self.folder.mkdir()
        (self.folder / "audit-notes.log").write_text("mine")
        self.fill(self.file(backups=2), 6)
        self.assertEqual(self.names(), ["audit-2026-01-01T05-00-00.000.log", "audit-2026-01-01T06-00-00.000.log",
                                        "audit-notes.log", "audit.log"])

    def test_age(self) -> None:
        """None is kept for longer than so many days."""
        file = self.file(days=2)
        self.fill(file, 2)
        self.now += timedelta(days=3)
        self.fill(file, 1)
        self.assertEqual(self.names(), ["audit-2026-01-04T03-00-00.000.log", "audit.log"])

    def test_compressed(self) -> None:
        """They can be packed."""
        self.fill(self.file(compress=True), 2)
        self.assertEqual(self.names(), ["audit-2026-01-01T02-00-00.000.log.gz", "audit.log"])
        self.assertEqual(gzip.decompress((self.folder / self.names()[0]).read_bytes()), b"x" * 700_000)
