"""Classes of characters in Go's regular expressions, as members of a Python character set."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

#: After a backslash.
PERL = {
    "d": "0-9", "D": "\\x00-/:-\\U0010ffff",
    "w": "0-9A-Z_a-z", "W": "\\x00-/:-@\\[-\\^`{-\\U0010ffff",
    "s": "\\t\\n\\x0c\\r ", "S": "\\x00-\\x08\\x0b\\x0e-\\x1f!-\\U0010ffff",
}
#: Inside of ``[:...:]``: the members, and all others.
POSIX = {
    "alnum": ("0-9A-Za-z", "\\x00-/:-@\\[-`{-\\U0010ffff"),
    "alpha": ("A-Za-z", "\\x00-@\\[-`{-\\U0010ffff"),
    "ascii": ("\\x00-\\x7f", "\\x80-\\U0010ffff"),
    "blank": ("\\t ", "\\x00-\\x08\\x0a-\\x1f!-\\U0010ffff"),
    "cntrl": ("\\x00-\\x1f\\x7f", " -~\\x80-\\U0010ffff"),
    "digit": (PERL["d"], PERL["D"]),
    "graph": ("!-~", "\\x00- \\x7f-\\U0010ffff"),
    "lower": ("a-z", "\\x00-`{-\\U0010ffff"),
    "print": (" -~", "\\x00-\\x1f\\x7f-\\U0010ffff"),
    "punct": ("!-/:-@\\[-`{-~", "\\x00- 0-9A-Za-z\\x7f-\\U0010ffff"),
    "space": ("\\t-\\r ", "\\x00-\\x08\\x0e-\\x1f!-\\U0010ffff"),
    "upper": ("A-Z", "\\x00-@\\[-\\U0010ffff"),
    "word": (PERL["w"], PERL["W"]),
    "xdigit": ("0-9A-Fa-f", "\\x00-/:-@G-`g-\\U0010ffff"),
}
_CATEGORIES = frozenset((
    "C", "Cc", "Cf", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No",
    "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs"))
#: Characters that are nothing yet are in no category of Go's.
_UNASSIGNED = "Cn"


@lru_cache(maxsize=64)
def unicode_class(name: str, negated: bool) -> str | None:
    """The members of a general category (``L``, ``Lu``), or all others; None for an unknown name."""
    if name not in _CATEGORIES:
        return None
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in _ranges(name, negated))


def _ranges(name: str, negated: bool) -> Iterator[tuple[int, int]]:
    start: int | None = None
    for code in range(sys.maxunicode + 2):
        inside = code <= sys.maxunicode and _is_in(chr(code), name) != negated
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            yield start, code - 1
            start = None


def _is_in(character: str, name: str) -> bool:
    category = unicodedata.category(character)
    return category != _UNASSIGNED and category.startswith(name)
