"""Every recorded conversation, replayed against a server of ours."""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from tests.golden.reference import SETTINGS
from tests.golden.rounds import Rounds
from tests.sockets.support.case import ServerTestCase

SCENARIOS = Path(__file__).with_name("scenarios")
#: The scenarios in which some messages still have other words than kube-apiserver's.
OTHER_WORDS = frozenset((SCENARIOS / "other-words.txt").read_text().split())
_LONGEST = 300.0


class ScenarioTests(ServerTestCase):
    """One test a scenario; the first one begins the replays of all."""

    settings = SETTINGS
    rounds: ClassVar[Rounds | None] = None

    def setUp(self) -> None:
        self.server = self.start_server()
        if self.rounds is None:
            type(self).rounds = rounds = Rounds(sorted(SCENARIOS.glob("*/*.json")), self.server.client)
            atexit.register(rounds.end)

    def check(self, path: Path) -> None:
        assert self.rounds is not None
        result = self.rounds.results[path].result(_LONGEST)
        name = path.relative_to(SCENARIOS).with_suffix("").as_posix()
        bad = result.disagreeing(exact=name not in OTHER_WORDS)
        if bad:
            self.fail("\n".join([name, *map(str, bad)]))


def _test(path: Path) -> Callable[[ScenarioTests], None]:
    def test(self: ScenarioTests) -> None:
        self.check(path)

    test.__doc__ = "The server answers as recorded."
    return test


for _path in sorted(SCENARIOS.glob("*/*.json")):
    _name = re.sub("[^a-z0-9]+", "_", f"{_path.parent.name}_{_path.stem}")
    setattr(ScenarioTests, f"test_{_name}", _test(_path))
