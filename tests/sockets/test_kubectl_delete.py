"""kubectl delete and wait."""

from __future__ import annotations

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase


class DeleteTests(KubectlTestCase):
    def names(self, kind: str = "configmaps") -> list[str]:
        return self.kubectl("get", kind, "--output=name").splitlines()

    def deleted(self, *names: str) -> str:
        """What is said about deletions."""
        return "\n".join(f"{name} deleted from {self.namespace} namespace" for name in names)

    def test_one(self) -> None:
        """One object; a second time it isn't there."""
        self.config_map("a")
        self.assertEqual(self.kubectl("delete", "configmap", "a"), self.deleted('configmap "a"'))
        self.assertEqual(self.error("delete", "configmap", "a"),
                         'Error from server (NotFound): configmaps "a" not found')
        self.assertEqual(self.kubectl("delete", "configmap", "a", "--ignore-not-found"), "")

    def test_selector_and_all(self) -> None:
        """Those that a selector chooses, then all."""
        for name in "abc":
            self.config_map(name, {"tier": "web" if name != "c" else "db"})
        self.assertEqual(self.kubectl("delete", "configmaps", "-l", "tier=web"),
                         self.deleted('configmap "a"', 'configmap "b"'))
        self.config_map("d")
        self.kubectl("delete", "configmaps", "--all")
        self.assertEqual(self.names(), [])

    def test_file(self) -> None:
        """Everything in a file."""
        file = str(MANIFESTS / "shop.yaml")
        made = self.kubectl("create", "-f", file).splitlines()
        self.assertEqual(len(self.kubectl("delete", "-f", file, "--wait").splitlines()), len(made))
        self.assertEqual(self.kubectl("get", "-f", file, "--ignore-not-found"), "")

    def test_pod(self) -> None:
        """A pod that runs nowhere is gone at once; a forced deletion warns."""
        for name in ("a", "b"):
            self.create(f"{self.path}/pods", {"metadata": {"name": name},
                                              "spec": {"containers": [{"name": "a", "image": "b"}]}})
        self.assertEqual(self.kubectl("delete", "pod", "a"), self.deleted('pod "a"'))
        ended = self.run_kubectl(["delete", "pod", "b", "--grace-period=0", "--force"])
        self.assertIn("Immediate deletion does not wait for confirmation", ended.stderr)
        self.assertEqual(self.names("pods"), [])

    def test_finalizer(self) -> None:
        """An object with a finalizer stays until the finalizer is removed; delete can wait for that."""
        held = {"name": "a", "finalizers": ["example.com/hold"]}
        self.create(f"{self.path}/configmaps", {"metadata": held})
        self.kubectl("delete", "configmap", "a", "--wait=false")
        self.assertIn("deletionTimestamp", self.get_json("configmap", "a")["metadata"])
        self.assertIn("timed out waiting for the condition",
                      self.error("delete", "configmap", "a", "--timeout=1s"))
        waiting = self.watch("wait", "--for=delete", "configmap/a")
        release = '{"metadata": {"finalizers": null}}'
        self.kubectl("patch", "configmap", "a", "--type=merge", "--patch", release)
        self.assertEqual(waiting.status(), 0)
        self.assertEqual(self.names(), [])

    def test_dry_run(self) -> None:
        """A dry run of the server deletes nothing."""
        self.config_map("a")
        self.kubectl("delete", "configmap", "a", "--dry-run=server")
        self.assertEqual(self.names(), ["configmap/a"])


class WaitTests(KubectlTestCase):
    def test_jsonpath(self) -> None:
        """A value that is there, and one that comes while it waits."""
        self.config_map("a", x="1")
        self.assertEqual(self.kubectl("wait", "--for=jsonpath={.data.x}=1", "configmap/a"),
                         "configmap/a condition met")
        waiting = self.watch("wait", "--for=jsonpath={.data.x}=2", "configmap/a")
        self.kubectl("patch", "configmap", "a", "--patch", '{"data": {"x": "2"}}')
        self.assertEqual(waiting.next(), "configmap/a condition met")

    def test_condition(self) -> None:
        """A condition that somebody sets in the status."""
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        waiting = self.watch("wait", "--for=condition=Available", "deployment/shop")
        self.kubectl("patch", "deployment", "shop", "--subresource=status", "--patch",
                     '{"status": {"conditions": [{"type": "Available", "status": "True"}]}}')
        self.assertEqual(waiting.next(), "deployment.apps/shop condition met")

    def test_timeout(self) -> None:
        """What does not come in time."""
        self.config_map("a", x="1")
        self.assertEqual(self.error("wait", "--for=jsonpath={.data.x}=2", "configmap/a", "--timeout=1s"),
                         "error: timed out waiting for the condition on configmaps/a")
