"""kubectl apply and diff, on the client's and the server's side."""

from __future__ import annotations

import json
from typing import Any

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase

#: kubectl sends patches for these that change nothing: stringData, "0.25" for "250m", a selector or templates of
#: claims that are replaced whole.
ALWAYS_CONFIGURED = ("secret/", "deployment.apps/", "poddisruptionbudget.policy/", "statefulset.apps/")
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def config_map(**data: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": data}


class ApplyTests(KubectlTestCase):
    def test_manifests(self) -> None:
        """Applying manifests makes them; applying them again changes nothing."""
        for manifest in ("shop", "database"):
            file = str(MANIFESTS / f"{manifest}.yaml")
            first = self.kubectl("apply", "--filename", file).splitlines()
            self.assertTrue(all(line.endswith(" created") for line in first), first)
            versions = self.versions(file)
            again = self.kubectl("apply", "--filename", file).splitlines()
            self.assertEqual(again, [line.replace("created", "configured" if line.startswith(ALWAYS_CONFIGURED)
                                                  else "unchanged") for line in first])
            self.assertEqual(self.versions(file), versions)

    def versions(self, file: str) -> list[str]:
        items = self.get_json("--filename", file)["items"]
        return [item["metadata"]["resourceVersion"] for item in items]

    def test_change(self) -> None:
        """What is new is added, what is gone from the file is removed, and what others set stays."""
        apply = ("apply", "-f", "-")
        self.assertEqual(self.kubectl(*apply, stdin=config_map(a="1", b="1")), "configmap/a created")
        self.kubectl("patch", "configmap", "a", "--patch", '{"data": {"other": "1"}}')
        self.assertEqual(self.kubectl(*apply, stdin=config_map(a="2", c="1")), "configmap/a configured")
        found = self.get_json("configmap", "a")
        self.assertEqual(found["data"], {"a": "2", "c": "1", "other": "1"})
        last = json.loads(found["metadata"]["annotations"][LAST_APPLIED])
        self.assertEqual(last["data"], {"a": "2", "c": "1"})

    def test_list_by_key(self) -> None:
        """Containers are merged by name: another's sidecar survives."""
        file = str(MANIFESTS / "shop.yaml")
        self.kubectl("apply", "-f", file)
        sidecar = {"spec": {"template": {"spec": {"containers": [{"name": "proxy", "image": "envoy"}]}}}}
        self.kubectl("patch", "deployment", "shop", "--patch", json.dumps(sidecar))
        text = (MANIFESTS / "shop.yaml").read_text().replace("nginx:1.27", "nginx:1.28")
        self.assertIn("deployment.apps/shop configured", self.kubectl("apply", "-f", "-", stdin=text))
        containers = self.get_json("deployment", "shop")["spec"]["template"]["spec"]["containers"]
        self.assertEqual({one["name"]: one["image"] for one in containers}, {
            "proxy": "envoy", "web": "nginx:1.28", "shop": "example.com/shop:1.4.2"})

    def test_diff(self) -> None:
        """A diff shows what an apply would do."""
        self.kubectl("apply", "-f", "-", stdin=config_map(a="1"))
        self.assertEqual(self.kubectl("diff", "-f", "-", stdin=config_map(a="1")), "")
        ended = self.run_kubectl(["diff", "-f", "-"], stdin=config_map(a="2"))
        self.assertEqual(ended.returncode, 1, ended.stderr)
        changes = [line for line in ended.stdout.splitlines() if line.startswith(("-  a:", "+  a:"))]
        self.assertEqual(changes, ['-  a: "1"', '+  a: "2"'])

    def test_immutable(self) -> None:
        """An apply that changes what cannot be changed is refused."""
        text = (MANIFESTS / "shop.yaml").read_text()
        self.kubectl("apply", "-f", "-", stdin=text)
        other = text.replace("matchLabels: {app.kubernetes.io/name: shop}", "matchLabels: {app: shop}")
        self.assertIn("field is immutable", self.error("apply", "-f", "-", stdin=other))


class ServerSideApplyTests(KubectlTestCase):
    def test_apply(self) -> None:
        """The server owns the merge; there is no annotation."""
        apply = ("apply", "--server-side", "-f", "-")
        self.assertEqual(self.kubectl(*apply, stdin=config_map(a="1", b="1")),
                         "configmap/a serverside-applied")
        self.kubectl(*apply, stdin=config_map(a="2"))
        found = self.get_json("configmap", "a")
        self.assertEqual(found["data"], {"a": "2"})
        self.assertNotIn("annotations", found["metadata"])

    def test_conflict(self) -> None:
        """A field that another manager owns is a conflict, unless forced."""
        self.kubectl("apply", "--server-side", "--field-manager=first", "-f", "-", stdin=config_map(a="1"))
        second = ("apply", "--server-side", "--field-manager=second", "-f", "-")
        text = self.error(*second, stdin=config_map(a="2"))
        self.assertEqual(text.splitlines()[0],
                         'error: Apply failed with 1 conflict: conflict with "first": .data.a')
        self.kubectl(*second, "--force-conflicts", stdin=config_map(a="2"))
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "2"})

    def test_from_client_side(self) -> None:
        """Objects of client-side apply can go over to it."""
        self.kubectl("apply", "-f", "-", stdin=config_map(a="1", b="1"))
        self.kubectl("apply", "--server-side", "-f", "-", stdin=config_map(a="2"))
        self.assertEqual(self.get_json("configmap", "a")["data"], {"a": "2"})
