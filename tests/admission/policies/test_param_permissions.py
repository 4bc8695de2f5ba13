"""Who may write policies with parameters."""

from __future__ import annotations

from typing import Any

import orjson

from tests.admission.policies.kit import API, GROUP, Obj, PolicyTestCase, rule
from tests.inprocess import Answer

RBAC = "/apis/rbac.authorization.k8s.io/v1"
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap"}
JANE = "&{jane  [system:authenticated] map[]}"


class PermissionTests(PolicyTestCase):
    """Jane may write policies and bindings, and read the ConfigMap ``allowed`` in the namespace ``default``."""

    def setUp(self) -> None:
        super().setUp()
        self.grant("clusterrole", {"apiGroups": ["admissionregistration.k8s.io"], "resources": ["*"], "verbs": ["*"]})
        self.grant("role", {"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["allowed"],
                            "verbs": ["get"]})

    def grant(self, kind: str, rights: Obj) -> None:
        """Give jane a role."""
        named = {"clusterrole": "ClusterRole", "role": "Role"}[kind]
        path = RBAC if kind == "clusterrole" else f"{RBAC}/namespaces/default"
        name = f"{kind}-{len(self.ask('GET', f'{path}/{kind}s')['items'])}"
        self.ask("POST", f"{path}/{kind}s", {"metadata": {"name": name}, "rules": [rights]})
        self.ask("POST", f"{path}/{kind}bindings", {
            "metadata": {"name": name},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": named, "name": name},
            "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "jane"}]})

    def jane(self, method: str, path: str, body: Any, content_type: str = "application/json") -> Answer:
        return self.send(method, path, orjson.dumps(body), impersonate_user="jane", content_type=content_type)

    def write_policy(self, param_kind: Obj | None, name: str = "p") -> str:
        """What jane is told when she creates a policy; empty when she may."""
        spec = {"matchConstraints": {"resourceRules": [rule("secrets")]}, "validations": [{"expression": "true"}]}
        answer = self.jane("POST", f"{GROUP}/validatingadmissionpolicies", {
            "apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": name},
            "spec": {**spec, **({"paramKind": param_kind} if param_kind else {})}})
        return "" if answer.code == 201 else f"{answer.code} {answer.json['message']}"

    def write_binding(self, kind: str = "Validating", policy: str = "p", **ref: Any) -> str:
        """The same for a binding."""
        actions = {"validationActions": ["Deny"]} if kind == "Validating" else {}
        answer = self.jane("POST", f"{GROUP}/{kind.lower()}admissionpolicybindings?dryRun=All", {
            "apiVersion": API, "kind": f"{kind}AdmissionPolicyBinding", "metadata": {"name": "b"}, "spec": {
                "policyName": policy, "paramRef": {"parameterNotFoundAction": "Deny", **ref}, **actions}})
        return "" if answer.code == 201 else f"{answer.code} {answer.json['message']}"

    def test_policy(self) -> None:
        """A policy with parameters can be written by who may read all of them."""
        self.assertEqual(self.write_policy(None), "")
        self.assertEqual(self.write_policy(CONFIG_MAP, "q"), (
            '422 ValidatingAdmissionPolicy.admissionregistration.k8s.io "q" is invalid: spec.paramKind: Forbidden: '
            f'user {JANE} must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, '
            "apiVersion=v1)"))
        self.grant("clusterrole", {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]})
        self.assertEqual(self.write_policy(CONFIG_MAP, "q"), "")

    def test_update(self) -> None:
        """Who may not read them may change anything else, also the status."""
        self.validating("p", "true", paramKind=CONFIG_MAP, bind=False)
        path, merge = f"{GROUP}/validatingadmissionpolicies/p", "application/merge-patch+json"
        for change in ({"spec": {"failurePolicy": "Ignore"}}, {"spec": {"paramKind": None}}):
            self.assertEqual(self.jane("PATCH", path, change, merge).code, 200)
        self.assertEqual(self.jane("PATCH", path, {"spec": {"paramKind": CONFIG_MAP}}, merge).code, 422)
        self.assertEqual(self.jane("PATCH", f"{path}/status", {"status": {"observedGeneration": 1}}, merge).code, 200)

    def test_unknown_kind(self) -> None:
        """Of a kind that does not exist all resources of its version must be readable."""
        self.assertIn("must have", self.write_policy({"apiVersion": "example.com/v1", "kind": "Nothing"}))
        self.grant("clusterrole", {"apiGroups": ["example.com"], "resources": ["*"], "verbs": ["get"]})
        self.assertEqual(self.write_policy({"apiVersion": "example.com/v1", "kind": "Nothing"}), "")

    def test_binding(self) -> None:
        """A binding can be written by who may read the parameters that it names."""
        self.validating("p", "true", paramKind=CONFIG_MAP, bind=False)
        self.assertEqual(self.write_binding(name="allowed", namespace="default"), "")
        self.assertEqual(self.write_binding(name="other", namespace="default"), (
            '422 ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io "b" is invalid: spec.paramRef: '
            f'Forbidden: user {JANE} does not have "get" permission on the object referenced by paramRef'))
        self.assertIn('does not have "list" permission', self.write_binding(selector={}))
        self.grant("clusterrole", {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]})
        self.assertEqual(self.write_binding(selector={}), "")

    def test_binding_of_nothing(self) -> None:
        """One whose policy is not known by who may read everything."""
        self.assertIn(f'unable to get policy p to determine minimum required permissions and user {JANE} does not have '
                      '"get" permission for all groups, versions and resources', self.write_binding(name="allowed"))
        self.validating("p", "true", paramKind={"apiVersion": "example.com/v1", "kind": "X"}, bind=False)
        self.assertIn("unable to resolve paramKind &ParamKind{APIVersion:example.com/v1,Kind:X,} to determine",
                      self.write_binding(name="allowed"))

    def test_mutating(self) -> None:
        """Mutating policies and bindings are guarded likewise."""
        self.mutating("p", "Object{}", paramKind=CONFIG_MAP, bind=False)
        self.assertEqual(self.write_binding("Mutating", name="allowed", namespace="default"), "")
        self.assertIn("on the object referenced by paramRef",
                      self.write_binding("Mutating", name="other", namespace="default"))

    def test_reserved_names(self) -> None:
        """Names that are kept for files are warned of."""
        answer = self.send("POST", f"{GROUP}/validatingadmissionpolicies", orjson.dumps({
            "metadata": {"name": "x.static.k8s.io"}, "spec": {
                "matchConstraints": {"resourceRules": [rule("secrets")]}, "validations": [{"expression": "true"}]}}))
        self.assertEqual((answer.code, answer.warnings), (201, [
            'metadata.name: names ending with ".static.k8s.io" are reserved for static manifest-based configurations '
            "and cannot be managed via the API"]))
