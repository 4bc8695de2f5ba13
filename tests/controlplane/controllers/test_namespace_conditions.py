"""The conditions of namespaces in deletion."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.controllers.namespace_conditions import CONTENT_FAILURE, Conditions

EARLY, LATE = "2026-01-01T00:00:00Z", "2026-01-01T00:00:09Z"


class ConditionsTests(SynchronousTestCase):
    """Conditions applied to a status."""

    def find(self, status: dict[str, Any] | None, type_: str) -> dict[str, Any]:
        assert status is not None
        found: dict[str, Any] = next(one for one in status["conditions"] if one["type"] == type_)
        return found

    def test_well(self) -> None:
        """While all is well, all are False; told again, nothing changes."""
        status = Conditions().applied({"phase": "Terminating"}, EARLY)
        assert status is not None
        self.assertEqual((status["phase"], {one["status"] for one in status["conditions"]}), ("Terminating", {"False"}))
        self.assertIsNone(Conditions().applied(status, LATE))

    def test_transition(self) -> None:
        """The time is that of the last change of the status, not of the message."""
        status = Conditions().applied({}, EARLY)
        assert status is not None
        for error, now in (("one", LATE), ("two", "2026-01-01T00:01:00Z")):
            conditions = Conditions()
            conditions.content_failed([error])
            status = conditions.applied(status, now)
            self.assertEqual(self.find(status, CONTENT_FAILURE), {
                "type": CONTENT_FAILURE, "status": "True", "lastTransitionTime": LATE,
                "reason": "ContentDeletionFailed",
                "message": f"Failed to delete all resource types, 1 remaining: {error}"})
            assert status is not None
        self.assertEqual(self.find(status, "NamespaceContentRemaining")["lastTransitionTime"], EARLY)

    def test_others(self) -> None:
        """Conditions of others stay."""
        other = {"type": "Other", "status": "True"}
        status = Conditions().applied({"conditions": [other]}, EARLY)
        self.assertEqual(self.find(status, "Other"), other)

    def test_discovery(self) -> None:
        """Failing discovery tells how many groups fail."""
        conditions = Conditions()
        conditions.discovery_failed({"a/v1": "no", "b/v1": "no"}, "what fails")
        self.assertEqual(self.find(conditions.applied({}, EARLY), "NamespaceDeletionDiscoveryFailure")["message"],
                         "Discovery failed for some groups, 2 failing: what fails")

    def test_counts(self) -> None:
        """What remains is told in the order of names."""
        conditions = Conditions()
        conditions.content_remains({"pods.": 2, "deployments.apps": 1}, {"x/b": 1, "x/a": 3})
        status = conditions.applied({}, EARLY)
        self.assertEqual(self.find(status, "NamespaceContentRemaining")["message"], (
            "Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances"))
        self.assertEqual(self.find(status, "NamespaceFinalizersRemaining")["message"], (
            "Some content in the namespace has finalizers remaining: x/a in 3 resource instances, "
            "x/b in 1 resource instances"))
