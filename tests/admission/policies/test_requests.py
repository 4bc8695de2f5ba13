"""What policies see of requests that are no plain writes, and what they may ask and tell."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission.attributes import Attributes
from tests.admission.policies.kit import GROUP, PolicyTestCase, applying, because, patching, rule
from tests.inprocess import CONFIG_MAPS, NAMESPACE

RBAC = "/apis/rbac.authorization.k8s.io/v1"


class SubresourceTests(PolicyTestCase):
    overrides = {"admission.disablePlugins": ["ServiceAccount"]}

    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", f"{NAMESPACE}/pods", {
            "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}})

    def test_connect(self) -> None:
        """Connections show what they are made with."""
        self.validating("v", {
            "expression": "object.command[0] != 'rm'",
            "messageExpression": "request.operation + ' ' + request.subResource + ' ' + object.kind"},
            rules=[rule("pods/exec", operations=("CONNECT",))])
        self.assertIn(because("v", "CONNECT exec PodExecOptions"),
                      self.refused("POST", f"{NAMESPACE}/pods/p/exec?command=rm&command=-rf").message)
        self.assertNotIn("Policy", self.refused("POST", f"{NAMESPACE}/pods/p/exec?command=ls").message)

    def test_connect_mutated(self) -> None:
        """They can be patched, but nothing can be applied to them."""
        self.mutating("m", applying("Object{stdin: true}"), rules=[rule("pods/exec", operations=("CONNECT",))])
        self.assertEqual(self.refused("POST", f"{NAMESPACE}/pods/p/exec?command=ls").message, (
            "policy 'm' with binding 'm' denied request: error applying patch: failed to convert patch object to typed "
            "object: no corresponding type for /v1, Kind=PodExecOptions"))
        self.ask("DELETE", f"{GROUP}/mutatingadmissionpolicies/m")
        self.mutating("n", patching("[JSONPatch{op: 'replace', path: '/command', value: ['rm']}]"),
                      rules=[rule("pods/exec", operations=("CONNECT",))])
        self.validating("v", {"expression": "false", "messageExpression": "string(object.command[0])"},
                        rules=[rule("pods/exec", operations=("CONNECT",))])
        self.assertIn(because("v", "rm"), self.refused("POST", f"{NAMESPACE}/pods/p/exec?command=ls").message)

    def test_eviction(self) -> None:
        """Evictions and bindings are creations of their own kinds."""
        self.validating("v", {"expression": "false", "messageExpression": "request.kind.kind + object.metadata.name"},
                        rules=[rule("pods/eviction", "pods/binding", operations=("CREATE",))])
        self.assertIn(because("v", "Evictionp"), self.refused("POST", f"{NAMESPACE}/pods/p/eviction", {
            "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}).message)
        self.assertIn(because("v", "Bindingp"), self.refused("POST", f"{NAMESPACE}/pods/p/binding", {
            "metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}).message)


class AuthorizerTests(PolicyTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.ask("POST", f"{RBAC}/clusterroles", {"metadata": {"name": "reader"}, "rules": [
            {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["create", "get"]},
            {"nonResourceURLs": ["/healthz"], "verbs": ["get"]}]})
        self.ask("POST", f"{RBAC}/clusterrolebindings", {
            "metadata": {"name": "reader"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "reader"},
            "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "ann"},
                         {"kind": "ServiceAccount", "name": "bot", "namespace": "default"}]})

    def allows(self, check: str) -> bool:
        """Whether a check is allowed for ann."""
        self.validating("p", {"expression": f"{check}.allowed()", "message": "not allowed"})
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata": {"name": "x"}}', impersonate_user="ann")
        self.ask("DELETE", f"{GROUP}/validatingadmissionpolicies/p")
        self.ask("DELETE", f"{GROUP}/validatingadmissionpolicybindings/p")
        if answer.code == 201:
            self.ask("DELETE", f"{CONFIG_MAPS}/x")
        else:
            self.assertIn("not allowed", answer.json["message"])
        return bool(answer.code == 201)

    def test_checks(self) -> None:
        """Expressions learn what the requesting user may do."""
        self.assertTrue(self.allows("authorizer.group('').resource('configmaps').namespace('default').check('get')"))
        self.assertFalse(self.allows("authorizer.group('').resource('configmaps').check('delete')"))
        self.assertFalse(self.allows("authorizer.group('').resource('secrets').check('get')"))
        self.assertTrue(self.allows("authorizer.requestResource.check('create')"))
        self.assertFalse(self.allows("authorizer.requestResource.check('delete')"))

    def test_paths(self) -> None:
        """They may ask about paths too."""
        self.assertTrue(self.allows("authorizer.path('/healthz').check('get')"))
        self.assertFalse(self.allows("authorizer.path('/metrics').check('get')"))

    def test_service_accounts(self) -> None:
        """And about service accounts."""
        self.assertTrue(self.allows(
            "authorizer.serviceAccount('default', 'bot').group('').resource('configmaps').check('get')"))
        self.assertFalse(self.allows(
            "authorizer.serviceAccount('default', 'other').group('').resource('configmaps').check('get')"))

    def test_errors(self) -> None:
        """A check of nothing has no value."""
        for check, why in (("authorizer.path(' ').check('get')", "path must not be empty"),
                           ("authorizer.group('').resource('').check('get')", "resource must not be empty"),
                           ("authorizer.serviceAccount('A', 'x').path('/').check('get')",
                            "Invalid service account namespace"),
                           ("authorizer.serviceAccount('a', 'X').path('/').check('get')",
                            "Invalid service account name")):
            self.validating("p", f"{check}.allowed()")
            self.assertTrue(self.denied().endswith(f"resulted in error: {why}"))
            self.ask("DELETE", f"{GROUP}/validatingadmissionpolicies/p")
            self.ask("DELETE", f"{GROUP}/validatingadmissionpolicybindings/p")

    def test_mutating(self) -> None:
        """Mutations may ask as well."""
        self.mutating("m", "authorizer.requestResource.check('delete').allowed() ? Object{data: {'may': 'delete'}} : "
                           "Object{data: {'may': 'not'}}")
        answer = self.send("POST", CONFIG_MAPS, b'{"metadata": {"name": "x"}}', impersonate_user="ann")
        self.assertEqual(answer.json["data"], {"may": "not"})
        self.assertEqual(self.create("y")["data"], {"may": "delete"})


class AuditTests(PolicyTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.notes: list[tuple[str, str]] = []
        chain = self.cluster.server.completed.admission.chain
        validate = chain.validate

        def noting(attributes: Attributes) -> Any:
            attributes.annotate = lambda key, text: self.notes.append((key, text))
            return validate(attributes)

        self.patch(chain, "validate", noting)

    def test_failures(self) -> None:
        """Where a binding says so, failures are noted for the audit log."""
        self.validating("p", "true", {"expression": "false", "message": "bad"},
                        bind={"validationActions": ["Audit", "Warn"]})
        self.create()
        self.assertEqual(self.notes, [(
            "validation.policy.admission.k8s.io/validation_failure",
            '[{"message":"bad","policy":"p","binding":"p","expressionIndex":1,"validationActions":["Audit","Warn"]}]')])

    def test_annotations(self) -> None:
        """Annotations are noted under the policy's name, whatever the verdict is; null and blanks are not."""
        self.validating("p", "false", auditAnnotations=[
            {"key": "name", "valueExpression": "' ' + object.metadata.name"},
            {"key": "nothing", "valueExpression": "null"}, {"key": "blank", "valueExpression": "'  '"},
            {"key": "size", "valueExpression": "string(size(object.metadata.name))"}])
        self.denied()
        self.assertEqual(self.notes, [("p/name", "x"), ("p/size", "1")])

    def test_of_parameters(self) -> None:
        """Different texts for different parameters are joined, equal ones are noted once."""
        for name, text in (("a", "1"), ("b", "2"), ("c", "1")):
            self.create(name, {"text": text}, labels={"param": "yes"})
        self.validating("p", "true", paramKind={"apiVersion": "v1", "kind": "ConfigMap"}, auditAnnotations=[
            {"key": "text", "valueExpression": "string(params.data.text)"}], bind={
                "paramRef": {"parameterNotFoundAction": "Deny", "selector": {"matchLabels": {"param": "yes"}}}})
        self.create()
        self.assertEqual(self.notes, [("p/text", "1, 2")])

    def test_errors(self) -> None:
        """An annotation without a value refuses the write, unless the policy may fail."""
        self.validating("p", "true", auditAnnotations=[{"key": "k", "valueExpression": "string(object.data.a)"}])
        self.assertEqual(self.denied(), because(
            "p", "expression 'string(object.data.a)' resulted in error: no such key: data"))
        self.merge(f"{GROUP}/validatingadmissionpolicies/p", {"spec": {"failurePolicy": "Ignore"}})
        self.create()


