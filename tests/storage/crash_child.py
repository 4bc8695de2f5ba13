"""Writes through a SQLite store until it is killed, and prints what was acknowledged.

    python -m tests.storage.crash_child PATH ROUND

Three kinds of lines: ``open REVISION`` once; then for each acknowledged transaction ``pair REVISION NAME``
(it created two keys with the same value) or ``count REVISION NUMBER`` (it replaced the counter).
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable

from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from kube_twisted.storage.interfaces import Create, Update
from kube_twisted.storage.sqlite import SqliteStore
from kube_twisted.util.clock import Clock

#: Tasks that write pairs at the same time.
WRITERS = 8
#: Bytes of a value.
SIZE = 2000


def value_of(name: str) -> bytes:
    """Of both keys of a pair."""
    return name.encode().ljust(SIZE, b"x")


def say(*words: object) -> None:
    """At once: a line that is printed was acknowledged before the kill."""
    print(*words, flush=True)


async def write_pairs(store: SqliteStore, name: str) -> None:
    """Pairs of keys that must exist both or not at all."""
    number = 0
    while True:
        pair = [Create(f"/pairs/{side}/{name}-{number}", value_of(f"{name}-{number}"))
                for side in ("left", "right")]
        say("pair", await store.transact(pair), f"{name}-{number}")
        number += 1


async def count(store: SqliteStore) -> None:
    """A counter that each acknowledged update raises by one; history is compacted on the way."""
    entry = await store.get("/count")
    number = int(entry.value) if entry is not None else 0
    revision = entry.revision if entry is not None else await store.transact([Create("/count", b"0")])
    while True:
        number += 1
        revision = await store.transact([Update("/count", b"%d" % number, revision)])
        say("count", revision, number)
        if number % 50 == 0:
            await store.compact(revision - 20)


async def run(path: str, round_: str) -> None:
    store = SqliteStore(path, reactor, Clock(reactor))
    await store.start()
    say("open", store.current_revision)
    tasks: list[Awaitable[None]] = [write_pairs(store, f"{round_}-{writer}") for writer in range(WRITERS)]
    for task in [*tasks, count(store)]:
        Deferred.fromCoroutine(task).addErrback(fail)


def fail(failure: Failure) -> None:
    """Nothing here may go wrong; the parent sees the end and this text."""
    failure.printTraceback(sys.stderr)
    reactor.stop()


if __name__ == "__main__":
    reactor.callWhenRunning(lambda: Deferred.fromCoroutine(run(*sys.argv[1:])).addErrback(fail))
    reactor.run()
