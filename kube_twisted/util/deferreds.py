"""Coroutines and Deferreds: eager running, tracked background tasks, bounded waiting."""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine, Generator, Iterator
from types import coroutine
from typing import Any, TypeVar, cast

from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.logger import Logger
from twisted.python.failure import Failure

from kube_twisted.util.clock import Clock

T = TypeVar("T")


def run_eagerly(work: Coroutine[Any, Any, T]) -> T | Deferred[T]:
    """Run a coroutine up to where it must wait.

    Most requests never wait, and then cost no Deferred: it gives the coroutine's value, or raises its
    exception. When it waits, it gives a Deferred; cancelling that cancels what the coroutine waits for.
    """
    try:
        awaited = work.send(None)
    except StopIteration as stop:
        return cast(T, stop.value)
    return Deferred.fromCoroutine(_resume(work, awaited))


@coroutine
def _resume(work: Coroutine[Any, Any, T], awaited: Any) -> Generator[Any, Any, T]:
    """The rest of a coroutine that has yielded ``awaited``."""
    while True:
        try:
            try:
                value = yield awaited
            except BaseException as error:
                awaited = work.throw(error)
            else:
                awaited = work.send(value)
        except StopIteration as stop:
            return cast(T, stop.value)


class Tasks:
    """Coroutines that nobody waits for: logged when they fail, cancelled at the end."""

    _log = Logger()

    def __init__(self) -> None:
        self._running: dict[Deferred[None], str] = {}
        self._stopping = False

    def __len__(self) -> int:
        return len(self._running)

    def start(self, work: Coroutine[Any, Any, object], what: str) -> None:
        """Run to the first wait now, and on from there. ``what`` names the task in the log."""
        if self._stopping:
            work.close()
            return
        task: Deferred[None] = Deferred.fromCoroutine(work).addCallback(lambda _: None)
        if not task.called:
            self._running[task] = what
        task.addBoth(self._ended, task, what)

    def _ended(self, result: Failure | None, task: Deferred[None], what: str) -> None:
        self._running.pop(task, None)
        if isinstance(result, Failure) and not (self._stopping and isinstance(result.value, CancelledError)):
            self._log.failure("{what} failed", failure=result, what=what)

    def stop(self) -> Deferred[None]:
        """Cancel all, take no more, and fire once the last has ended."""
        self._stopping = True
        running = list(self._running)
        ended = DeferredList([_end_of(task) for task in running])
        for task in running:
            task.cancel()
        return ended.addCallback(lambda _: None)


def _end_of(task: Deferred[None]) -> Deferred[None]:
    """A Deferred that fires when the task has ended, without touching its result."""
    end: Deferred[None] = Deferred()

    def tell(result: T) -> T:
        end.callback(None)
        return result

    task.addBoth(tell)
    return end


class _Done:
    """An awaitable whose result is there: None."""

    def __await__(self) -> Iterator[Any]:
        return iter(())


#: For those who must return an awaitable and have nothing to wait for; it can be awaited again and again.
DONE: Awaitable[None] = cast("Awaitable[None]", _Done())


async def finished_within(clock: Clock, seconds: float, work: Awaitable[object]) -> bool:
    """Wait for ``work``, cancelling it after ``seconds``; tell whether it was in time. Raises its error."""
    deferred = to_deferred(work)
    late = False

    def cancel() -> None:
        nonlocal late
        late = True
        deferred.cancel()

    timer = clock.call_later(seconds, cancel)
    try:
        await deferred
    except CancelledError:
        if not late:
            raise
        return False
    finally:
        if timer.active():
            timer.cancel()
    return True


def to_deferred(work: Awaitable[T]) -> Deferred[T]:
    """A Deferred for any awaitable, begun at once."""
    return work if isinstance(work, Deferred) else Deferred.fromCoroutine(_await(work))


async def _await(work: Awaitable[T]) -> T:
    return await work


def sleep(clock: Clock, seconds: float) -> Deferred[None]:
    """A Deferred that fires after ``seconds``."""
    timer = None

    def cancel(_: Deferred[None]) -> None:
        assert timer is not None
        timer.cancel()

    waiter: Deferred[None] = Deferred(cancel)
    timer = clock.call_later(seconds, waiter.callback, None)
    return waiter
