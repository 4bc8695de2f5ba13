"""The conditions of a definition that follow from its spec."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.apiextensions.establishing import establish, note_approval, note_structure
from kube_twisted.registry.apiextensions.conditions import find
from tests.apiextensions.widgets import definition, version

NOW, LATER = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def named(status: str = "True", **spec: Any) -> dict[str, Any]:
    """A definition whose names are accepted, or not."""
    made = definition(**spec)
    made["status"] = {"conditions": [{"type": "NamesAccepted", "status": status, "reason": "r", "message": "m"}]}
    return made


class EstablishTests(SynchronousTestCase):
    def test_accepted(self) -> None:
        """A definition whose names are accepted is established, once."""
        crd = named()
        self.assertTrue(establish(crd, NOW))
        self.assertEqual(find(crd, "Established"), {
            "type": "Established", "status": "True", "lastTransitionTime": NOW, "reason": "InitialNamesAccepted",
            "message": "the initial names have been accepted"})
        self.assertFalse(establish(crd, LATER))

    def test_not_accepted(self) -> None:
        """One whose names are not is left alone."""
        crd = named("False")
        self.assertFalse(establish(crd, NOW))
        self.assertIsNone(find(crd, "Established"))

    def test_bad_bundle(self) -> None:
        """One whose conversion could never be trusted waits, and tells so, once; then it is established."""
        conversion = {"strategy": "Webhook", "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {
            "url": "https://example.com", "caBundle": "bm90IGEgY2VydGlmaWNhdGU="}}}
        crd = named(conversion=conversion)
        self.assertEqual((establish(crd, NOW), establish(crd, LATER)), (True, False))
        found = find(crd, "Established")
        assert found is not None
        self.assertEqual((found["status"], found["reason"]), ("False", "InvalidCABundle"))
        crd["spec"]["conversion"] = {"strategy": "None"}
        self.assertTrue(establish(crd, LATER))


class StructureTests(SynchronousTestCase):
    def test_structural(self) -> None:
        """A structural schema has no condition, and loses one that it had."""
        crd = named()
        self.assertFalse(note_structure(crd, NOW))
        crd["status"]["conditions"].append({"type": "NonStructuralSchema", "status": "True", "reason": "Violations",
                                            "message": "m"})
        self.assertTrue(note_structure(crd, NOW))
        self.assertIsNone(find(crd, "NonStructuralSchema"))

    def test_violations(self) -> None:
        """What is not structural is told, all of it."""
        crd = definition(version("v1", {"type": "object", "properties": {"a": {}}}), preserveUnknownFields=True)
        self.assertEqual((note_structure(crd, NOW), note_structure(crd, LATER)), (True, False))
        found = find(crd, "NonStructuralSchema")
        assert found is not None
        self.assertEqual((found["status"], found["reason"], found["lastTransitionTime"]), ("True", "Violations", NOW))
        self.assertEqual(found["message"], (
            "[spec.preserveUnknownFields: Invalid value: true: must be false, spec.versions[0].schema.openAPIV3Schema."
            "properties[a].type: Required value: must not be empty for specified object fields]"))

    def test_no_schema(self) -> None:
        """A version without a schema violates nothing."""
        crd = definition({"name": "v1", "served": True, "storage": True})
        self.assertFalse(note_structure(crd, NOW))


class ApprovalTests(SynchronousTestCase):
    def noted(self, group: str, annotation: str | None = None) -> tuple[str, str] | None:
        """Status and reason of the condition."""
        crd = definition(group=group)
        if annotation is not None:
            crd["metadata"]["annotations"] = {"api-approved.kubernetes.io": annotation}
        changed = note_approval(crd, NOW)
        found = find(crd, "KubernetesAPIApprovalPolicyConformant")
        self.assertEqual(changed, found is not None)
        self.assertFalse(note_approval(crd, LATER))
        return (found["status"], found["reason"]) if found else None

    def test_own_groups(self) -> None:
        """Groups of one's own need no approval."""
        for group in ("example.com", "xk8s.io", "k8s.io.example.com"):
            self.assertIsNone(self.noted(group), group)

    def test_protected_groups(self) -> None:
        """Those of Kubernetes do: an address where it was given, or the word that it was not."""
        for annotation, expected in (
            (None, ("False", "MissingAnnotation")), ("", ("False", "MissingAnnotation")),
            ("somebody", ("False", "InvalidAnnotation")), ("unapproved, a test", ("False", "UnapprovedAnnotation")),
            ("https://github.com/kubernetes/kubernetes/pull/1", ("True", "ApprovedAnnotation")),
        ):
            for group in ("k8s.io", "x.k8s.io", "kubernetes.io", "x.y.kubernetes.io"):
                self.assertEqual(self.noted(group, annotation), expected)
