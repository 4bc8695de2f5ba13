"""Match conditions of webhooks, in a server."""

from __future__ import annotations

from typing import Any

from tests.admission.webhooks.hooks import HookTestCase, allow
from tests.inprocess import CONFIG_MAPS


class ConditionTests(HookTestCase):
    def asked(self, *expressions: str, **more: Any) -> bool:
        """Whether a webhook with conditions is asked about a ConfigMap."""
        conditions = [{"name": f"c{index}", "expression": one} for index, one in enumerate(expressions)]
        self.validating("see", allow, matchConditions=conditions, **more)
        self.config_map("x", {"a": "b"})
        return bool(self.hooks.requests)

    def test_all_true(self) -> None:
        """A webhook is asked when all its conditions hold."""
        self.assertTrue(self.asked("object.metadata.name == 'x'", "request.operation == 'CREATE'",
                                   "oldObject == null", "request.userInfo.username == 'system:apiserver'"))

    def test_one_false(self) -> None:
        """One that is false decides, whatever is wrong with others."""
        self.assertFalse(self.asked("object.nothing == 1", "object.metadata.name != 'x'"))
        self.assertIn('apiserver_admission_match_condition_exclusions_total{kind="webhook",name="see.example.com",'
                      'operation="CREATE",type="validating"} 1.0', self.send("GET", "/metrics").body.decode())

    def test_authorizer(self) -> None:
        """Conditions may ask what the user may do."""
        self.assertTrue(self.asked("authorizer.group('').resource('configmaps').check('delete').allowed()",
                                   "authorizer.requestResource.check('create').allowed()"))

    def test_failure(self) -> None:
        """One without a value refuses the write."""
        self.validating("see", allow, matchConditions=[{"name": "c", "expression": "object.nothing == 1"}])
        error = self.refused("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual((error.code, error.message), (
            403, 'configmaps "x" is forbidden: expression \'object.nothing == 1\' resulted in error: no such key: '
                 "nothing"))
        self.assertEqual(self.hooks.requests, [])

    def test_ignored_failure(self) -> None:
        """Where failures do not matter it leaves the webhook out."""
        self.assertFalse(self.asked("object.nothing == 1", failurePolicy="Ignore"))

    def test_what_the_webhook_sees(self) -> None:
        """Conditions look at objects as the webhook would see them."""
        rule = {"apiGroups": ["autoscaling"], "apiVersions": ["v2"], "operations": ["*"],
                "resources": ["horizontalpodautoscalers"]}
        self.validating("v2", allow, rules=[rule], matchConditions=[
            {"name": "c", "expression": "object.spec.metrics[0].resource.target.averageUtilization == 50"}])
        self.ask("POST", "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers", {
            "metadata": {"name": "h"}, "spec": {
                "maxReplicas": 3, "targetCPUUtilizationPercentage": 50,
                "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"}}})
        self.assertEqual(self.hooks.names, ["v2"])
