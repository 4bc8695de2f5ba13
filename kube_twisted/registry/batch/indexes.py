"""Texts of completed and failed indexes of an Indexed Job, such as ``0,2-4``."""

from __future__ import annotations

import re

from kube_twisted.api.field import go_quote

Interval = tuple[int, int]

_is_number = re.compile(r"[+-]?[0-9]+").fullmatch


def count_indexes(text: str, completions: int) -> int:
    """How many indexes a text names.

    :raises ValueError: it is malformed, not in order, or names an index that the Job does not have.
    """
    total, last = 0, None
    for part in text.split(",") if text else ():
        first, final = parse_interval(part, completions)
        if last is not None and last >= first:
            raise ValueError(f"non-increasing order, previous: {last}, current: {first}")
        total += final - first + 1
        last = final
    return total


def parse_interval(part: str, completions: int) -> Interval:
    """One number or range.

    :raises ValueError: it is malformed or beyond the Job's completions.
    """
    limits = part.split("-")
    if len(limits) > 2:
        raise ValueError(f"the fragment {go_quote(part)} violates the requirement that an index interval can "
                         "have at most two parts separated by '-'")
    first = _index(limits[0], completions)
    if len(limits) == 1:
        return first, first
    final = _index(limits[1], completions)
    if first >= final:
        raise ValueError(f"non-increasing order, previous: {first}, current: {final}")
    return first, final


def _index(text: str, completions: int) -> int:
    if not _is_number(text):
        raise ValueError(f"cannot convert string to integer for index: {go_quote(text)}")
    if int(text) >= completions:
        raise ValueError(f"too large index: {go_quote(text)}")
    return int(text)


def overlap(completed: str, failed: str, completions: int) -> int | None:
    """The first index that is both completed and failed; malformed parts are passed over."""
    others = _intervals(failed, completions)
    for first, final in _intervals(completed, completions):
        for other_first, other_final in others:
            if first <= other_final and other_first <= final:
                return max(first, other_first)
    return None


def _intervals(text: str, completions: int) -> list[Interval]:
    found = []
    for part in text.split(",") if text else ():
        try:
            found.append(parse_interval(part, completions))
        except ValueError:
            continue
    return found
