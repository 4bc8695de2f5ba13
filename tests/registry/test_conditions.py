"""Conditions of the common form."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.conditions import validate_conditions

GOOD: dict[str, Any] = {"type": "Ready", "status": "True", "reason": "Done",
                        "lastTransitionTime": "2026-01-01T00:00:00Z"}


class ConditionTests(SynchronousTestCase):
    def errors(self, *conditions: dict[str, Any]) -> list[str]:
        return [str(one) for one in validate_conditions("c", list(conditions))]

    def test_complete(self) -> None:
        """A condition needs a type, a status, a reason and the time since when."""
        self.assertEqual(self.errors(GOOD), [])
        self.assertEqual([one.split(": ")[0] for one in self.errors({})], [
            "c[0].type", "c[0].type", "c[0].status", "c[0].lastTransitionTime", "c[0].reason"])

    def test_once(self) -> None:
        """A type is there once."""
        self.assertEqual(self.errors(GOOD, GOOD), ['c[1].type: Duplicate value: "Ready"'])

    def test_limits(self) -> None:
        """Reasons are words of limited length; messages are limited; generations are not negative."""
        for change in ({"reason": "not a word"}, {"reason": "x" * 1025}, {"message": "x" * 32769},
                       {"observedGeneration": -1}, {"status": "Perhaps"}):
            self.assertEqual(len(self.errors({**GOOD, **change})), 1, change)
