"""How the validation of values is put together: checks, plans of checks, and what makes them for a schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeAlias

from kube_twisted.schema.structural.problems import At, Outcome

Schema = Mapping[str, Any]
#: Looks at a value of a known type.
Check: TypeAlias = Callable[[Any, At, Outcome], None]
#: What a keyword needs for values of a type: a check or nothing, and how many checks the type alone has passed.
Part: TypeAlias = "tuple[Check | None, int]"
#: All checks that values of a type need, and how many others they have passed.
Plan: TypeAlias = "tuple[tuple[Check, ...], int]"


class Validator(Protocol):
    """Validates values against one schema."""

    @property
    def plans(self) -> Mapping[type, Plan]:
        """By the type of value."""

    def run(self, value: Any, at: At, outcome: Outcome) -> None:
        """Add what is wrong with a value to an outcome."""

    def outcome(self, value: Any, at: At) -> Outcome:
        """What is wrong with a value."""


#: Makes the validator of a schema inside another one.
Make: TypeAlias = Callable[[Schema], Validator]
