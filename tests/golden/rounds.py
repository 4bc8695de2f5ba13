"""Replays many scenarios on one server: side by side those that stay in their namespace, then the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from attrs import frozen

from tests.golden.replay import Replay, StepResult, new_run
from tests.golden.scenario import load
from tests.sockets.support.https import Client

#: Most of a replay is waiting for watches to end.
_SIDE_BY_SIDE = 8


@frozen
class ScenarioResult:
    """What came of a scenario.

    :ivar seconds: how long its replay took.
    """

    steps: list[StepResult]
    seconds: float

    def disagreeing(self, exact: bool) -> list[StepResult]:
        """The steps that are not as recorded; unless ``exact``, messages may say it in other words."""
        return [one for one in self.steps if any(exact or not found.wording for found in one.differences)]


class Rounds:
    """The replays of a set of scenario files, begun at once; results are there as they come.

    :param connect: makes a new connection to the server.
    """

    def __init__(self, files: Iterable[Path], connect: Callable[[], Client]) -> None:
        self._connect = connect
        scenarios = {path: load(path) for path in files}
        beside = [path for path, one in scenarios.items() if not one.alone]
        alone = [path for path, one in scenarios.items() if one.alone]
        self._pool = ThreadPoolExecutor(_SIDE_BY_SIDE)
        self._last = ThreadPoolExecutor(1)
        self.results: dict[Path, Future[ScenarioResult]] = {
            path: self._pool.submit(self._replay, path) for path in beside}
        for path in alone:
            self.results[path] = self._last.submit(self._after_the_others, beside, path)

    def _after_the_others(self, others: list[Path], path: Path) -> ScenarioResult:
        for one in others:
            self.results[one].exception()
        return self._replay(path)

    def _replay(self, path: Path) -> ScenarioResult:
        client = self._connect()
        begin = time.monotonic()
        try:
            steps = Replay(client, load(path), new_run()).run()
        finally:
            client.close()
        return ScenarioResult(steps, time.monotonic() - begin)

    def end(self) -> None:
        """Begin no more, and wait for those that run."""
        for pool in (self._pool, self._last):
            pool.shutdown(cancel_futures=True)
