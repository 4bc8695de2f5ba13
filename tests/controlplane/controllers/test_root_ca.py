"""The controller that publishes the root certificate."""

from __future__ import annotations

from tests.controlplane.controllers.case import MERGE, NAMESPACES, ControllerCase
from tests.inprocess import keys_directory

PATH = f"{NAMESPACES}/default/configmaps/kube-root-ca.crt"


class RootCATests(ControllerCase):
    """The server with that controller alone."""

    controllers = ("root-ca-publisher",)

    def test_published(self) -> None:
        """Every namespace has the certificate that clients of this server must trust."""
        expected = (keys_directory() / "ca.crt").read_text()
        self.namespace("x")
        self.cluster.run(0.1)
        for path in (PATH, PATH.replace("default", "x")):
            self.assertEqual(self.ask("GET", path)["data"], {"ca.crt": expected})

    def test_described(self) -> None:
        """It says what it is for."""
        annotations = self.ask("GET", PATH)["metadata"]["annotations"]
        self.assertTrue(annotations["kubernetes.io/description"].startswith("Contains a CA bundle that can be used"))

    def test_put_right(self) -> None:
        """Changed data is put right; other annotations stay, and so does another description."""
        before = self.ask("GET", PATH)["data"]
        annotations = {"kubernetes.io/description": "mine", "a": "b"}
        self.ask("PATCH", PATH, {"data": {"ca.crt": "no", "more": "x"}, "metadata": {"annotations": {"a": "b"}}}, MERGE)
        self.cluster.run(0.1)
        found = self.ask("GET", PATH)
        self.assertEqual((found["data"], found["metadata"]["annotations"]["a"]), (before, "b"))
        self.ask("PATCH", PATH, {"metadata": {"annotations": annotations}}, MERGE)
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", PATH)["metadata"]["annotations"], annotations)

    def test_deleted(self) -> None:
        """A deleted one is made again."""
        self.ask("DELETE", PATH)
        self.cluster.run(0.1)
        self.assertIsNotNone(self.find(PATH))
