"""The controller that checks the types in policies."""

from __future__ import annotations

from typing import Any

from tests.apiextensions.widgets import DEFINITIONS, definition
from tests.controlplane.controllers.case import MERGE, ControllerCase

API = "admissionregistration.k8s.io/v1"
POLICIES = f"/apis/{API}/validatingadmissionpolicies"
DEPLOYMENTS = {"apiGroups": ["apps"], "apiVersions": ["v1"], "operations": ["*"], "resources": ["deployments"]}
REPLICATION_CONTROLLERS = {**DEPLOYMENTS, "apiGroups": [""], "resources": ["replicationcontrollers"]}
Obj = dict[str, Any]


class StatusTests(ControllerCase):
    """The server with that controller alone."""

    controllers = ("validatingadmissionpolicy-status",)

    def status(self, *validations: str | Obj, rules: tuple[Obj, ...] = (DEPLOYMENTS,), **spec: Any) -> Obj:
        """The status of a new policy."""
        self.ask("POST", POLICIES, {"apiVersion": API, "kind": "ValidatingAdmissionPolicy", "metadata": {"name": "p"},
                                    "spec": {"matchConstraints": {"resourceRules": list(rules)}, "validations": [
                                        {"expression": one} if isinstance(one, str) else one for one in validations],
                                        **spec}})
        self.cluster.run(0.2)
        found: Obj = self.ask("GET", f"{POLICIES}/p")["status"]
        return found

    def warnings(self, *validations: str | Obj, **more: Any) -> list[tuple[str, str]]:
        """The warnings about a new policy, which is gone after that."""
        found = self.status(*validations, **more)["typeChecking"].get("expressionWarnings", [])
        self.ask("DELETE", f"{POLICIES}/p")
        return [(one["fieldRef"], one["warning"]) for one in found]

    def test_nothing_wrong(self) -> None:
        """A policy that fits its types has been observed, and is checked again only when it changes."""
        self.assertEqual(self.status("object.spec.replicas < 5"), {"observedGeneration": 1, "typeChecking": {}})
        before = self.ask("GET", f"{POLICIES}/p")["metadata"]["resourceVersion"]
        self.ask("PATCH", f"{POLICIES}/p", {"metadata": {"labels": {"a": "b"}}}, MERGE)
        self.cluster.run(0.2)
        after = self.ask("GET", f"{POLICIES}/p")["metadata"]
        self.assertEqual(int(after["resourceVersion"]), int(before) + 1)
        self.ask("PATCH", f"{POLICIES}/p", {"spec": {"validations": [{"expression": "object.nothing == 1"}]}}, MERGE)
        self.cluster.run(0.2)
        status = self.ask("GET", f"{POLICIES}/p")["status"]
        self.assertEqual(status["observedGeneration"], 2)
        self.assertEqual(status["typeChecking"]["expressionWarnings"][0]["fieldRef"], "spec.validations[0].expression")

    def test_owner(self) -> None:
        """The status is the controller's."""
        self.status("true")
        (entry,) = [one for one in self.ask("GET", f"{POLICIES}/p")["metadata"]["managedFields"]
                    if one.get("subresource")]
        self.assertEqual((entry["manager"], entry["operation"], entry["subresource"]), (
            "validatingadmissionpolicy-status", "Apply", "status"))

    def test_unknown_field(self) -> None:
        """A field that the kind has not."""
        self.assertEqual(self.warnings("object.replicas > 1", "object.spec.replicas > 'x'"), [
            ("spec.validations[0].expression",
             "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n | object.replicas > 1\n | "
             "......^\n"),
            ("spec.validations[1].expression",
             "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_>_' applied to "
             "'(int, string)'\n | object.spec.replicas > 'x'\n | .....................^\n")])

    def test_each_kind(self) -> None:
        """Each kind that rules name is checked; wildcards and subresources are left out."""
        scale = {**DEPLOYMENTS, "resources": ["deployments/scale", "*"]}
        found = self.warnings("object.spec.strategy.type == 'x'", rules=(REPLICATION_CONTROLLERS, DEPLOYMENTS, scale))
        self.assertEqual([text.partition(":")[0] for _, text in found], ["/v1, Kind=ReplicationController"])
        everywhere = {**DEPLOYMENTS, "apiVersions": ["*"]}
        self.assertEqual(self.warnings("object.nothing == 1", rules=(everywhere,)), [])

    def test_messages_and_variables(self) -> None:
        """Message expressions are checked too, and what comes of variables."""
        found = self.warnings(
            {"expression": "variables.replicas < 3", "messageExpression": "string(object.nothing)"},
            variables=[{"name": "replicas", "expression": "object.spec.replicas"},
                       {"name": "broken", "expression": "object.nothing"}])
        self.assertEqual([path for path, _ in found], ["spec.validations[0].messageExpression"])
        self.assertEqual([path for path, _ in self.warnings(
            "variables.replicas == 'x'", "variables.broken == 1",
            variables=[{"name": "replicas", "expression": "object.spec.replicas"},
                       {"name": "broken", "expression": "object.nothing"}])], ["spec.validations[0].expression"])

    def test_parameters(self) -> None:
        """Parameters have types too, those of custom kinds as well."""
        self.ask("POST", DEFINITIONS, definition())
        self.cluster.run(0.2)
        kind = {"apiVersion": "example.com/v1", "kind": "Widget"}
        found = self.warnings("params.spec.size == object.spec.replicas", "params.spec.nothing == 1", paramKind=kind)
        self.assertEqual([path for path, _ in found], ["spec.validations[1].expression"])

    def test_custom_kinds(self) -> None:
        """So do custom objects."""
        self.ask("POST", DEFINITIONS, definition())
        self.cluster.run(0.2)
        rules = ({"apiGroups": ["example.com"], "apiVersions": ["v1"], "operations": ["*"], "resources": ["widgets"]},)
        found = self.warnings("object.spec.size == 1", "object.spec.size == 'x'", rules=rules)
        self.assertEqual([path for path, _ in found], ["spec.validations[1].expression"])
        self.assertIn("example.com/v1, Kind=Widget", found[0][1])
