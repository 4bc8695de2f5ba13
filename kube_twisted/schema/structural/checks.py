"""The value validations of one schema, prepared per type of value.

A value has one Python type, and most keywords of a schema speak about one type: what is left to do for a value is
found once, and mostly is nothing. Semantics: JSON schema as kube-openapi's ``validation/validate`` carries it out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from kube_twisted.schema.structural.problems import ROOT, At, Outcome

Schema = Mapping[str, Any]
#: Looks at a value of a known type.
Check: TypeAlias = Callable[[Any, At, Outcome], None]
#: The checks that values of one type need, and how many others they have passed by their type alone.
Plan: TypeAlias = "tuple[tuple[Check, ...], int]"


class Checks:
    """The validations of a schema and all below; made ready when the first value comes.

    :ivar plans: by the type of value.
    """

    __slots__ = ("plans", "schema")

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.plans: dict[type, Plan] = _Plans(schema)

    def run(self, value: Any, at: At, outcome: Outcome) -> None:
        """Add what is wrong with a value to an outcome."""
        checks, passed = self.plans[type(value)]
        outcome.passed(passed)
        for check in checks:
            check(value, at, outcome)

    def outcome(self, value: Any, at: At = ROOT) -> Outcome:
        """What is wrong with a value."""
        result = Outcome()
        self.run(value, at, result)
        return result


class _Plans(dict[type, Plan]):
    """Makes the plan of a type when it is asked for."""

    def __init__(self, schema: Schema) -> None:
        super().__init__()
        self._schema = schema

    def __missing__(self, kind: type) -> Plan:
        from kube_twisted.schema.structural.planning import plan
        made = self[kind] = plan(self._schema, kind)
        return made
