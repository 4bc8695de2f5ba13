"""Policies and webhooks at once."""

from __future__ import annotations

from tests.admission.policies.kit import PolicyTestCase
from tests.admission.webhooks.hooks import HookTestCase, allow, setting

COUNT = "Object{data: {'count': string(has(object.data.count) ? int(object.data.count) + 1 : 1)}}"


class OrderTests(PolicyTestCase, HookTestCase):
    def test_order(self) -> None:
        """Mutating webhooks see what policies have changed; validating policies see what webhooks have."""
        self.mutating("p", "Object{data: {'policy': 'yes'}}")
        self.hooks.hooks["set"] = setting("/data/hook", "yes")
        self.configure("Mutating", self.webhook("set"))
        self.validating("v", "object.data.policy == 'yes' && object.data.hook == 'yes'")
        self.create(data={"x": "y"})
        self.assertEqual(self.last("set")["object"]["data"], {"x": "y", "policy": "yes"})

    def test_asked_again(self) -> None:
        """A policy is asked again when a webhook has changed the object; so is a webhook when a policy has."""
        self.mutating("p", COUNT, reinvocationPolicy="IfNeeded")
        self.hooks.hooks["set"] = setting("/data/hook", "yes")
        self.configure("Mutating", self.webhook("set", reinvocationPolicy="IfNeeded"))
        self.assertEqual(self.create(data={"x": "y"})["data"], {"x": "y", "hook": "yes", "count": "2"})
        self.assertEqual(self.hooks.names, ["set", "set"])

    def test_not_asked_before(self) -> None:
        """A policy whose conditions did not hold at first is not asked again, whatever has changed since."""
        self.mutating("p", "Object{data: {'seen': object.data.hook}}", reinvocationPolicy="IfNeeded",
                      matchConditions=[{"name": "hook", "expression": "has(object.data.hook)"}])
        self.hooks.hooks["set"] = setting("/data/hook", "yes")
        self.configure("Mutating", self.webhook("set"))
        self.assertEqual(self.create(data={"x": "y"})["data"], {"x": "y", "hook": "yes"})

    def test_refused_before(self) -> None:
        """What a validating policy refuses no validating webhook is asked about."""
        self.validating("v", "false")
        self.configure("Validating", self.webhook("see"))
        self.hooks.hooks["see"] = allow
        self.denied()
        self.assertEqual(self.hooks.names, [])
