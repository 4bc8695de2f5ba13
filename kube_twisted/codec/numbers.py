"""Numbers of JSON data as Go holds them where no type tells: whole ones in 64 bits are integers, all others floats."""

from __future__ import annotations

import re
from typing import Any

#: What JSON text has if a number in it may not be held as it is parsed here.
_UNUSUAL = re.compile(rb"[0-9][.eE]|[0-9]{19}")
_LOW, _HIGH = -(1 << 63), (1 << 63) - 1


def may_have_unusual(text: bytes) -> bool:
    """Whether JSON text may have numbers that :func:`settle` changes; wrong only towards yes."""
    return _UNUSUAL.search(text) is not None


def settle(value: Any) -> Any:
    """The value with its numbers so; dicts and lists are changed in place."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, (float, int, dict, list)):
                value[key] = settle(item)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if isinstance(item, (float, int, dict, list)):
                value[index] = settle(item)
    elif isinstance(value, float):
        return int(value) if value.is_integer() and _LOW <= value <= _HIGH else value
    elif type(value) is int and not _LOW <= value <= _HIGH:
        return float(value)
    return value
