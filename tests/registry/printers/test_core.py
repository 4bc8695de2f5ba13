"""What Tables say about the smaller core kinds."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cells, named


class CoreTests(SynchronousTestCase):
    def test_namespace(self) -> None:
        """A namespace shows its phase."""
        self.assertEqual(cells("", "namespaces", named("n", status={"phase": "Terminating"})),
                         ["n", "Terminating", AGE])

    def test_secret(self) -> None:
        """A secret shows its type and how many keys it has."""
        self.assertEqual(cells("", "secrets", named("s", type="Opaque", data={"a": "", "b": "eA=="})),
                         ["s", "Opaque", 2, AGE])

    def test_config_map(self) -> None:
        """Binary data counts too; nothing at all is zero."""
        obj = named("c", data={"a": "1"}, binaryData={"b": "eA==", "c": ""})
        self.assertEqual(cells("", "configmaps", obj), ["c", 3, AGE])
        self.assertEqual(cells("", "configmaps", named("c")), ["c", 0, AGE])

    def test_service_account(self) -> None:
        """An account has nothing but a name and an age."""
        self.assertEqual(cells("", "serviceaccounts", named("robot")), ["robot", AGE])

    def test_age(self) -> None:
        """The age of an object without a time of creation is not known."""
        self.assertEqual(cells("", "serviceaccounts", {"metadata": {"creationTimestamp": None}}),
                         ["", "<unknown>"])

    def test_pod_template(self) -> None:
        """The template's containers and labels."""
        obj = named("t", template={"metadata": {"labels": {"b": "2", "a": "1"}}, "spec": {
            "initContainers": [{"name": "i", "image": "z"}],
            "containers": [{"name": "one", "image": "i:1"}, {"name": "two", "image": "j:2"}]}})
        self.assertEqual(cells("", "podtemplates", obj), ["t", "one,two", "i:1,j:2", "a=1,b=2"])

    def test_replication_controller(self) -> None:
        """Wanted, present and ready pods; also without a template or a status."""
        obj = named("rc", spec={"replicas": 3, "selector": {"x": "y"},
                                "template": {"spec": {"containers": [{"name": "a", "image": "i:1"}]}}},
                    status={"replicas": 2, "readyReplicas": 1})
        self.assertEqual(cells("", "replicationcontrollers", obj), ["rc", 3, 2, 1, AGE, "a", "i:1", "x=y"])
        self.assertEqual(cells("", "replicationcontrollers", named("rc")),
                         ["rc", 0, 0, 0, AGE, "", "", "<none>"])

    def test_resource_quota(self) -> None:
        """Used of hard amounts by name; limits in a column of their own; nothing before the status."""
        obj = named("q", spec={"hard": {"pods": "9"}}, status={
            "hard": {"requests.cpu": "500m", "pods": "9", "limits.memory": "1Gi", "limits.cpu": "2"},
            "used": {"requests.cpu": "250m", "pods": "2", "limits.memory": "256Mi"}})
        self.assertEqual(cells("", "resourcequotas", obj),
                         ["q", "pods: 2/9, requests.cpu: 250m/500m",
                          "limits.cpu: 0/2, limits.memory: 256Mi/1Gi", AGE])
        self.assertEqual(cells("", "resourcequotas", named("q", spec={"hard": {"pods": "9"}})),
                         ["q", "", "", AGE])

    def test_component_status(self) -> None:
        """A component's health with its message and error."""
        for status, shown in (("True", "Healthy"), ("False", "Unhealthy"), ("Unknown", "Unhealthy")):
            condition = {"type": "Healthy", "status": status, "message": "ok", "error": "e"}
            obj = named("c", conditions=[condition])
            self.assertEqual(cells("", "componentstatuses", obj), ["c", shown, "ok", "e"])
        self.assertEqual(cells("", "componentstatuses", named("c")), ["c", "Unknown", "", ""])
