"""Namespaces with the small controllers at work."""

from __future__ import annotations

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase


class NamespaceTests(KubectlTestCase):
    controllers = ("serviceaccount", "namespace", "root-ca-publisher")

    def test_contents(self) -> None:
        """A new namespace gets its service account and the root certificates."""
        for name in ("serviceaccount/default", "configmap/kube-root-ca.crt"):
            self.assertEqual(self.kubectl("wait", "--for=create", name), f"{name} condition met")

    def test_delete(self) -> None:
        """A deleted namespace goes with all that is in it, and can be made again."""
        for manifest in ("shop", "database"):
            self.kubectl("create", "-f", str(MANIFESTS / f"{manifest}.yaml"))
        self.kubectl("patch", "pvc", "backups", "--type=merge", "--patch", '{"metadata": {"finalizers": null}}')
        self.assertEqual(self.kubectl("delete", "namespace", self.namespace, "--timeout=30s"),
                         f'namespace "{self.namespace}" deleted')
        self.assertEqual(self.error("get", "namespace", self.namespace),
                         f'Error from server (NotFound): namespaces "{self.namespace}" not found')
        self.create("/api/v1/namespaces", {"metadata": {"name": self.namespace}})
        self.assertEqual(self.kubectl("get", "deployments,secrets,services", "--output=name"), "")
