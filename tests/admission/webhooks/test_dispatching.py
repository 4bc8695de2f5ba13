"""What asking webhooks leaves behind: annotations for the audit log, metrics, warnings."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.internet.defer import Deferred

from kube_twisted.admission.webhooks.assembly import webhook_plugins
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.api.errors import StatusError
from kube_twisted.webhooks.client import WebhookClient
from tests.admission.webhooks.hooks import Hooks, allow, deny, patched, setting
from tests.admission.world import AdmissionTestCase, Obj, pod

PATCH, MUTATION = "patch.webhook.admission.k8s.io/", "mutation.webhook.admission.k8s.io/"


class NoRelatives:
    changed = 0

    def __call__(self, resource: Any, subresource: str) -> Any:
        return ()


class DispatchTestCase(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.hooks = Hooks()
        self.metrics = WebhookMetrics()
        client = WebhookClient(self.hooks, self.world, self.clock)  # type: ignore[arg-type]
        plugins = webhook_plugins(self.world, NoRelatives(), client, self.metrics, self.clock, None)  # type: ignore[arg-type]
        self.mutating: Any = plugins["MutatingAdmissionWebhook"]
        self.validating: Any = plugins["ValidatingAdmissionWebhook"]

    def configure(self, kind: str, **hooks: Any) -> None:
        """Webhooks by name; those that are None can't be reached, and need not be."""
        self.hooks.hooks = {name: hook for name, hook in hooks.items() if hook is not None}
        rule = {"operations": ["*"], "apiGroups": ["*"], "apiVersions": ["*"], "resources": ["*"]}
        self.world.add("admissionregistration.k8s.io", f"{kind}webhookconfigurations", {
            "metadata": {"name": "hooks"}, "webhooks": [
                {"name": f"{name}.example.com", "rules": [rule], "admissionReviewVersions": ["v1"],
                 "sideEffects": "None", "failurePolicy": "Fail" if hook is not None else "Ignore",
                 "clientConfig": {"url": f"https://hooks.example.com/{name}"}} for name, hook in hooks.items()]})

    def annotation(self, key: str) -> Obj:
        found: Obj = orjson.loads(self.annotations[key])
        return found


class AnnotationTests(DispatchTestCase):
    def test_mutation(self) -> None:
        """The audit log is told of each call, whether it changed anything, and how."""
        self.configure("mutating", a=allow, b=setting("/spec/x", 1), c=None)
        obj = self.admit(self.mutating, self.write(pod()))
        self.assertEqual(obj["spec"]["x"], 1)
        self.assertEqual(self.annotation(f"{MUTATION}round_0_index_0"),
                         {"configuration": "hooks", "webhook": "a.example.com", "mutated": False})
        self.assertEqual(self.annotation(f"{MUTATION}round_0_index_1"),
                         {"configuration": "hooks", "webhook": "b.example.com", "mutated": True})
        self.assertEqual(self.annotation(f"{PATCH}round_0_index_1"), {
            "configuration": "hooks", "webhook": "b.example.com", "patchType": "JSONPatch",
            "patch": [{"op": "add", "path": "/spec/x", "value": 1}]})
        self.assertEqual(self.annotations[f"failed-open.{MUTATION}round_0_index_2"], "c.example.com")
        self.assertNotIn(f"{PATCH}round_0_index_0", self.annotations)

    def test_same_again(self) -> None:
        """A patch that changes nothing is a patch, but no mutation."""
        self.configure("mutating", a=setting("/metadata/name", "p"))
        self.admit(self.mutating, self.write(pod()))
        self.assertFalse(self.annotation(f"{MUTATION}round_0_index_0")["mutated"])
        self.assertIn(f"{PATCH}round_0_index_0", self.annotations)

    def test_validation(self) -> None:
        """Who was passed over is noted, by its place among those that were asked."""
        self.configure("validating", a=allow, b=None)
        self.validate(self.validating, self.write(pod()))
        self.assertEqual(self.annotations,
                         {"failed-open.validating.webhook.admission.k8s.io/round_0_index_1": "b.example.com"})

    def test_own(self) -> None:
        """Annotations of webhooks go under their names; those whose key can't be one are left out."""
        self.configure("validating", a=lambda _request: {
            "allowed": True, "auditAnnotations": {"why": "because", "a/b": "c", "": "d"}})
        self.validate(self.validating, self.write(pod()))
        self.assertEqual(self.annotations, {"a.example.com/why": "because"})


class MetricsTests(DispatchTestCase):
    def test_calls(self) -> None:
        """Every call is counted with its code, and what it meant for the write."""
        self.configure("mutating", a=allow, b=None)
        self.admit(self.mutating, self.write(pod()))
        self.assertEqual(self.metrics.requests, {
            ("a.example.com", "admit", "CREATE", "200", "false"): 1,
            ("b.example.com", "admit", "CREATE", "503", "false"): 1})
        self.assertEqual(self.metrics.opened, {("b.example.com", "admit"): 1})
        self.assertEqual(self.metrics.rejections, {})

    def test_rejections(self) -> None:
        """A no, a failure and a patch that does not fit are told apart; large codes are all the same."""
        for error_type, code, hook in (
            ("no_error", "400", deny),
            ("no_error", "600", lambda _request: {"allowed": False, "status": {"code": 999}}),
            ("calling_webhook_error", "503", lambda _request: {"uid": "x"}),
            ("apiserver_internal_error", "0", lambda _request: patched({"op": "remove", "path": "/x"})),
        ):
            self.configure("mutating", a=hook)
            self.metrics.rejections.clear()
            self.assertRaises(StatusError, self.admit_now)
            self.assertEqual(self.metrics.rejections, {("a.example.com", "admit", "CREATE", error_type, code): 1})

    def admit_now(self) -> None:
        self.failureResultOf(Deferred.fromCoroutine(self.mutating.admit(self.write(pod())))).raiseException()

    def test_dry_run(self) -> None:
        """A webhook that would do something is not asked about a dry run, and the write is refused."""
        self.configure("mutating", a=allow)
        self.world.peek_all("admissionregistration.k8s.io", "mutatingwebhookconfigurations")[0]["webhooks"][0][
            "sideEffects"] = "Some"
        error = self.refusal(self.mutating.admit, self.write(pod(), dry_run=True), 400)
        self.assertEqual(error.message, 'admission webhook "a.example.com" does not support dry run')
        self.assertEqual(self.hooks.requests, [])
        self.assertEqual(self.metrics.rejections, {
            ("a.example.com", "admit", "CREATE", "apiserver_internal_error", "0"): 1})
