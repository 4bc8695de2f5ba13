"""One watch: which changes it sees, and what happens when its reader is slow."""

from __future__ import annotations

from collections.abc import Mapping

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage import watcher as watcher_module
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import Watcher, WatchEvent
from tests.storage.objects import cached

WEB = Selection(labels=lambda labels: labels.get("app") == "web")


def change(revision: int, new: Mapping[str, str] | None, old: Mapping[str, str] | None) -> WatchEvent:
    """An event of an object; None where it doesn't exist."""
    before = cached("a", old, revision=revision - 1) if old is not None else None
    if new is None:
        assert before is not None
        return WatchEvent(before.at(revision), before, revision, deleted=True)
    return WatchEvent(cached("a", new, revision=revision), before, revision)


class TransitionTests(SynchronousTestCase):
    """What a change is to a watcher that sees only some objects."""

    def test_types(self) -> None:
        """Entering the selection is ADDED, leaving it DELETED, a change inside MODIFIED, outside nothing."""
        web, other = {"app": "web"}, {"app": "db"}
        for new, old, expected in (
                (web, None, "ADDED"), (other, None, None), (web, web, "MODIFIED"), (web, other, "ADDED"),
                (other, web, "DELETED"), (other, other, None), (None, web, "DELETED"), (None, other, None)):
            self.assertEqual(change(5, new, old).type_for(WEB), expected, f"{old} -> {new}")

    def test_object_that_left(self) -> None:
        """An object that left the selection is shown as it was when it was last in it, at the change's revision."""
        event = change(5, {"app": "db"}, {"app": "web"})
        shown = event.shown("DELETED").parse()["metadata"]
        self.assertEqual((shown["labels"], shown["resourceVersion"]), ({"app": "web"}, "5"))

    def test_object_that_is_deleted(self) -> None:
        """A deleted object is shown in its last state, at the deletion's revision."""
        shown = change(9, None, {"app": "web"}).shown("DELETED").parse()["metadata"]
        self.assertEqual((shown["labels"], shown["resourceVersion"]), ({"app": "web"}, "9"))


