"""What Tables say about admission, flow control, storage migration and APIServices."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named

ADMISSION = "admissionregistration.k8s.io"
FLOW = "flowcontrol.apiserver.k8s.io"


def param_ref(ref: dict[str, Any]) -> Any:
    return cell(ADMISSION, "mutatingadmissionpolicybindings", "ParamRef", named(spec={"paramRef": ref}))


class AdmissionTests(SynchronousTestCase):
    def test_webhooks(self) -> None:
        """Configurations show how many webhooks they have."""
        for resource in ("mutatingwebhookconfigurations", "validatingwebhookconfigurations"):
            self.assertEqual(cells(ADMISSION, resource, named("w", webhooks=[{}, {}])), ["w", 2, AGE])

    def test_policies(self) -> None:
        """Policies show how many rules they have, and the kind of their parameters."""
        spec = {"validations": [{}], "mutations": [{}, {}], "paramKind": {"apiVersion": "g/v1", "kind": "K"}}
        self.assertEqual(cells(ADMISSION, "validatingadmissionpolicies", named("p", spec=spec)),
                         ["p", 1, "g/v1/K", AGE])
        self.assertEqual(cells(ADMISSION, "mutatingadmissionpolicies", named("p", spec=spec)),
                         ["p", 2, "g/v1/K", AGE])
        self.assertEqual(cells(ADMISSION, "mutatingadmissionpolicies", named("p")), ["p", 0, "<unset>", AGE])

    def test_bindings(self) -> None:
        """Bindings show their policy, and the parameter by name, or how it is selected."""
        obj = named("b", spec={"policyName": "p"})
        self.assertEqual(cells(ADMISSION, "validatingadmissionpolicybindings", obj),
                         ["b", "p", "<unset>", AGE])
        self.assertEqual(param_ref({"name": "x"}), "*/x")
        self.assertEqual(param_ref({"name": "x", "namespace": "ns"}), "ns/x")

    def test_selected_parameters(self) -> None:
        """A selector is shown in the original's own notation."""
        selector = {"matchLabels": {"b": "2", "a": "1"},
                    "matchExpressions": [{"key": "k", "operator": "In", "values": ["x", "y"]}]}
        self.assertEqual(param_ref({"selector": selector}), (
            "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},"
            "MatchExpressions:[]LabelSelectorRequirement{"
            "LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}"))
        self.assertEqual(param_ref({"selector": {}}), (
            "&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}"))


class FlowControlTests(SynchronousTestCase):
    def test_flow_schema(self) -> None:
        """A schema shows its level, and whether that is missing, as far as is known."""
        obj = named("f", spec={"matchingPrecedence": 1000, "priorityLevelConfiguration": {"name": "pl"},
                               "distinguisherMethod": {"type": "ByUser"}},
                    status={"conditions": [{"type": "Dangling", "status": "False"}]})
        self.assertEqual(cells(FLOW, "flowschemas", obj), ["f", "pl", 1000, "ByUser", AGE, "False"])
        self.assertEqual(cells(FLOW, "flowschemas", named("f")), ["f", "", 0, "<none>", AGE, "?"])

    def test_priority_level(self) -> None:
        """A level shows its shares if it is limited, and its queues if it has any."""
        queuing = {"queues": 16, "handSize": 4, "queueLengthLimit": 50}
        limited = {"nominalConcurrencyShares": 5, "limitResponse": {"type": "Queue", "queuing": queuing}}
        level = named("p", spec={"type": "Limited", "limited": limited})
        self.assertEqual(cells(FLOW, "prioritylevelconfigurations", level),
                         ["p", "Limited", 5, 16, 4, 50, AGE])
        del limited["limitResponse"]
        self.assertEqual(cells(FLOW, "prioritylevelconfigurations", level)[2:6],
                         [5, "<none>", "<none>", "<none>"])
        exempt = named("p", spec={"type": "Exempt", "exempt": {}})
        self.assertEqual(cells(FLOW, "prioritylevelconfigurations", exempt),
                         ["p", "Exempt", "<none>", "<none>", "<none>", "<none>", AGE])


class VersionTests(SynchronousTestCase):
    def test_storage_version(self) -> None:
        """Encoding versions of the servers, three of them."""
        versions = [{"apiServerID": one, "encodingVersion": "v1"} for one in "abcde"]
        obj = named("s", status={"commonEncodingVersion": "v1", "storageVersions": versions})
        self.assertEqual(cells("internal.apiserver.k8s.io", "storageversions", obj),
                         ["s", "v1", "a=v1,b=v1,c=v1 + 2 more...", AGE])
        self.assertEqual(cells("internal.apiserver.k8s.io", "storageversions", named("s")),
                         ["s", "<unset>", "<unset>", AGE])

    def test_migration(self) -> None:
        """What is migrated, and the last state that is true."""
        conditions = [{"type": "Running", "status": "True"}, {"type": "Succeeded", "status": "True"},
                      {"type": "Failed", "status": "False"}]
        obj = named("m", spec={"resource": {"group": "apps", "resource": "deployments"}},
                    status={"conditions": conditions})
        self.assertEqual(cells("storagemigration.k8s.io", "storageversionmigrations", obj),
                         ["m", "deployments.apps", "Succeeded"])
        obj = named("m", spec={"resource": {"resource": "secrets"}})
        self.assertEqual(cells("storagemigration.k8s.io", "storageversionmigrations", obj),
                         ["m", "secrets", "Unknown"])


class APIServiceTests(SynchronousTestCase):
    def available(self, *conditions: dict[str, str]) -> Any:
        obj = named("v1.g", status={"conditions": list(conditions)})
        return cell("apiregistration.k8s.io", "apiservices", "Available", obj)

    def test_service(self) -> None:
        """A group is served by a Service, or locally."""
        obj = named("v1.g", spec={"service": {"namespace": "ns", "name": "nowhere"}})
        self.assertEqual(cells("apiregistration.k8s.io", "apiservices", obj),
                         ["v1.g", "ns/nowhere", "Unknown", AGE])
        self.assertEqual(cells("apiregistration.k8s.io", "apiservices", named("v1.g")),
                         ["v1.g", "Local", "Unknown", AGE])

    def test_available(self) -> None:
        """The reason is told when the group is not available."""
        self.assertEqual(self.available({"type": "Available", "status": "True", "reason": "Passed"}), "True")
        self.assertEqual(self.available({"type": "Available", "status": "False", "reason": "NoSuch"}),
                         "False (NoSuch)")
        self.assertEqual(self.available({"type": "Available", "status": "False"}), "False")
