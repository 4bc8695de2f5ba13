"""Takes over the scenarios that pass whole; what is held once is never given up.

    python -m tests.golden.ratchet FOLDER [AREA ...]

FOLDER holds recorded scenarios as <area>/<name>.json. Those of the areas (all, when none is named) are
replayed on a server started for it, and those that agree in every step are copied into ``scenarios/``. Names
of those whose messages have other words than recorded go to ``scenarios/other-words.txt``, and leave it when
the words agree too.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.golden.reference import SETTINGS
from tests.golden.rounds import Rounds, ScenarioResult
from tests.sockets.support.process import ServerProcess

SCENARIOS = Path(__file__).with_name("scenarios")
_OTHER_WORDS = SCENARIOS / "other-words.txt"
_SLOWEST = 5


def replay_all(files: list[Path]) -> dict[Path, ScenarioResult]:
    """The results of files on a fresh server."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), SETTINGS)
        server.start()
        try:
            rounds = Rounds(files, server.client)
            results = {path: rounds.results[path].result() for path in files}
            rounds.end()
        finally:
            server.discard()
    return results


def take_over(folder: Path, results: dict[Path, ScenarioResult]) -> tuple[int, int]:
    """Copy what passes; how many are new, and how many agree word for word."""
    inexact = set(_OTHER_WORDS.read_text().split()) if _OTHER_WORDS.exists() else set()
    new = exact = 0
    for path, result in results.items():
        name = path.relative_to(folder).with_suffix("").as_posix()
        if result.disagreeing(exact=False):
            continue
        target = SCENARIOS / path.relative_to(folder)
        if result.disagreeing(exact=True):
            if not target.exists():
                inexact.add(name)
        else:
            exact += 1
            inexact.discard(name)
        if not target.exists():
            new += 1
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    _OTHER_WORDS.write_text("".join(f"{name}\n" for name in sorted(inexact)))
    return new, exact


def main() -> int:
    """Run it; 1 when a scenario that is held fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("areas", nargs="*")
    arguments = parser.parse_args()
    folder = arguments.folder
    areas = arguments.areas or [one.name for one in folder.iterdir() if one.is_dir()]
    results = replay_all(sorted(path for area in areas for path in (folder / area).glob("*.json")))
    new, exact = take_over(folder, results)
    failed = [path for path, one in results.items() if one.disagreeing(exact=False)]
    lost = [path for path in failed if (SCENARIOS / path.relative_to(folder)).exists()]
    for path in lost:
        print(f"no longer passes: {path.relative_to(folder)}")
    for path in sorted(results, key=lambda one: -results[one].seconds)[:_SLOWEST]:
        print(f"{results[path].seconds:5.1f} s  {path.relative_to(folder)}")
    print(f"{len(results) - len(failed)} of {len(results)} pass whole ({exact} word for word), {new} new")
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