class Recorder:
    """Makes frames, takes them, and hears of the end."""

    def __init__(self) -> None:
        self.made = 0
        self.frames: list[bytes] = []
        self.log: list[str] = []
        self.after_write = lambda: None

    def frame(self, type_: str, item: CachedObject) -> bytes:
        self.made += 1
        return f"{type_} {item.revision}".encode()

    def write(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.after_write()

    def ended(self) -> None:
        self.log.append("sink ended")

    def over(self, _watcher: Watcher) -> None:
        self.log.append("over")


class WatcherTestCase(SynchronousTestCase):
    """Has a watcher of everything."""

    def setUp(self) -> None:
        self.recorder = Recorder()
        self.watcher = self.new_watcher()

    def new_watcher(self, selection: Selection | None = None, shared: object | None = None,
                    recorder: Recorder | None = None) -> Watcher:
        sink = recorder or self.recorder
        return Watcher(selection or Selection(), sink, sink, sink.over, shared)


class DeliveryTests(WatcherTestCase):
    """Frames go to the sink, in order and at most once."""

    def test_types_of_everything(self) -> None:
        """A watcher of everything sees creations, changes and deletions as such."""
        for event in (change(2, {}, None), change(3, {}, {}), change(4, None, {})):
            self.watcher.deliver(event)
        self.assertEqual(self.recorder.frames, [b"ADDED 2", b"MODIFIED 3", b"DELETED 4"])
        self.assertEqual((self.watcher.revision, self.watcher.sent), (4, 3))

    def test_selected(self) -> None:
        """A watcher with a selector does not see what is outside, but knows how far it has come."""
        watcher = self.new_watcher(WEB)
        watcher.deliver(change(2, {}, None))
        self.assertEqual((self.recorder.frames, watcher.revision), ([], 2))
        watcher.deliver(change(3, {"app": "web"}, {}))
        self.assertEqual(self.recorder.frames, [b"ADDED 3"])

    def test_seen_already(self) -> None:
        """Changes up to the revision that the client has seen are not sent again."""
        self.watcher.revision = 3
        self.watcher.deliver(change(3, {}, None))
        self.watcher.deliver(change(4, {}, {}))
        self.assertEqual(self.recorder.frames, [b"MODIFIED 4"])

    def test_shared_frames(self) -> None:
        """Watchers of the same representation share a frame; others make their own."""
        other = Recorder()
        watchers = [self.new_watcher(shared="json"), self.new_watcher(shared="json", recorder=other),
                    self.new_watcher(recorder=other)]
        event = change(2, {}, None)
        for one in watchers:
            one.deliver(event)
        self.assertEqual((self.recorder.made, other.made), (1, 1))
        self.assertEqual(other.frames, [b"ADDED 2", b"ADDED 2"])

    def test_shared_by_type(self) -> None:
        """One change may be different events to different watchers: they do not share a frame."""
        event = change(3, {"app": "web"}, {})
        self.new_watcher(shared="json").deliver(event)
        self.new_watcher(WEB, shared="json").deliver(event)
        self.assertEqual(self.recorder.frames, [b"MODIFIED 3", b"ADDED 3"])


class SlowReaderTests(WatcherTestCase):
    """A reader that does not keep up: frames wait, within limits."""

    def test_wait(self) -> None:
        """Frames wait while the reader is paused, and come in order when it reads on."""
        self.watcher.pause()
        for revision in (2, 3):
            self.watcher.deliver(change(revision, {}, {}))
        self.assertEqual(self.recorder.frames, [])
        self.watcher.resume()
        self.watcher.deliver(change(4, {}, {}))
        self.assertEqual(self.recorder.frames, [b"MODIFIED 2", b"MODIFIED 3", b"MODIFIED 4"])

    def test_pause_again(self) -> None:
        """A reader that pauses again while it catches up gets no more until it reads on."""
        self.watcher.pause()
        for revision in (2, 3, 4):
            self.watcher.deliver(change(revision, {}, {}))
        self.recorder.after_write = self.watcher.pause
        self.watcher.resume()
        self.assertEqual(self.recorder.frames, [b"MODIFIED 2"])
        self.watcher.deliver(change(5, {}, {}))
        self.recorder.after_write = lambda: None
        self.watcher.resume()
        self.assertEqual(self.recorder.frames, [b"MODIFIED 2", b"MODIFIED 3", b"MODIFIED 4", b"MODIFIED 5"])

    def test_too_many(self) -> None:
        """When too many frames wait, the watch ends, and what waited is not sent."""
        self.patch(watcher_module, "MOST_WAITING", 3)
        self.watcher.pause()
        for revision in range(2, 5):
            self.watcher.deliver(change(revision, {}, {}))
        self.assertEqual(self.recorder.log, [])
        self.watcher.deliver(change(5, {}, {}))
        self.assertEqual(self.recorder.log, ["over", "sink ended"])
        self.watcher.resume()
        self.assertEqual(self.recorder.frames, [])

    def test_too_many_bytes(self) -> None:
        """When too many bytes wait, the watch ends; bytes that were sent count no longer."""
        self.patch(watcher_module, "MOST_WAITING_BYTES", 25)
        for revision in range(2, 6):
            self.watcher.pause()
            self.watcher.deliver(change(revision, {}, {}))
            self.watcher.resume()
        self.watcher.pause()
        for revision in range(6, 8):
            self.watcher.deliver(change(revision, {}, {}))
        self.assertEqual(self.recorder.log, [])
        self.watcher.deliver(change(8, {}, {}))
        self.assertEqual(self.recorder.log, ["over", "sink ended"])

    def test_end_once(self) -> None:
        """A watch ends once; nothing is sent afterwards."""
        self.watcher.end()
        self.watcher.end()
        self.watcher.deliver(change(2, {}, None))
        self.watcher.send(b"late")
        self.assertEqual((self.recorder.log, self.recorder.frames), (["over", "sink ended"], []))
