"""What policies tell the audit log, in the log."""

from __future__ import annotations

from tests.admission.policies.kit import PolicyTestCase, rule
from tests.controlplane.test_auditing import AuditCase
from tests.inprocess import CONFIG_MAPS, NAMESPACE

FAILURE = "validation.policy.admission.k8s.io/validation_failure"


class AuditedTests(PolicyTestCase, AuditCase):
    settings = {"admission.disablePlugins": ["ServiceAccount"]}

    def annotations(self) -> dict[str, str]:
        """Those of the last event that policies have made."""
        found: dict[str, str] = self.last()["annotations"]
        return {key: text for key, text in found.items() if not key.startswith("authorization.k8s.io/")}

    def test_write(self) -> None:
        """The first failure of a write that is noted, and annotations; texts are written as Go writes JSON."""
        self.validating("p", "object.data.n < '5'", "object.data.n > '9'", bind={"validationActions": ["Audit"]},
                        auditAnnotations=[{"key": "n", "valueExpression": "'n is ' + string(object.data.n)"}])
        self.as_admin("POST", CONFIG_MAPS, {"metadata": {"name": "x"}, "data": {"n": "7"}})
        self.assertEqual(self.annotations(), {
            "p/n": "n is 7",
            FAILURE: '[{"message":"failed expression: object.data.n \\u003c \'5\'","policy":"p","binding":"p",'
                     '"expressionIndex":0,"validationActions":["Audit"]}]'})

    def test_refused(self) -> None:
        """Refused writes are annotated too."""
        self.validating("p", "false", auditAnnotations=[{"key": "k", "valueExpression": "'v'"}])
        self.as_admin("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual(self.annotations(), {"p/k": "v"})

    def test_deletion_and_connection(self) -> None:
        """So are deletions and connections."""
        self.ask("POST", f"{NAMESPACE}/pods", {
            "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}})
        self.validating("p", "true", rules=[rule("pods", "pods/exec", operations=("DELETE", "CONNECT"))],
                        auditAnnotations=[{"key": "what", "valueExpression": "request.operation"}])
        for method, path, expected in (("POST", "pods/p/exec?command=ls", "CONNECT"), ("DELETE", "pods/p", "DELETE")):
            self.as_admin(method, f"{NAMESPACE}/{path}")
            self.assertEqual(self.annotations(), {"p/what": expected})
