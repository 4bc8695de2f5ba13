r"""Regular expressions as Go's ``regexp`` has them: the syntax is RE2's, and the time is linear in the text.

RE2 itself does the work. What Go has and RE2 has not: other names of Unicode categories (``\p{Letter}``,
``\p{ASCII}``). Such expressions are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Protocol

#: How much memory one expression may take, in bytes: its program and what RE2 learns while it searches.
MAX_MEMORY = 8 << 20
#: What Go says where RE2 says something else.
_WORDING = {
    "bad repetition operator": "invalid nested repetition operator",
    "invalid named capture group": "invalid named capture",
    "invalid perl operator": "invalid or unsupported Perl syntax",
    "invalid repetition size": "invalid repeat count",
    "missing )": "missing closing )",
    "missing ]": "missing closing ]",
    "no argument for repetition operator": "missing argument to repetition operator",
    "trailing \\": "trailing backslash at end of expression",
}
_TOO_LARGE = "pattern too large"
_LOOK_BEHIND = ("(?<=", "(?<!")
_ESCAPES = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.", re.DOTALL)
#: A single byte of a text's UTF-8: RE2 knows it, Go does not.
_ANY_BYTE = "\\C"


class RegexpError(ValueError):
    """The text is no regular expression; worded as Go's."""

    def __init__(self, problem: str, where: str) -> None:
        super().__init__(f"error parsing regexp: {problem}: `{where}`")


class Match(Protocol):
    """A find in a text. Groups are not remembered."""

    def group(self) -> str:
        """What was found."""

    def start(self) -> int:
        """The index of its first character."""

    def end(self) -> int:
        """The index behind its last character."""


class Regexp:
    """A compiled expression."""

    __slots__ = ("_compiled",)

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def matches(self, text: str) -> bool:
        """Whether the expression is found anywhere in a text; quicker than :meth:`search`."""
        return self._compiled.search(text.encode(errors="replace")) is not None

    def search(self, text: str) -> Match | None:
        """The first find."""
        match: Match | None = self._compiled.search(text)
        return match

    def finditer(self, text: str) -> Iterator[Match]:
        """All finds that do not overlap."""
        matches: Iterator[Match] = self._compiled.finditer(text)
        return matches


@lru_cache(maxsize=128)
def compile_regexp(pattern: str) -> Regexp:
    """Compile an expression.

    :raises RegexpError: Go would not compile it, or it takes more than ``MAX_MEMORY``.
    """
    import re2  # a server without patterns does without its 3 MB

    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.max_mem = MAX_MEMORY
    try:
        compiled = re2.compile(pattern, options)
    except re2.error as error:
        raise _in_go_words(error.args[0].decode(), pattern) from None
    if _ANY_BYTE in _ESCAPES.findall(pattern):
        raise RegexpError("invalid escape sequence", _ANY_BYTE)
    return Regexp(compiled)


def _in_go_words(message: str, pattern: str) -> RegexpError:
    problem, _, where = message.partition(": ")
    if problem.startswith(_TOO_LARGE):
        return RegexpError("expression too large", pattern)
    if where in _LOOK_BEHIND:  # for Go, this starts the name of a group
        rest = pattern[pattern.index(where):]
        return RegexpError("invalid named capture", rest[:rest.find(">") + 1] or rest)
    return RegexpError(_WORDING.get(problem, problem), where)
