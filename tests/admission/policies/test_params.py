"""Parameters of policies."""

from __future__ import annotations

from typing import Any

from tests.admission.policies.kit import GROUP, Obj, PolicyTestCase, because, rule
from tests.apiextensions.widgets import DEFINITIONS, WIDGETS, definition, integer, obj, version, widget
from tests.inprocess import NAMESPACE

SECRETS = f"{NAMESPACE}/secrets"
CONFIG_MAP = {"apiVersion": "v1", "kind": "ConfigMap"}


class ParamTestCase(PolicyTestCase):
    def policy(self, kind: Obj, validation: str | Obj, ref: Obj | None, **more: Any) -> None:
        """A policy about Secrets with parameters."""
        bind = {} if ref is None else {"paramRef": {"parameterNotFoundAction": "Deny", **ref}}
        self.validating("p", validation, paramKind=kind, rules=[rule("secrets")], bind=bind, **more)

    def secret(self, name: str) -> Obj:
        return self.ask("POST", SECRETS, {"metadata": {"name": name}})

    def refusal(self, name: str = "x") -> str:
        error = self.refused("POST", SECRETS, {"metadata": {"name": name}})
        return error.message.removeprefix(f'secrets "{name}" is forbidden: ')


class BuiltinTests(ParamTestCase):
    def test_by_name(self) -> None:
        """A parameter is found by name, in the namespace of the write unless the binding names one."""
        self.policy(CONFIG_MAP, {"expression": "object.metadata.name == params.data.name",
                                 "messageExpression": "params.kind + ' ' + params.apiVersion + ' ' + params.data.name"},
                    {"name": "allowed"})
        self.assertEqual(self.refusal(), because(
            "p", "failed to configure binding: no params found for policy binding with `Deny` "
                 "parameterNotFoundAction"))
        self.create("allowed", {"name": "y"})
        self.assertEqual(self.refusal(), because("p", "ConfigMap v1 y"))
        self.secret("y")
        self.merge(f"{NAMESPACE}/configmaps/allowed", {"data": {"name": "x"}})
        self.secret("x")

    def test_by_selector(self) -> None:
        """All that are selected are asked for, one after the other."""
        self.policy(CONFIG_MAP, {"expression": "object.metadata.name != params.data.name",
                                 "messageExpression": "'not ' + params.data.name"},
                    {"selector": {"matchLabels": {"a": "b"}}})
        for name in ("u", "v"):
            self.create(name, {"name": name}, labels={"a": "b"})
        self.create("w", {"name": "w"})
        self.assertEqual([self.refusal(name) for name in ("u", "v")], [because("p", f"not {one}") for one in "uv"])
        self.secret("w")

    def test_not_found(self) -> None:
        """Where they may be missing, nothing is asked without them."""
        self.policy(CONFIG_MAP, "false", {"name": "absent", "parameterNotFoundAction": "Allow"})
        self.secret("x")

    def test_no_reference(self) -> None:
        """A binding without a reference gives none."""
        self.policy(CONFIG_MAP, {"expression": "params != null", "message": "none"}, None)
        self.assertEqual(self.refusal(), because("p", "none"))

    def test_places(self) -> None:
        """Namespaced parameters need a namespace, others must have none."""
        node = {"apiVersion": "v1", "kind": "Node"}
        self.policy(node, "true", {"name": "n", "namespace": "default"})
        self.assertEqual(self.refusal(), because(
            "p", "failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped "
                 "`paramKind`"))
        self.validating("q", "true", paramKind=CONFIG_MAP, rules=[rule("nodes")],
                        bind={"paramRef": {"parameterNotFoundAction": "Allow", "name": "x"}})
        self.assertIn(because("q", "failed to configure binding: cannot use namespaced paramRef in policy binding "
                                   "that matches cluster-scoped resources"),
                      self.refused("POST", "/api/v1/nodes", {"metadata": {"name": "n"}}).message)

    def test_cluster_scoped(self) -> None:
        """Cluster-scoped parameters are found for writes anywhere."""
        self.ask("POST", "/api/v1/nodes", {"metadata": {"name": "n", "labels": {"name": "x"}}})
        self.policy({"apiVersion": "v1", "kind": "Node"}, "object.metadata.name == params.metadata.labels.name",
                    {"name": "n"})
        self.secret("x")
        self.refusal("y")

    def test_other_version(self) -> None:
        """They come in the version that the policy names, also when they change."""
        path = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers"
        self.ask("POST", path, {"metadata": {"name": "h", "labels": {"a": "b"}}, "spec": {
            "maxReplicas": 3, "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"},
            "metrics": [{"type": "Resource", "resource": {
                "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}}}]}})
        validation = "params.apiVersion == 'autoscaling/v1' && params.spec.targetCPUUtilizationPercentage == 50"
        self.policy({"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler"}, validation, {"name": "h"})
        self.bind("Validating", "selecting", "p", paramRef={
            "parameterNotFoundAction": "Deny", "selector": {"matchLabels": {"a": "b"}}})
        self.secret("x")
        found = self.ask("GET", f"{path}/h")
        found["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] = 60
        self.ask("PUT", f"{path}/h", found)
        self.refusal("y")
        self.ask("DELETE", f"{path}/h")
        self.assertIn("no params found", self.refusal("y"))


class CustomTests(ParamTestCase):
    KIND: Obj = {"apiVersion": "example.com/v1", "kind": "Widget"}

    def define(self, *versions: Obj) -> None:
        self.ask("POST", DEFINITIONS, definition(*versions))
        self.cluster.run(0.1)

    def test_not_defined(self) -> None:
        """A policy whose kind of parameters does not exist refuses until it does."""
        self.policy(self.KIND, "params.spec.size == 3", {"name": "a"})
        self.assertEqual(self.refusal(), (
            "ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource "
            "referenced by paramKind: 'example.com/v1, Kind=Widget'"))
        self.define()
        self.assertIn("no params found", self.refusal())
        self.ask("POST", WIDGETS, widget(spec={"size": 3}))
        self.secret("x")
        self.merge(f"{GROUP}/validatingadmissionpolicies/p", {"spec": {"paramKind": {"kind": "Gadget"}}})
        self.assertIn("Kind=Gadget", self.refusal("y"))

    def test_ignored(self) -> None:
        """One that may fail lets everything through."""
        self.policy(self.KIND, "false", {"name": "a"}, failurePolicy="Ignore")
        self.secret("x")

    def test_selected(self) -> None:
        """Custom parameters are selected by their labels, before and after any of them was asked for."""
        self.define()
        self.policy(self.KIND, "params.spec.size == 3", {"selector": {"matchLabels": {"a": "b"}}})
        self.assertIn("no params found", self.refusal())
        self.ask("POST", WIDGETS, widget("a", metadata={"labels": {"a": "b"}}, spec={"size": 3}))
        self.secret("x")
        self.ask("POST", WIDGETS, widget("b", metadata={"labels": {"a": "b"}}, spec={"size": 4}))
        self.refusal("y")

    def test_other_version(self) -> None:
        """They come in the version that the policy names."""
        self.define(version("v1", storage=False), version("v2", obj(spec=obj(size=integer()))))
        self.ask("POST", WIDGETS, widget(spec={"size": 3, "color": "red"}))
        self.policy(self.KIND, "params.apiVersion == 'example.com/v1' && params.spec.size == 3", {"name": "a"})
        self.secret("x")
        self.merge(f"{WIDGETS}/a", {"spec": {"size": 4}})
        self.refusal("y")


class MutatingTests(PolicyTestCase):
    def test_each(self) -> None:
        """A mutation is made with each of the parameters."""
        for name in ("a", "b"):
            self.create(name, {"key": name}, labels={"param": "yes"})
        self.mutating("p", "Object{data: {params.data.key: 'yes'}}", paramKind=CONFIG_MAP, bind={
            "paramRef": {"parameterNotFoundAction": "Deny", "selector": {"matchLabels": {"param": "yes"}}}})
        self.assertEqual(self.create()["data"], {"a": "yes", "b": "yes"})

    def test_missing(self) -> None:
        """Missing ones refuse, in the words of mutating policies."""
        self.mutating("p", "Object{}", paramKind=CONFIG_MAP,
                      bind={"paramRef": {"parameterNotFoundAction": "Deny", "name": "absent"}})
        error = self.refused("POST", f"{NAMESPACE}/configmaps", {"metadata": {"name": "x"}})
        why = ("policy 'p' with binding 'p' denied request: failed to configure binding: no params found for policy "
               "binding with `Deny` parameterNotFoundAction")
        self.assertEqual((error.code, error.reason, error.message), (403, "Forbidden", why))
        self.assertEqual(error.details, {"name": "x", "kind": "configmaps", "causes": [{"message": why}]})
