"""What Tables say about Nodes and RuntimeClasses."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, cell, cells, named


def status(obj: dict[str, Any]) -> Any:
    return cell("", "nodes", "Status", obj)


def ready(value: str) -> dict[str, Any]:
    return {"conditions": [{"type": "Ready", "status": value}]}


class NodeTests(SynchronousTestCase):
    def test_new_node(self) -> None:
        """A node that nobody reported on yet."""
        self.assertEqual(cells("", "nodes", named("n1")),
                         ["n1", "Unknown", "<none>", AGE, "", "<none>", "<none>", "<unknown>", "<unknown>",
                          "<unknown>"])

    def test_reported_node(self) -> None:
        """Version, addresses and software come from the status; the architecture is the kernel's."""
        obj = named("n1", status={
            **ready("True"),
            "addresses": [{"type": "Hostname", "address": "n1"},
                          {"type": "InternalIP", "address": "192.0.2.20"},
                          {"type": "ExternalIP", "address": "203.0.113.4"}],
            "nodeInfo": {"kubeletVersion": "v1.36.0", "osImage": "Test OS", "kernelVersion": "6.1.0",
                         "containerRuntimeVersion": "containerd://2.0", "architecture": "amd64"}})
        self.assertEqual(cells("", "nodes", obj),
                         ["n1", "Ready", "<none>", AGE, "v1.36.0", "192.0.2.20", "203.0.113.4", "Test OS",
                          "6.1.0 (amd64)", "containerd://2.0"])

    def test_status(self) -> None:
        """Only a True condition is ready, and a cordoned node says so."""
        self.assertEqual(status(named(status=ready("False"))), "NotReady")
        self.assertEqual(status(named(status=ready("Unknown"))), "NotReady")
        self.assertEqual(status(named(status=ready("True"), spec={"unschedulable": True})),
                         "Ready,SchedulingDisabled")

    def test_roles(self) -> None:
        """Roles of both kinds of label, sorted, each once; labels without a role are none."""
        labels = {"node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/control-plane": "",
                  "node-role.kubernetes.io/": "", "kubernetes.io/role": "worker", "other": "x"}
        self.assertEqual(cell("", "nodes", "Roles", named(metadata={"labels": labels})),
                         "control-plane,worker")


class RuntimeClassTests(SynchronousTestCase):
    def test_handler(self) -> None:
        """A RuntimeClass shows its handler."""
        self.assertEqual(cells("node.k8s.io", "runtimeclasses", named("rc", handler="kata")),
                         ["rc", "kata", AGE])
