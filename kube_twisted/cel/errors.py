"""What can go wrong with an expression: when it is compiled, and when it is evaluated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from kube_twisted.cel.source import Source

MAX_REPORTED = 100


@frozen
class Issue:
    """One complaint about an expression's text. ``offset`` counts characters; a negative one is nowhere."""

    offset: int
    message: str


class CompilationFailed(Exception):
    """The expression can't be used; the text lists every issue under the line it is about."""

    def __init__(self, source: Source, issues: list[Issue]) -> None:
        self.issues = sorted(issues, key=lambda one: source.position(one.offset))
        super().__init__(source, issues)
        self._source = source

    def __str__(self) -> str:
        texts = [self._source.display(one) for one in self.issues[:MAX_REPORTED]]
        if len(self.issues) > MAX_REPORTED:
            texts.append(f"{len(self.issues) - MAX_REPORTED} more errors were truncated")
        return "\n".join(texts)


class CelError(Exception):
    """An evaluation ended in an error value, such as ``no such key: x``."""


class CostExceeded(Exception):
    """An evaluation was given up because it cost too much. Not an error value: no operator absorbs it."""

    text = "operation cancelled: actual cost limit exceeded"

    def __init__(self) -> None:
        super().__init__(self.text)


class Interrupted(CostExceeded):
    """An evaluation was given up because it took too long, whatever it cost by the books."""

    text = "operation interrupted"


def no_such_overload() -> CelError:
    return CelError("no such overload")
