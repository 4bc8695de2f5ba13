"""Webhook configurations, admission policies and their bindings."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.admissionregistration import (
    mutatingadmissionpolicybinding,
    mutatingwebhookconfiguration,
    validatingadmissionpolicy,
    validatingadmissionpolicybinding,
    validatingwebhookconfiguration,
)
from tests.registry.resources import StrategyTestCase

HOOK: dict[str, Any] = {"name": "a.example.com", "clientConfig": {"url": "https://example.com"},
                        "sideEffects": "None", "admissionReviewVersions": ["v1"]}


class ValidatingWebhookTests(StrategyTestCase):
    api = "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration"
    strategy = validatingwebhookconfiguration.STRATEGY

    def test_defaults(self) -> None:
        """A webhook is asked about everything, for ten seconds, and its failure refuses."""
        hook = self.defaulted(webhooks=[HOOK | {"rules": [{"operations": ["CREATE"], "apiGroups": [""],
                                                           "apiVersions": ["v1"], "resources": ["pods"]}]}])
        made = hook["webhooks"][0]
        self.assertEqual({key: made[key] for key in ("failurePolicy", "matchPolicy", "timeoutSeconds",
                                                     "namespaceSelector", "objectSelector")},
                         {"failurePolicy": "Fail", "matchPolicy": "Equivalent", "timeoutSeconds": 10,
                          "namespaceSelector": {}, "objectSelector": {}})
        self.assertEqual(made["rules"][0]["scope"], "*")

    def test_service_port(self) -> None:
        """A service is reached at 443."""
        config = {"service": {"name": "s", "namespace": "n"}}
        made = self.defaulted(webhooks=[HOOK | {"clientConfig": config}])
        self.assertEqual(made["webhooks"][0]["clientConfig"]["service"]["port"], 443)

    def test_client(self) -> None:
        """A webhook is at an https URL or a service."""
        self.assertEqual(self.errors(webhooks=[HOOK]), [])
        self.assertEqual(self.errors(webhooks=[HOOK | {"clientConfig": {}}]), [
            "webhooks[0].clientConfig: Required value: exactly one of url or service is required"])
        self.assertEqual(self.errors(webhooks=[HOOK | {"clientConfig": {"url": "http://example.com"}}]), [
            'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired '
            "format: https://host[/path]"])

    def test_side_effects(self) -> None:
        """A webhook has no side effects, or none in dry runs, and speaks a known version."""
        self.assertEqual(self.errors(webhooks=[HOOK | {"sideEffects": "Some"}]), [
            'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'])
        self.assertEqual(self.errors(webhooks=[HOOK | {"admissionReviewVersions": ["v9"]}]), [
            'webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1'])

    def test_generation(self) -> None:
        """The generation follows the webhooks."""
        old, new = self.created(webhooks=[HOOK]), self.created(webhooks=[])
        self.assertTrue(self.strategy.generation_changed(new, old))
        self.assertFalse(self.strategy.generation_changed(old, old))


class MutatingWebhookTests(StrategyTestCase):
    api = "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration"
    strategy = mutatingwebhookconfiguration.STRATEGY

    def test_reinvocation(self) -> None:
        """A mutating webhook is not asked again unless it says so."""
        self.assertEqual(self.defaulted(webhooks=[HOOK])["webhooks"][0]["reinvocationPolicy"], "Never")


class PolicyTests(StrategyTestCase):
    api = "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy"
    strategy = validatingadmissionpolicy.STRATEGY
    match = {"resourceRules": [{"operations": ["CREATE"], "apiGroups": ["apps"], "apiVersions": ["v1"],
                                "resources": ["deployments"]}]}

    def test_defaults(self) -> None:
        """A policy fails closed and is about everything its rules match."""
        spec = self.defaulted(spec={"matchConstraints": self.match, "validations": [{"expression": "true"}]})["spec"]
        self.assertEqual(spec["failurePolicy"], "Fail")
        self.assertEqual(spec["matchConstraints"]["matchPolicy"], "Equivalent")

    def test_required(self) -> None:
        """A policy is about something and says something."""
        self.assertEqual(self.errors(spec={}), [
            "spec.matchConstraints: Required value",
            "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
            "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one "
            "item"])
        self.assertEqual(self.errors(spec={"matchConstraints": self.match, "validations": [{"expression": " "}]}), [
            "spec.validations[0].expression: Required value: expression is not specified"])

    def test_words(self) -> None:
        """An empty word is not a missing one; too many annotations are shown with Go's names."""
        validations = [{"expression": "true"}]
        policy = {"matchConstraints": self.match, "validations": validations}
        self.assertEqual(self.errors(spec=policy | {"failurePolicy": ""}), [
            'spec.failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"'])
        self.assertEqual(self.errors(spec=policy | {"matchConstraints": self.match | {"matchPolicy": ""}}), [
            'spec.matchConstraints.matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"'])
        annotations = [{"key": f"k{index}", "valueExpression": "'x'"} for index in range(21)]
        self.assertTrue(self.errors(spec=policy | {"auditAnnotations": annotations})[0].startswith(
            """spec.auditAnnotations: Invalid value: [{"Key":"k0","ValueExpression":"'x'"}"""))


class MutatingBindingTests(StrategyTestCase):
    api = "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding"
    strategy = mutatingadmissionpolicybinding.STRATEGY

    def test_operations(self) -> None:
        """What is deleted can't be changed."""
        rule = {"operations": ["DELETE"], "apiGroups": ["apps"], "apiVersions": ["v1"], "resources": ["deployments"]}
        self.assertEqual(self.errors(spec={"policyName": "p", "matchResources": {"resourceRules": [rule]}}), [
            'spec.matchResources.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", '
            '"CONNECT", "CREATE", "UPDATE"'])


class BindingTests(StrategyTestCase):
    api = "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding"
    strategy = validatingadmissionpolicybinding.STRATEGY

    def test_actions(self) -> None:
        """A binding names its policy and what failures do; denying and warning exclude each other."""
        self.assertEqual(self.errors(spec={"policyName": "p", "validationActions": ["Deny"]}), [])
        self.assertEqual(self.errors(spec={}), [
            "spec.policyName: Required value",
            "spec.validationActions: Required value: at least one validation action is required"])
        errors = self.errors(spec={"policyName": "p", "validationActions": ["Deny", "Warn"]})
        self.assertIn("must not contain both Deny and Warn", errors[0])
