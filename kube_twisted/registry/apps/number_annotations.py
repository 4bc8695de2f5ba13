"""Annotations of apps/v1 that hold numbers, which older versions of the kinds had as fields."""

from __future__ import annotations

import re

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_LIMIT = 1 << 63


def parse_number(kind: str, text: str, why: str = "") -> int:
    """The number that an annotation holds.

    :param why: what the complaint begins with.
    :raises StatusError: 400 for no 64-bit number: an object with such an annotation is not of the kind.
    """
    problem = "invalid syntax" if not _INTEGER.fullmatch(text) else (
        "value out of range" if not -_LIMIT <= int(text) < _LIMIT else "")
    if problem:
        raise errors.bad_request(f'{kind} in version "v1" cannot be handled as a {kind}: {why}'
                                 f"strconv.ParseInt: parsing {go_quote(text)}: {problem}")
    return int(text)
