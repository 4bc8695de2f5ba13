"""Compares an answer with the recorded one."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import frozen

from tests.golden.scenario import COMPARED_HEADERS, Step, dig

_ABSENT = "<absent>"
_DAY = 24 * 3600
_DAYS = re.compile(r"(\d+)d")
#: 2026-11-30T03:04:05Z: then ages had been for a day what the recordings show; the times in these are up to so many
#: seconds later in the day.
_RECORDED, _LATEST = 1_796_007_845, 90
_SHOWN = 300

Path = tuple[str | int, ...]


@frozen
class Difference:
    """One place where an answer is not as recorded.

    :ivar wording: whether it is only a message that says the same in other words.
    """

    path: Path
    expected: Any
    got: Any
    wording: bool = False

    def __str__(self) -> str:
        expected, got = (json.dumps(one)[:_SHOWN] for one in (self.expected, self.got))
        return f"{'.'.join(map(str, self.path))}: expected {expected}, got {got}"


def differences(step: Step, status: int, headers: dict[str, Any], body: Any) -> list[Difference]:
    """Where the answer, with its placeholders in, differs from the step's."""
    expect, found = step.expect, []
    if status != expect["status"]:
        found.append(Difference(("status",), expect["status"], status))
    if step.only is not None:
        found += [one for dotted in step.only for one in _at(step, dotted, body)]
        return found
    found += _compare(expect["body"], body, step, ())
    for name in COMPARED_HEADERS:
        expected, got = expect["headers"].get(name), headers.get(name)
        if expected != got:
            wording = name == "warning" and bool(expected and got)
            found.append(Difference(("header", name), expected, got, wording))
    return found


def _at(step: Step, dotted: str, body: Any) -> Iterator[Difference]:
    path = dotted.removesuffix("?")
    expected, got = (_part(one, path) for one in (step.expect["body"], body))
    if dotted.endswith("?"):
        expected, got = expected is not _ABSENT, got is not _ABSENT
    yield from _compare(expected, got, step, tuple(path.split(".")), ignore=())


def _part(document: Any, dotted: str) -> Any:
    try:
        return dig(document, dotted)
    except LookupError:
        return _ABSENT


def _compare(expected: Any, got: Any, step: Step, path: Path,
             ignore: Sequence[str] | None = None) -> Iterator[Difference]:
    ignored = step.ignore if ignore is None else ignore
    if any(_covers(pattern, path) for pattern in ignored):
        return
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in {**expected, **got}:
            yield from _compare(expected.get(key, _ABSENT), got.get(key, _ABSENT), step, (*path, key), ignore)
    elif isinstance(expected, list) and isinstance(got, list):
        expected, got = _ordered(expected, got, step, path)
        if len(expected) != len(got):
            yield Difference((*path, "<length>"), len(expected), len(got))
        for index, (one, other) in enumerate(zip(expected, got, strict=False)):
            yield from _compare(one, other, step, (*path, index), ignore)
    elif isinstance(expected, str) and isinstance(got, str) and len(path) > 1 and path[-2] == "cells" and (
            got in _aged(expected, time.time())):
        return
    elif expected != got or type(expected) is not type(got):
        yield Difference(path, expected, got, wording=bool(path) and path[-1] == "message")


def _aged(cell: str, now: float) -> set[str]:
    """What a cell shows now that showed an age in days when it was recorded: of a time that stands in the scenario."""
    match = _DAYS.fullmatch(cell)
    if match is None:
        return {cell}
    return {f"{int(match[1]) + int((now - late - _RECORDED) // _DAY)}d" for late in (0, _LATEST)}


def _ordered(expected: list[Any], got: list[Any], step: Step, path: Path) -> tuple[list[Any], list[Any]]:
    """Both lists in an order in which they can be compared."""
    if path and path[-1] == "managedFields":
        # In the order of their times, which are whole seconds: it differs from run to run.
        return sorted(expected, key=_manager), sorted(got, key=_manager)
    if any(pattern.count(".") + 1 == len(path) and _covers(pattern, path) for pattern in step.unordered):
        return sorted(expected, key=_canonical), sorted(got, key=_canonical)
    return expected, got


def _covers(pattern: str, path: Path) -> bool:
    """Whether a dotted pattern names the place or one around it."""
    parts = pattern.split(".")
    return len(path) >= len(parts) and all(
        one in ("*", str(other)) for one, other in zip(parts, path, strict=False))


def _manager(entry: Any) -> list[str]:
    return [str(entry.get(key, "")) for key in ("operation", "manager", "subresource", "apiVersion")]


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
