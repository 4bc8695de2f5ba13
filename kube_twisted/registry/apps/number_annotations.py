"""Annotations of apps/v1 that hold numbers, which older versions of the kinds had as fields."""

from __future__ import annotations

import re

from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.registry.conversion import ConversionError

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_LIMIT = 1 << 63


def parse_number(kind: str, text: str, why: str = "") -> int:
    """The number that an annotation holds.

    :param why: what the complaint begins with.
    :raises ConversionError: for no 64-bit number.
    """
    problem = "invalid syntax" if not _INTEGER.fullmatch(text) else (
        "value out of range" if not -_LIMIT <= int(text) < _LIMIT else "")
    if problem:
        raise ConversionError(GroupVersionKind("apps", "v1", kind),
                              f"{why}strconv.ParseInt: parsing {go_quote(text)}: {problem}")
    return int(text)
