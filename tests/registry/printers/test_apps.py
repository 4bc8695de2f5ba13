"""What Tables say about the kinds of the apps group."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named

TEMPLATE = {"spec": {"containers": [{"name": "one", "image": "i:1"}, {"name": "two", "image": "j:2"}]}}
SELECTOR = {"matchLabels": {"c": "d", "a": "b"},
            "matchExpressions": [{"key": "e", "operator": "NotIn", "values": ["g", "f"]}]}


def workload(status: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    return named("w", spec={"selector": SELECTOR, "template": TEMPLATE, **spec}, status=status or {})


class WorkloadTests(SynchronousTestCase):
    def test_deployment(self) -> None:
        """Ready of wanted pods as text, updated and available ones as numbers."""
        obj = workload({"readyReplicas": 2, "updatedReplicas": 3, "availableReplicas": 1}, replicas=3)
        self.assertEqual(cells("apps", "deployments", obj),
                         ["w", "2/3", 3, 1, AGE, "one,two", "i:1,j:2", "a=b,c=d,e notin (f,g)"])

    def test_deployment_selector(self) -> None:
        """A Deployment's empty selector is empty, and a broken one invalid; others use other words."""
        broken = {"matchExpressions": [{"key": "a", "operator": "Wrong"}]}
        for selector, deployment, other in (({}, "", "<none>"), (broken, "<invalid>", "<error>")):
            obj = workload(selector=selector)
            self.assertEqual(cell("apps", "deployments", "Selector", obj), deployment)
            self.assertEqual(cell("apps", "replicasets", "Selector", obj), other)

    def test_replica_set(self) -> None:
        """Wanted, present and ready pods."""
        obj = workload({"replicas": 2, "readyReplicas": 1}, replicas=4)
        self.assertEqual(cells("apps", "replicasets", obj),
                         ["w", 4, 2, 1, AGE, "one,two", "i:1,j:2", "a=b,c=d,e notin (f,g)"])

    def test_daemon_set(self) -> None:
        """Five numbers of the status, and where it runs."""
        status = {"desiredNumberScheduled": 5, "currentNumberScheduled": 4, "numberReady": 3,
                  "updatedNumberScheduled": 2, "numberAvailable": 1}
        template = {"spec": {**TEMPLATE["spec"], "nodeSelector": {"z": "w", "x": "y"}}}
        self.assertEqual(cells("apps", "daemonsets", workload(status, template=template)),
                         ["w", 5, 4, 3, 2, 1, "x=y,z=w", AGE, "one,two", "i:1,j:2", "a=b,c=d,e notin (f,g)"])
        self.assertEqual(cells("apps", "daemonsets", workload())[1:7], [0, 0, 0, 0, 0, "<none>"])

    def test_stateful_set(self) -> None:
        """Ready of wanted pods."""
        obj = workload({"readyReplicas": 4}, replicas=5)
        self.assertEqual(cells("apps", "statefulsets", obj), ["w", "4/5", AGE, "one,two", "i:1,j:2"])


class ControllerRevisionTests(SynchronousTestCase):
    def test_controller(self) -> None:
        """The controlling owner, with its kind and group in small letters; other owners do not count."""
        owners = [{"apiVersion": "v1", "kind": "Node", "name": "n"},
                  {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "Agent", "controller": True}]
        obj = named("r", metadata={"ownerReferences": owners}, revision=3)
        self.assertEqual(cells("apps", "controllerrevisions", obj), ["r", "daemonset.apps/Agent", 3, AGE])

    def test_no_controller(self) -> None:
        """A revision that nobody controls, and the first one, which is zero."""
        self.assertEqual(cells("apps", "controllerrevisions", named("r")), ["r", "<none>", 0, AGE])


class ScaleTests(SynchronousTestCase):
    def test_scale(self) -> None:
        """What a scale wants and has."""
        obj = named("d", spec={"replicas": 9}, status={"replicas": 4})
        self.assertEqual(cells("apps", "deployments/scale", obj), ["d", 9, 4, AGE])
        self.assertEqual(cells("apps", "deployments/scale", named("d")), ["d", 0, 0, AGE])
