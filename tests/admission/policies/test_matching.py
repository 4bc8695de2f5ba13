"""Which writes policies and bindings are about."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.policies.matching import MatchResources, Target
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from tests.admission.policies.kit import Obj, PolicyTestCase, because, rule

V1 = GroupVersionResource("autoscaling", "v1", "horizontalpodautoscalers")
V2 = GroupVersionResource("autoscaling", "v2", "horizontalpodautoscalers")
KIND_1, KIND_2 = (GroupVersionKind("autoscaling", version, "HorizontalPodAutoscaler") for version in ("v1", "v2"))
HPAS = "horizontalpodautoscalers"


def chosen(match: Obj, name: str = "x", operation: str = "CREATE") -> GroupVersionResource | None:
    """The resource by which a write of version 1 is matched."""
    found = MatchResources.compile(match).about(Target(operation, V1, "", True), KIND_1, [(V2, KIND_2)])
    shown = found.choose(name) if found is not None else None
    return shown[0] if shown is not None else None


class RuleTests(SynchronousTestCase):
    def test_own_version_first(self) -> None:
        """The request's own version is preferred, wherever the rule stands."""
        second, first = (rule(HPAS, group="autoscaling", versions=(one,)) for one in ("v2", "v1"))
        self.assertEqual(chosen({"resourceRules": [second, first], "matchPolicy": "Equivalent"}), V1)
        self.assertEqual(chosen({"resourceRules": [second], "matchPolicy": "Equivalent"}), V2)
        self.assertIsNone(chosen({"resourceRules": [second], "matchPolicy": "Exact"}))

    def test_names(self) -> None:
        """A rule with names is about these only; another rule may be about others."""
        named = rule(HPAS, group="autoscaling", versions=("v1",), resourceNames=["a"])
        other = rule(HPAS, group="autoscaling", versions=("v2",))
        self.assertEqual([chosen({"resourceRules": [named]}, name) for name in ("a", "b")], [V1, None])
        self.assertEqual([chosen({"resourceRules": [named, other], "matchPolicy": "Equivalent"}, name)
                          for name in ("a", "b")], [V1, V2])

    def test_exclusions(self) -> None:
        """What is excluded, by another version too, is left out."""
        everything, second = rule("*", group="*"), rule(HPAS, group="autoscaling", versions=("v2",))
        named = {**second, "resourceNames": ["a"]}
        for excluded, policy, expected in (
                ([second], "Equivalent", [None, None]), ([second], "Exact", [V1, V1]),
                ([named], "Equivalent", [None, V1])):
            match = {"resourceRules": [everything], "excludeResourceRules": excluded, "matchPolicy": policy}
            self.assertEqual([chosen(match, name) for name in ("a", "b")], expected)

    def test_operations(self) -> None:
        """Rules are about operations."""
        match = {"resourceRules": [rule(HPAS, group="autoscaling", operations=("DELETE",))]}
        self.assertIsNone(chosen(match))
        self.assertEqual(chosen(match, operation="DELETE"), V1)

    def test_no_rules(self) -> None:
        """Without rules, as bindings may be, everything is meant."""
        self.assertEqual(chosen({}), V1)


class SelectorTests(PolicyTestCase):
    def test_objects(self) -> None:
        """Objects that are selected before or after the write are meant."""
        self.validating("p", "false", match={"objectSelector": {"matchLabels": {"a": "b"}}})
        self.create()
        self.denied("y", labels={"a": "b"})

    def test_namespaces(self) -> None:
        """So are those in selected namespaces; a selector of namespaces says nothing about cluster-scoped ones."""
        self.validating("p", "false", match={"namespaceSelector": {"matchLabels": {"a": "b"}}},
                        rules=[rule("configmaps", "nodes")])
        self.create()
        self.merge("/api/v1/namespaces/default", {"metadata": {"labels": {"a": "b"}}})
        self.denied("y")
        self.refused("POST", "/api/v1/nodes", {"metadata": {"name": "n"}})

    def test_bindings(self) -> None:
        """A binding narrows its policy down."""
        self.validating("p", "false", bind={"matchResources": {
            "objectSelector": {"matchLabels": {"a": "b"}}, "resourceRules": [rule("*", resourceNames=["x", "y"])],
            "excludeResourceRules": [rule("*", resourceNames=["y"])]}})
        for name in ("y", "z"):
            self.create(name, labels={"a": "b"})
        self.create("x")
        self.merge("/api/v1/namespaces/default/configmaps/x", {"data": {"a": "b"}})
        error = self.refused("PATCH", "/api/v1/namespaces/default/configmaps/x",
                             {"metadata": {"labels": {"a": "b"}}}, "application/merge-patch+json")
        self.assertIn(because("p", "failed expression: false"), error.message)


class EquivalentTests(PolicyTestCase):
    def hpa(self, name: str) -> Obj:
        return {"metadata": {"name": name}, "spec": {
            "maxReplicas": 3, "targetCPUUtilizationPercentage": 50,
            "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"}}}

    def test_converted(self) -> None:
        """A write in another version is shown in the one that the policy names, and told of in it."""
        self.validating(
            "p", "object.spec.metrics[0].resource.target.averageUtilization == 50 && object.apiVersion == "
                 "'autoscaling/v2'", "request.kind.version == 'v2' && request.requestKind.version == 'v1'",
            "request.resource.version == 'v2' && request.requestResource.version == 'v1'",
            rules=[rule(HPAS, group="autoscaling", versions=("v2",))])
        self.ask("POST", f"/apis/autoscaling/v1/namespaces/default/{HPAS}", self.hpa("h"))

    def test_mutated(self) -> None:
        """What a policy changes in its version is written in that of the request."""
        self.mutating("p", "Object{spec: Object.spec{maxReplicas: 7}}",
                      "object.apiVersion == 'autoscaling/v2' ? Object{spec: Object.spec{minReplicas: 2}} : Object{}",
                      rules=[rule(HPAS, group="autoscaling", versions=("v2",), operations=("CREATE",))])
        made = self.ask("POST", f"/apis/autoscaling/v1/namespaces/default/{HPAS}", self.hpa("h"))
        self.assertEqual((made["spec"]["maxReplicas"], made["spec"]["minReplicas"],
                          made["spec"]["targetCPUUtilizationPercentage"]), (7, 2, 50))

    def test_two_versions(self) -> None:
        """Policies that want to see different versions all have their way."""
        for version in ("v1", "v2"):
            self.mutating(version, f"Object{{metadata: Object.metadata{{labels: {{'{version}': 'yes'}}}}}}",
                          rules=[rule(HPAS, group="autoscaling", versions=(version,), operations=("CREATE",))])
        made = self.ask("POST", f"/apis/autoscaling/v2/namespaces/default/{HPAS}", {
            "metadata": {"name": "h"}, "spec": {**self.hpa("h")["spec"], "targetCPUUtilizationPercentage": None}})
        self.assertEqual(made["metadata"]["labels"], {"v1": "yes", "v2": "yes"})


class ExemptTests(PolicyTestCase):
    def test_policies(self) -> None:
        """No policy is about policies, bindings and questions about rights."""
        self.validating("p", "false", rules=[rule("*", group="*")])
        self.mutating("q", "Object{nothing: 1}", rules=[rule("*", group="*", operations=("CREATE",))])
        self.ask("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
            "spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}})
        self.denied()
        self.ask("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/p")
