"""Work queues."""

from __future__ import annotations

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.server.queue import BASE_DELAY, RetryAfter, WorkFailed, WorkQueue, delay
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks


class WorkQueueTests(SynchronousTestCase):
    """A queue whose work is recorded, and does as told."""

    def setUp(self) -> None:
        self.reactor = FakeReactor()
        self.tasks = Tasks()
        self.done: list[str] = []
        self.errors: list[BaseException] = []
        self.blocks: list[Deferred[None]] = []

    def queue(self, workers: int = 1) -> WorkQueue:
        queue = WorkQueue("test", Clock(self.reactor), self.tasks, self.work, workers)
        queue.start()
        return queue

    async def work(self, key: str) -> None:
        self.done.append(key)
        if self.blocks:
            await self.blocks.pop(0)
        if self.errors:
            raise self.errors.pop(0)

    def test_later(self) -> None:
        """Nothing is done before adding has returned."""
        self.queue().add("a")
        self.assertEqual(self.done, [])
        self.reactor.advance(0)
        self.assertEqual(self.done, ["a"])

    def test_waits_for_start(self) -> None:
        """What is added before the start waits for it."""
        queue = WorkQueue("test", Clock(self.reactor), self.tasks, self.work)
        queue.add("a")
        self.reactor.advance(1)
        self.assertEqual((self.done, len(queue)), ([], 1))
        queue.start()
        self.reactor.advance(0)
        self.assertEqual((self.done, len(queue)), (["a"], 0))

    def test_once(self) -> None:
        """A key that is added again while it waits is worked on once."""
        queue = self.queue()
        for key in "aba":
            queue.add(key)
        self.reactor.advance(0)
        self.assertEqual(self.done, ["a", "b"])

    def test_again_while_running(self) -> None:
        """A key that is added while it is worked on is worked on again, afterwards."""
        queue = self.queue(workers=2)
        block: Deferred[None] = Deferred()
        self.blocks.append(block)
        queue.add("a")
        self.reactor.advance(0)
        queue.add("a")
        self.reactor.advance(1)
        self.assertEqual(self.done, ["a"])
        block.callback(None)
        self.reactor.advance(0)
        self.assertEqual(self.done, ["a", "a"])

    def test_workers(self) -> None:
        """So many keys are worked on at the same time, and no more."""
        queue = self.queue(workers=2)
        blocks: list[Deferred[None]] = [Deferred(), Deferred()]
        self.blocks += blocks
        for key in "abc":
            queue.add(key)
        self.reactor.advance(0)
        self.assertEqual(self.done, ["a", "b"])
        blocks[1].callback(None)
        self.reactor.advance(0)
        self.assertEqual(self.done, ["a", "b", "c"])

    def test_many(self) -> None:
        """Many keys take several turns of the reactor, and all are worked on."""
        queue = self.queue()
        for number in range(100):
            queue.add(str(number))
        self.reactor.advance(0)
        self.assertEqual(len(self.done), 100)

    def test_back_off(self) -> None:
        """Work that fails is done again after a pause that doubles; success makes it short again."""
        queue = self.queue()
        self.errors += [WorkFailed("one"), WorkFailed("two")]
        queue.add("a")
        self.reactor.advance(0)
        for pause, done in ((0.9 * BASE_DELAY, 1), (0.2 * BASE_DELAY, 2), (1.8 * BASE_DELAY, 2), (BASE_DELAY, 3)):
            self.reactor.advance(pause)
            self.assertEqual(len(self.done), done)
        self.errors.append(WorkFailed("three"))
        queue.add("a")
        self.reactor.advance(0)
        self.reactor.advance(1.1 * BASE_DELAY)
        self.assertEqual(len(self.done), 5)

    def test_unexpected_error(self) -> None:
        """An error that nobody foresaw is logged with its traceback, and the work done again."""
        self.errors.append(ZeroDivisionError())
        self.queue().add("a")
        self.reactor.advance(0)
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 1)
        self.reactor.advance(BASE_DELAY)
        self.assertEqual(self.done, ["a", "a"])

    def test_retry_after(self) -> None:
        """Work can say itself when it wants to be done again."""
        self.errors.append(RetryAfter(7.0))
        self.queue().add("a")
        self.reactor.advance(0)
        self.reactor.advance(6.9)
        self.assertEqual(self.done, ["a"])
        self.reactor.advance(0.2)
        self.assertEqual(self.done, ["a", "a"])

    def test_retry_silently(self) -> None:
        """Without a time, that is a back-off."""
        self.errors.append(RetryAfter())
        self.queue().add("a")
        self.reactor.advance(0)
        self.reactor.advance(BASE_DELAY)
        self.assertEqual(self.done, ["a", "a"])

    def test_earliest(self) -> None:
        """Of several times for the same key the earliest holds."""
        queue = self.queue()
        for seconds in (5.0, 3.0, 9.0):
            queue.add_after("a", seconds)
        self.reactor.advance(3)
        self.assertEqual(self.done, ["a"])
        self.reactor.advance(10)
        self.assertEqual(self.done, ["a"])

    def test_stop(self) -> None:
        """A stopped queue leaves no timer and begins nothing, not even what fails just now."""
        queue = self.queue()
        block: Deferred[None] = Deferred()
        self.blocks.append(block)
        self.errors.append(WorkFailed("late"))
        queue.add("a")
        self.reactor.advance(0)
        queue.add("b")
        queue.add_after("c", 1)
        queue.stop()
        block.callback(None)
        self.assertEqual(self.reactor.getDelayedCalls(), [])
        self.reactor.advance(10)
        self.assertEqual(self.done, ["a"])

    def test_longest(self) -> None:
        """A pause grows no longer than allowed, however many failures there were."""
        self.assertEqual([delay(1, 1, 10), delay(2, 1, 10), delay(5, 1, 10), delay(100_000, 1, 10)], [1, 2, 10, 10])
