"""kubectl describe of many kinds, events, and overviews: what it puts together from several requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase

OBJECTS = Path(__file__).parents[1] / "kinds" / "objects"


class DescribeTests(KubectlTestCase):
    def make(self, file: str) -> dict[str, Any]:
        """Create the rich object of a kind."""
        _, rich = yaml.safe_load_all((OBJECTS / file).read_text())
        rich["metadata"].pop("namespace", None)
        rich.get("spec", {}).pop("claimRef", None)
        self.kubectl("create", "-f", "-", stdin=rich)
        made: dict[str, Any] = rich
        return made

    def test_rich_objects(self) -> None:
        """Every kind is described, with its name and its events."""
        for file, expected in (
                ("core/configmaps.yaml", "shop.ini:"), ("core/services.yaml", "Type: LoadBalancer"),
                ("core/limitranges.yaml", "PersistentVolumeClaim storage 1Gi 100Gi - - -"),
                ("core/resourcequotas.yaml", "Scopes: NotTerminating"),
                ("core/secrets.yaml", "password: 6 bytes"),
                ("core/serviceaccounts.yaml", "Image pull secrets: registry"),
                ("core/replicationcontrollers.yaml", "Replicas: 0 current / 3 desired"),
                ("core/persistentvolumeclaims.yaml", "StorageClass: fast"),
                ("core/endpoints.yaml", "Addresses: 10.1.0.5"),
                ("apps/daemonsets.yaml", "Selector: app=rich,tier"),
                ("apps/deployments.yaml", "RollingUpdateStrategy: 1 max unavailable, 50% max surge"),
                ("apps/replicasets.yaml", "Controlled By: Deployment/web"),
                ("apps/statefulsets.yaml", "StorageClass: fast"),
                ("batch/cronjobs.yaml", "Time Zone: Europe/Berlin"), ("batch/jobs.yaml", "Completion Mode: Indexed"),
                ("autoscaling/horizontalpodautoscalers.yaml", "Max replicas: 20"),
                ("networking.k8s.io/ingresses.yaml", "shop-tls terminates shop.example.com"),
                ("networking.k8s.io/networkpolicies.yaml", "Policy Types: Ingress, Egress"),
                ("policy/poddisruptionbudgets.yaml", "Max unavailable: 25%"),
                ("discovery.k8s.io/endpointslices.yaml", "AddressType: IPv6"),
                ("coordination.k8s.io/leases.yaml", "Holder Identity: controller-0")):
            made = self.make(file)
            lines = self.lines("describe", Path(file).stem, made["metadata"]["name"])
            self.assertEqual(lines[0], f"Name: {made['metadata']['name']}", file)
            self.assertIn(expected, lines, f"{file}: {lines}")

    def test_cluster_objects(self) -> None:
        """Those without a namespace too."""
        for file, expected in (
                ("core/persistentvolumes.yaml", "Driver: csi.example.com"),
                ("storage.k8s.io/storageclasses.yaml", "Parameters: encrypted=true,pool=ssd"),
                ("storage.k8s.io/csinodes.yaml", "Node ID: i-0123"),
                ("networking.k8s.io/ingressclasses.yaml", "Controller: example.com/ingress"),
                ("networking.k8s.io/ipaddresses.yaml", "Name: front"),
                ("scheduling.k8s.io/priorityclasses.yaml", "PreemptionPolicy: Never"),
                ("rbac.authorization.k8s.io/clusterroles.yaml", "[/healthz] [] [get]"),
                ("node.k8s.io/runtimeclasses.yaml", "Handler: kata"),
                ("apiextensions.k8s.io/customresourcedefinitions.yaml", "Kind: Gadget")):
            made = self.make(file)
            name = made["metadata"]["name"]
            self.addCleanup(self.client.request, "DELETE", path_of(made))
            lines = self.lines("describe", Path(file).stem, name)
            self.assertEqual(lines[0], f"Name: {name}", file)
            self.assertIn(expected, lines, f"{file}: {lines}")

    def test_pod_with_events(self) -> None:
        """Events about an object stand at the end of its description, and are listed by it."""
        self.kubectl("run", "one", "--image=nginx")
        pod = self.get_json("pod", "one")["metadata"]
        for name, reason in (("a", "Pulled"), ("b", "Started")):
            self.create(f"{self.path}/events", {
                "metadata": {"name": name}, "reason": reason, "message": f"{reason} it", "type": "Normal",
                "source": {"component": "kubelet"}, "count": 1,
                "firstTimestamp": "2026-01-01T10:00:00Z", "lastTimestamp": "2026-01-01T10:00:00Z",
                "involvedObject": {"apiVersion": "v1", "kind": "Pod", "name": "one", "namespace": self.namespace,
                                   "uid": pod["uid"]}})
        lines = self.lines("describe", "pod", "one")
        self.assertRegex(lines[-2], r"\ANormal Pulled \d+d kubelet Pulled it\Z")
        rows = self.lines("events", "--for=pod/one", "--no-headers")
        self.assertEqual([row.split()[1:] for row in rows],
                         [["Normal", "Pulled", "Pod/one", "Pulled", "it"],
                          ["Normal", "Started", "Pod/one", "Started", "it"]])
        rows = self.lines("get", "events", "--field-selector=reason=Started", "--no-headers")
        self.assertEqual([row.split()[1:] for row in rows], [["Normal", "Started", "pod/one", "Started", "it"]])

    def test_all(self) -> None:
        """The category ``all``, kind by kind."""
        self.kubectl("create", "-f", str(MANIFESTS / "shop.yaml"))
        self.kubectl("run", "one", "--image=nginx")
        self.assertEqual(self.kubectl("get", "all", "--output=name").splitlines(),
                         ["pod/one", "service/shop", "deployment.apps/shop",
                          "horizontalpodautoscaler.autoscaling/shop"])

    def test_component_statuses(self) -> None:
        """The store is well; kubectl is told that the kind is deprecated."""
        ended = self.run_kubectl(["get", "componentstatuses", "etcd-0", "--output=json"])
        self.assertEqual(ended.stderr, "Warning: v1 ComponentStatus is deprecated in v1.19+\n")
        (condition,) = json.loads(ended.stdout)["conditions"]
        self.assertEqual((condition["type"], condition["status"], condition["message"]), ("Healthy", "True", "ok"))


def path_of(obj: dict[str, Any]) -> str:
    """Of an object without a namespace."""
    version, kind = obj["apiVersion"], obj["kind"]
    resource = {"StorageClass": "storageclasses", "IngressClass": "ingressclasses", "IPAddress": "ipaddresses",
                "PriorityClass": "priorityclasses", "RuntimeClass": "runtimeclasses"}.get(kind, kind.lower() + "s")
    return f"/{'apis' if '/' in version else 'api'}/{version}/{resource}/{obj['metadata']['name']}"
