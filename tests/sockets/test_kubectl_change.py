"""kubectl's many ways to change an object."""

from __future__ import annotations

from typing import Any

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase


class ChangeTests(KubectlTestCase):
    def data(self, name: str = "a") -> Any:
        return self.get_json("configmap", name).get("data")

    def test_patch(self) -> None:
        """Strategic, merge and JSON patches."""
        self.config_map("a", x="1")
        patch = ("patch", "configmap", "a")
        add = '{"data": {"y": "1"}}'
        self.assertEqual(self.kubectl(*patch, "--patch", add), "configmap/a patched")
        self.assertEqual(self.kubectl(*patch, "--patch", add), "configmap/a patched (no change)")
        self.kubectl(*patch, "--type=merge", "--patch", '{"data": {"x": null, "z": "1"}}')
        change = '[{"op": "replace", "path": "/data/z", "value": "2"}]'
        self.kubectl(*patch, "--type=json", "--patch", change)
        self.assertEqual(self.data(), {"y": "1", "z": "2"})

    def test_patch_errors(self) -> None:
        """What goes wrong with patches."""
        self.config_map("a", x="1")
        patch = ("patch", "configmap", "a")
        test = '[{"op": "test", "path": "/data/x", "value": "2"}]'
        self.assertEqual(self.error(*patch, "--type=json", "--patch", test),
                         "The request is invalid: the server rejected our request due to an error in our request")
        self.assertEqual(self.error(*patch, "--patch", '{"data": {"x": [1]}}'), "The request is invalid: patch: "
                         'Invalid value: "map[data:map[x:[1]]]": unrecognized type: string')
        self.assertEqual(self.error("patch", "configmap", "b", "--patch", "{}"),
                         'Error from server (NotFound): configmaps "b" not found')

    def test_edit(self) -> None:
        """An editor that changes a value."""
        self.config_map("a", x="before")
        done = self.kubectl("edit", "configmap", "a", environment={"KUBE_EDITOR": "sed -i s/before/after/"})
        self.assertEqual(done, "configmap/a edited")
        self.assertEqual(self.data(), {"x": "after"})
        ended = self.run_kubectl(["edit", "configmap", "a"], environment={"KUBE_EDITOR": "true"})
        self.assertEqual((ended.returncode, ended.stderr), (0, "Edit cancelled, no changes made.\n"))

    def test_labels_and_annotations(self) -> None:
        """Set, refused without leave to overwrite, overwritten, removed."""
        self.config_map("a")
        for verb, past, field in (("label", "labeled", "labels"), ("annotate", "annotated", "annotations")):
            self.assertEqual(self.kubectl(verb, "configmap", "a", "x=1", "y=1"), f"configmap/a {past}")
            text = self.error(verb, "configmap", "a", "x=2")
            self.assertIn("already has a value (1)", text)
            self.assertIn("--overwrite is false", text)
            self.kubectl(verb, "configmap", "a", "x=2", "y-", "--overwrite")
            self.assertEqual(self.get_json("configmap", "a")["metadata"][field], {"x": "2"})

    def test_replace(self) -> None:
        """A replacement keeps the object; a forced one is a new object."""
        self.config_map("a", x="1")
        old = self.get_json("configmap", "a")
        new = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"y": "1"}}
        self.assertEqual(self.kubectl("replace", "-f", "-", stdin=new), "configmap/a replaced")
        replaced, uid = self.get_json("configmap", "a"), old["metadata"]["uid"]
        self.assertEqual((replaced["data"], replaced["metadata"]["uid"]), ({"y": "1"}, uid))
        self.assertIn('Operation cannot be fulfilled on configmaps "a": the object has been modified; please '
                      "apply your changes to the latest version and try again",
                      self.error("replace", "-f", "-", stdin=old))
        self.assertEqual(self.kubectl("replace", "--force", "-f", "-", stdin=new).splitlines()[-1],
                         "configmap/a replaced")
        self.assertNotEqual(self.get_json("configmap", "a")["metadata"]["uid"], uid)

    def test_scale(self) -> None:
        """Replicas, with and without a precondition."""
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        self.assertEqual(self.kubectl("scale", "deployment", "shop", "--replicas=5"),
                         "deployment.apps/shop scaled")
        self.assertEqual(self.get_json("deployment", "shop")["spec"]["replicas"], 5)
        self.assertEqual(self.error("scale", "deploy/shop", "--replicas=1", "--current-replicas=2"),
                         "error: Expected replicas to be 2, was 5")

    def test_set_and_rollout(self) -> None:
        """An image and a variable are set; a restart leaves its mark in the template."""
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        self.assertEqual(self.kubectl("set", "image", "deployment/shop", "web=nginx:1.28"),
                         "deployment.apps/shop image updated")
        self.kubectl("set", "env", "deployment/shop", "--containers=shop", "DEBUG=1")
        self.assertEqual(self.kubectl("rollout", "restart", "deployment/shop"), "deployment.apps/shop restarted")
        found = self.get_json("deployment", "shop")
        template = found["spec"]["template"]
        self.assertEqual(template["spec"]["containers"][0]["image"], "nginx:1.28")
        self.assertIn({"name": "DEBUG", "value": "1"}, template["spec"]["containers"][1]["env"])
        self.assertIn("kubectl.kubernetes.io/restartedAt", template["metadata"]["annotations"])
        self.assertEqual(found["metadata"]["generation"], 4)

    def test_expose_and_autoscale(self) -> None:
        """A Service and an autoscaler made for a Deployment."""
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        self.assertEqual(self.kubectl("expose", "deployment", "shop", "--name=web", "--port=80"),
                         "service/web exposed")
        self.assertEqual(self.get_json("service", "web")["spec"]["selector"],
                         {"app.kubernetes.io/name": "shop"})
        self.assertEqual(self.kubectl("autoscale", "deployment", "shop", "--name=web", "--max=3"),
                         "horizontalpodautoscaler.autoscaling/web autoscaled")

    def test_node(self) -> None:
        """Cordon and taint."""
        self.create("/api/v1/nodes", {"metadata": {"name": "node-1"}})
        self.assertEqual(self.kubectl("cordon", "node-1"), "node/node-1 cordoned")
        self.assertEqual(self.kubectl("taint", "node", "node-1", "a=b:NoSchedule"), "node/node-1 tainted")
        spec = self.get_json("node", "node-1")["spec"]
        self.assertTrue(spec["unschedulable"])
        self.assertIn({"effect": "NoSchedule", "key": "a", "value": "b"}, spec["taints"])
