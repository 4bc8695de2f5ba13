"""Keys of objects that need work: each is worked on by one at a time, and again later when the work fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from twisted.internet.defer import CancelledError
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks

#: Seconds before the first retry, and the longest wait for one.
BASE_DELAY = 0.005
MAX_DELAY = 1000.0
#: How many keys are begun in one turn of the reactor, so that many of them do not keep requests waiting.
_BATCH = 16


class RetryAfter(Exception):
    """Work is not done yet; nothing is wrong.

    :param seconds: when to look again; None for the back-off of a failure, but without its complaint.
    """

    def __init__(self, seconds: float | None = None) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class WorkFailed(Exception):
    """Work failed for a reason that is understood: the text, for the log. It is tried again after a back-off."""


def delay(failures: int, base: float = BASE_DELAY, most: float = MAX_DELAY) -> float:
    """Seconds to wait after that many failures in a row: doubled with each."""
    return min(base * 2.0 ** min(failures - 1, 40), most)


class WorkQueue:
    """A rate-limited queue with its workers.

    Like client-go's work queue: a key that is added again while it waits is worked on once; one that is added while
    it is worked on is worked on again afterwards.

    :param name: for the log.
    :param work: does the work for a key; raises RetryAfter or any error to be called again.
    :param workers: how many keys are worked on at the same time.
    :param max_delay: the longest back-off in seconds.
    :param base_delay: the first one.
    """

    _log = Logger()

    def __init__(self, name: str, clock: Clock, tasks: Tasks, work: Callable[[str], Awaitable[None]],
                 workers: int = 1, max_delay: float = MAX_DELAY, base_delay: float = BASE_DELAY) -> None:
        self._name = name
        self._clock = clock
        self._tasks = tasks
        self._work = work
        self._workers = workers
        self._max_delay = max_delay
        self._base_delay = base_delay
        self._waiting: dict[str, None] = {}
        self._running: set[str] = set()
        self._again: set[str] = set()
        self._failures: dict[str, int] = {}
        self._timers: dict[str, IDelayedCall] = {}
        self._turn: IDelayedCall | None = None
        self._started = False

    def __len__(self) -> int:
        """How many keys wait or are worked on, without those whose time has not come."""
        return len(self._waiting) + len(self._running)

    def start(self) -> None:
        """Begin to work; keys may have been added before."""
        self._started = True
        self._wake()

    def stop(self) -> None:
        """Begin no more work. What is under way belongs to the tasks."""
        self._started = False
        for timer in (*self._timers.values(), *([self._turn] if self._turn else ())):
            timer.cancel()
        self._timers.clear()
        self._turn = None
        self._waiting.clear()
        self._again.clear()

    def add(self, key: str) -> None:
        """Work on ``key`` soon, never before this call has returned."""
        if key in self._running:
            self._again.add(key)
            return
        self._waiting[key] = None
        self._wake()

    def add_after(self, key: str, seconds: float) -> None:
        """Add ``key`` after a while; the earliest of several such wishes holds."""
        timer = self._timers.get(key)
        if timer is not None:
            if timer.getTime() <= self._clock.seconds() + seconds:
                return
            timer.cancel()
        self._timers[key] = self._clock.call_later(seconds, self._due, key)

    def add_rate_limited(self, key: str) -> float:
        """Add ``key`` after its back-off; tells the seconds."""
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        seconds = delay(failures, self._base_delay, self._max_delay)
        self.add_after(key, seconds)
        return seconds

    def _due(self, key: str) -> None:
        del self._timers[key]
        self.add(key)

    # -- working --------------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._started and self._waiting and self._turn is None and len(self._running) < self._workers:
            self._turn = self._clock.call_later(0, self._take)

    def _take(self) -> None:
        """One turn: begin with some of the keys that wait."""
        self._turn = None
        for _ in range(_BATCH):
            if not self._waiting or len(self._running) >= self._workers:
                break
            key = next(iter(self._waiting))
            del self._waiting[key]
            self._running.add(key)
            self._tasks.start(self._run(key), f"{self._name} {key}")
        self._wake()

    async def _run(self, key: str) -> None:
        try:
            await self._work(key)
        except RetryAfter as later:
            self._later(key, later)
        except CancelledError:
            raise
        except (StatusError, WorkFailed) as error:
            self._log.warn("{queue}: {key}: {error}; again in {seconds:.3g} s", queue=self._name, key=key,
                           error=error, seconds=self._retry(key))
        except Exception:
            self._log.failure("{queue}: {key}; again in {seconds:.3g} s", queue=self._name, key=key,
                              seconds=self._retry(key))
        else:
            self._failures.pop(key, None)
        finally:
            self._running.discard(key)
            if key in self._again:
                self._again.discard(key)
                self._waiting[key] = None
            self._wake()

    def _later(self, key: str, later: RetryAfter) -> None:
        if later.seconds is None:
            self._retry(key)
        elif self._started:
            self.add_after(key, later.seconds)

    def _retry(self, key: str) -> float:
        return self.add_rate_limited(key) if self._started else 0.0
