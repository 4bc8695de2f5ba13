"""What value validation finds, worded as kube-openapi words it, and how it becomes field errors."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from attrs import field, frozen, mutable

from kube_twisted.api.field import FieldError, not_supported, required, too_long, too_many
from kube_twisted.schema.structural.shown import shown

#: Where a value is: the place of what it is in, its key or index, and the path as text. A bare tuple, because one is
#: made for every field looked into.
At: TypeAlias = "tuple[At | None, str | int, str]"
Kind = Literal["TypeInvalid", "Invalid", "Required", "NotSupported", "TooLong", "TooMany", "Text"]

ROOT: At = (None, "", "")


@frozen
class Problem:
    """One thing wrong.

    :ivar message: unique: the same message is not reported twice.
    :ivar name: the path of the value.
    :ivar value: the value that is shown; None shows as an empty text.
    :ivar kind: ``Text`` is an error that names no field.
    :ivar allowed: what would be right: the maximum, or the values of an enumeration.
    """

    message: str
    name: str = ""
    value: Any = None
    kind: Kind = "Invalid"
    allowed: Any = None

    def field_error(self, path: str) -> FieldError:
        """The error of an object's field; ``path`` is where the validated value sits, "" for a whole object."""
        name = self.name.removeprefix(".")
        here = f"{path}.{name}" if path and name else path or name or "<nil>"
        match self.kind:
            case "Text":
                return FieldError("Invalid", path or "<nil>", "", self.message)
            case "Required":
                return required(here)
            case "NotSupported":
                return not_supported(here, shown(self.value), self.allowed)
            case "TooLong":
                return too_long(here, self.allowed)
            case "TooMany":
                return too_many(here, self.value, self.allowed)
        return FieldError(self.kind, here, "" if self.value is None else shown(self.value), self.message)


@mutable
class Outcome:
    """What came out of validating one value.

    :ivar problems: by message; each with the place that is to blame, which is above the value if a combination of
        schemas (``anyOf``) was not met.
    :ivar score: how many checks were passed: of several failed alternatives, the best one's problems are shown.
    """

    problems: dict[str, tuple[Problem, At]] = field(factory=dict)
    score: int = 0

    def add(self, problem: Problem, at: At) -> None:
        self.problems.setdefault(problem.message, (problem, at))

    def absorb(self, other: Outcome, at: At) -> None:
        """Take over what an alternative at a place came to."""
        self.score += other.score
        for problem, _ in other.problems.values():
            self.add(problem, at)