class MetricsTests(PolicyTestCase):
    def metrics(self) -> set[str]:
        return {line for line in self.send("GET", "/metrics").body.decode().splitlines() if 'policy' in line}

    def test_validating(self) -> None:
        """Denials and errors are counted, with what became of them."""
        self.validating("p", "false", bind={"validationActions": ["Warn"]})
        self.validating("q", "object.nothing == 1", failurePolicy="Ignore")
        self.create()
        shown = self.metrics()
        for policy, action in (("p", "warn"), ("q", "allow")):
            labels = (f'{{enforcement_action="{action}",error_type="invalid_error",policy="{policy}",'
                      f'policy_binding="{policy}"}} 1.0')
            self.assertIn(f"apiserver_validating_admission_policy_check_total{labels}", shown)

    def test_mutating(self) -> None:
        """Mutations are counted, those that fail too; so are evaluations of conditions."""
        self.mutating("p", "Object{data: {'a': 'b'}}", "Object{data: 1}", failurePolicy="Ignore",
                      matchConditions=[{"name": "c", "expression": "true"}])
        self.create()
        shown = self.metrics()
        for error in ("no_error", "invalid_error"):
            labels = f'{{error_type="{error}",policy="p",policy_binding="p"}}'
            self.assertIn(f"apiserver_mutating_admission_policy_check_total{labels} 1.0", shown)
        self.assertIn('apiserver_admission_match_condition_evaluation_seconds_count{kind="policy",name="p",'
                      'operation="CREATE",type="validate"} 2.0', shown)
