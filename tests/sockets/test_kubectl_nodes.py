"""kubectl with nodes: cordon, drain, taint, label, and what it says of them."""

from __future__ import annotations

from typing import Any

from tests.sockets.support.kubectl import KubectlTestCase

NODE_STATUS: dict[str, Any] = {
    "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "all is well"}],
    "addresses": [{"type": "InternalIP", "address": "192.0.2.7"}],
    "capacity": {"cpu": "4", "memory": "8Gi", "pods": "110"},
    "allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"},
    "nodeInfo": {"machineID": "m", "systemUUID": "s", "bootID": "b", "kernelVersion": "6.8.0",
                 "osImage": "Debian GNU/Linux 13", "containerRuntimeVersion": "containerd://2.1.0",
                 "kubeletVersion": "v1.36.2", "kubeProxyVersion": "", "operatingSystem": "linux",
                 "architecture": "amd64"}}


class NodeTests(KubectlTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.node = f"{self.namespace}-node"
        made = self.create("/api/v1/nodes", {"metadata": {"name": self.node}})
        self.put(f"/api/v1/nodes/{self.node}/status", {**made, "status": NODE_STATUS})

    def put(self, path: str, obj: Any) -> None:
        answer = self.client.request("PUT", path, obj)
        self.assertEqual(answer.status, 200, answer.body)

    def run_pod(self, name: str) -> None:
        """A pod that runs on the node and is ready."""
        made = self.create(f"{self.path}/pods", {
            "metadata": {"name": name, "labels": {"app": "web"}},
            "spec": {"nodeName": self.node, "terminationGracePeriodSeconds": 0,
                     "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "500m"}}}]}})
        self.put(f"{self.path}/pods/{name}/status", {**made, "status": {
            "phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}})

    def allow(self, disruptions: int) -> None:
        """Say in the status of the budget ``web`` what may be evicted, as its controller does."""
        found = self.get_json("pdb", "web")
        self.put(f"/apis/policy/v1/namespaces/{self.namespace}/poddisruptionbudgets/web/status", {
            **found, "status": {"observedGeneration": found["metadata"]["generation"], "expectedPods": 2,
                                "currentHealthy": 2, "desiredHealthy": 2 - disruptions,
                                "disruptionsAllowed": disruptions}})

    def test_cordon(self) -> None:
        """A cordoned node is unschedulable, until it is not."""
        self.assertEqual(self.kubectl("cordon", self.node), f"node/{self.node} cordoned")
        self.assertEqual(self.lines("get", "node", self.node)[1].split()[1], "Ready,SchedulingDisabled")
        self.assertEqual(self.kubectl("cordon", self.node), f"node/{self.node} already cordoned")
        self.assertEqual(self.kubectl("uncordon", self.node), f"node/{self.node} uncordoned")
        self.assertNotIn("unschedulable", self.get_json("node", self.node)["spec"])

    def test_drain(self) -> None:
        """Pods without a controller need force; then they are evicted."""
        self.run_pod("a")
        self.assertIn("cannot delete Pods that declare no controller (use --force to override): "
                      f"{self.namespace}/a", self.error("drain", self.node))
        self.assertEqual(self.kubectl("drain", self.node, "--force").splitlines(),
                         [f"node/{self.node} already cordoned", f"evicting pod {self.namespace}/a", "pod/a evicted",
                          f"node/{self.node} drained"])
        self.assertEqual(self.kubectl("get", "pods"), "")

    def test_drain_with_budget(self) -> None:
        """A budget holds evictions back until it allows them."""
        self.run_pod("a")
        self.kubectl("create", "pdb", "web", "--selector=app=web", "--min-available=1")
        self.allow(0)
        text = self.error("drain", self.node, "--force", "--timeout=500ms")
        self.assertIn("Cannot evict pod as it would violate the pod's disruption budget.", text)
        self.assertEqual(self.get_json("pod", "a")["status"]["phase"], "Running")
        self.allow(1)
        self.assertIn("pod/a evicted", self.kubectl("drain", self.node, "--force"))
        self.assertEqual(self.get_json("pdb", "web")["status"]["disruptionsAllowed"], 0)

    def test_taint(self) -> None:
        """Taints come, change and go."""
        self.assertEqual(self.kubectl("taint", "node", self.node, "a=b:NoSchedule"), f"node/{self.node} tainted")
        self.assertIn("already has a taint", self.error("taint", "node", self.node, "a=c:NoSchedule"))
        self.assertEqual(self.kubectl("taint", "node", self.node, "a=c:NoSchedule", "--overwrite"),
                         f"node/{self.node} modified")
        self.assertEqual(self.kubectl("taint", "node", self.node, "a:NoSchedule-"), f"node/{self.node} untainted")
        keys = [taint["key"] for taint in self.get_json("node", self.node)["spec"]["taints"]]
        self.assertEqual(keys, ["node.kubernetes.io/not-ready"])

    def test_marks(self) -> None:
        """Labels make roles, and choose."""
        self.assertEqual(self.kubectl("label", "node", self.node, "node-role.kubernetes.io/db=", "disk=ssd"),
                         f"node/{self.node} labeled")
        self.assertEqual(self.kubectl("annotate", "node", self.node, "a=b"), f"node/{self.node} annotated")
        self.assertEqual(self.lines("get", "nodes", "--selector=disk=ssd", "--no-headers")[0].split()[:3],
                         [self.node, "Ready", "db"])
        self.assertEqual(self.kubectl("label", "node", self.node, "disk-"), f"node/{self.node} unlabeled")

    def test_describe(self) -> None:
        """What runs there, and how much of it is asked for."""
        self.run_pod("a")
        lines = self.lines("describe", "node", self.node)
        self.assertIn("Non-terminated Pods: (1 in total)", lines)
        self.assertIn("cpu 500m (12%) 0 (0%)", lines)
        self.assertIn("Kubelet Version: v1.36.2", lines)

    def test_wide(self) -> None:
        """The wide table shows what the node says of itself."""
        row = self.lines("get", "node", self.node, "--output=wide", "--no-headers")[0]
        self.assertRegex(row, rf"\A{self.node} Ready <none> \d+s v1.36.2 192.0.2.7 <none> Debian GNU/Linux 13 6.8.0 "
                              r"\(amd64\) containerd://2.1.0\Z")
