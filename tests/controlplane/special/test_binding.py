"""Tests for kube_twisted.controlplane.special.binding."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.controlplane.special.cluster import Answer, Cluster

POD = "/api/v1/namespaces/ns/pods/p"


class BindingTests(SynchronousTestCase):
    """POST to ``pods/binding`` and ``bindings``."""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def bind(self, node: str = "n1", name: str = "p", query: str = "", **metadata: Any) -> Answer:
        body = {"metadata": {"name": name, **metadata}, "target": {"kind": "Node", "name": node}}
        return self.cluster.post(f"{POD}/binding{query}", body)

    def test_sets_node_and_condition(self) -> None:
        """The pod gets the node and a true PodScheduled; the answer is a Status."""
        self.cluster.make_pod("p")
        answer = self.bind()
        self.assertEqual((answer.code, answer.body["status"]), (201, "Success"))
        pod = self.cluster.get(POD).body
        self.assertEqual(pod["spec"]["nodeName"], "n1")
        self.assertEqual([(one["type"], one["status"]) for one in pod["status"]["conditions"]],
                         [("PodScheduled", "True")])

    def test_adds_labels_and_annotations(self) -> None:
        """The binding's labels and annotations are put over the pod's."""
        self.cluster.make_pod("p", metadata={"annotations": {"a": "1", "b": "1"}})
        self.bind(annotations={"b": "2"}, labels={"zone": "z"})
        meta = self.cluster.get(POD).body["metadata"]
        self.assertEqual((meta["annotations"], meta["labels"]), ({"a": "1", "b": "2"}, {"zone": "z"}))

    def test_only_once(self) -> None:
        """A pod that has a node is not moved: 409."""
        self.cluster.make_pod("p")
        self.bind()
        answer = self.bind("n2")
        self.assertEqual(answer.code, 409)
        self.assertIn('pod p is already assigned to node "n1"', answer.message)

    def test_gated(self) -> None:
        """A pod with scheduling gates is not bound: 409."""
        self.cluster.make_pod("p", schedulingGates=[{"name": "example.com/wait"}])
        self.assertIn("non-empty .spec.schedulingGates", self.bind().message)

    def test_dry_run(self) -> None:
        """A dry run succeeds and changes nothing."""
        self.cluster.make_pod("p")
        self.assertEqual(self.bind(query="?dryRun=All").code, 201)
        self.assertNotIn("nodeName", self.cluster.get(POD).body["spec"])

    def test_uid_is_a_precondition(self) -> None:
        """A binding for another pod of the same name is refused: 409."""
        self.cluster.make_pod("p")
        self.assertEqual(self.bind(uid="other").code, 409)

    def test_names_must_agree(self) -> None:
        """The body's name must be the URL's: 400."""
        self.cluster.make_pod("p")
        self.assertEqual(self.bind(name="q").code, 400)

    def test_missing_pod(self) -> None:
        """404 about pods."""
        answer = self.bind()
        self.assertEqual((answer.code, answer.body["details"]), (404, {"name": "p", "kind": "pods"}))

    def test_bad_target(self) -> None:
        """Only nodes with a name are targets; the original answers 500."""
        self.cluster.make_pod("p")
        answer = self.cluster.post(f"{POD}/binding",
                                   {"metadata": {"name": "p"}, "target": {"kind": "Service"}})
        self.assertEqual(answer.code, 500)
        self.assertEqual(answer.message, '[target.kind: Unsupported value: "Service": supported values: '
                         '"Node", "<empty>", target.name: Required value]')

    def test_collection(self) -> None:
        """``bindings`` takes the pod's name from the body."""
        self.cluster.make_pod("p")
        answer = self.cluster.post("/api/v1/namespaces/ns/bindings",
                                   {"metadata": {"name": "p"}, "target": {"name": "n3"}})
        self.assertEqual(answer.code, 201)
        self.assertEqual(self.cluster.get(POD).body["spec"]["nodeName"], "n3")
