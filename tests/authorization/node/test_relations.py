"""Which objects belong to which node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.authorization.node.references import PodReferences, pod_references, volume_secrets
from kube_twisted.authorization.node.relations import NodeRelations

Obj = dict[str, Any]


def pod(name: str, node: str = "n1", *, annotations: dict[str, str] | None = None, status: Obj | None = None,
        **spec: Any) -> Obj:
    return {"metadata": {"name": name, "namespace": "ns", "annotations": annotations},
            "spec": {"nodeName": node, **spec}, "status": status or {}}


class Objects:
    """Has objects, and counts how often all pods are read."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str], Obj] = {}
        self.listed = 0

    def put(self, resource: str, obj: Obj) -> None:
        self.objects[resource, obj["metadata"].get("namespace", ""), obj["metadata"]["name"]] = obj

    def peek(self, group: str, resource: str, namespace: str, name: str) -> Obj | None:
        return self.objects.get((resource, namespace, name))

    def peek_all(self, group: str, resource: str, namespace: str = "") -> Sequence[Obj]:
        self.listed += 1
        return [obj for (which, _, _), obj in self.objects.items() if which == resource]


class ReferencesTests(SynchronousTestCase):
    def test_secrets(self) -> None:
        """Of pulling, environment, volumes and projections, in all kinds of containers."""
        found = pod_references(pod("p", imagePullSecrets=[{"name": "pull"}], volumes=[
            {"name": "a", "secret": {"secretName": "volume"}}, {"name": "b", "rbd": {"secretRef": {"name": "rbd"}}},
            {"name": "c", "projected": {"sources": [{"secret": {"name": "projected"}}, {"configMap": {"name": "m"}}]}},
            {"name": "d", "csi": {"driver": "x"}}, {"name": "e", "emptyDir": {}}],
            initContainers=[{"envFrom": [{"secretRef": {"name": "init"}}]}],
            ephemeralContainers=[{"env": [{"name": "x", "valueFrom": {"secretKeyRef": {"name": "debug"}}},
                                          {"name": "y", "value": "1"}]}]))
        self.assertEqual(found.secrets, {"pull", "volume", "rbd", "projected", "init", "debug"})
        self.assertEqual(found.config_maps, {"m"})

    def test_config_maps(self) -> None:
        """Of environment and volumes."""
        found = pod_references(pod("p", volumes=[{"name": "a", "configMap": {"name": "volume"}}], containers=[
            {"env": [{"valueFrom": {"configMapKeyRef": {"name": "key"}}}]},
            {"envFrom": [{"configMapRef": {"name": "all"}}]}]))
        self.assertEqual(found, PodReferences(config_maps=frozenset(("volume", "key", "all"))))

    def test_claims(self) -> None:
        """Named claims, and those made for the pod."""
        found = pod_references(pod(
            "p", serviceAccountName="robot",
            volumes=[{"name": "a", "persistentVolumeClaim": {"claimName": "named"}}, {"name": "b", "ephemeral": {}}],
            resourceClaims=[{"name": "x", "resourceClaimName": "device"},
                            {"name": "y", "resourceClaimTemplateName": "t"}, {"name": "z"}],
            status={"resourceClaimStatuses": [{"name": "y", "resourceClaimName": "made"}],
                    "extendedResourceClaimStatus": {"resourceClaimName": "extended"}}))
        self.assertEqual(found, PodReferences("robot", claims=frozenset(("named", "p-b")),
                                              resource_claims=frozenset(("device", "made", "extended"))))

    def test_mirror(self) -> None:
        """A mirror pod gives access to nothing."""
        mirror = pod("p", annotations={"kubernetes.io/config.mirror": "x"}, serviceAccountName="robot")
        self.assertEqual(pod_references(mirror), PodReferences())

    def test_volume_secrets(self) -> None:
        """Secrets of a PersistentVolume are in the namespace that it says, or its claim's."""
        claim = {"namespace": "ns", "name": "c"}
        for source, expected in (
                ({"cephfs": {"secretRef": {"name": "s"}}}, ("ns", "s")),
                ({"rbd": {"secretRef": {"name": "s", "namespace": "far"}}}, ("far", "s")),
                ({"azureFile": {"secretName": "s"}}, ("ns", "s")),
                ({"azureFile": {"secretName": "s", "secretNamespace": "far"}}, ("far", "s")),
                ({"csi": {"nodeStageSecretRef": {"name": "s", "namespace": "far"}}}, ("far", "s"))):
            self.assertIn(expected, list(volume_secrets({"spec": {"claimRef": claim, **source}})), source)
        controller = {"csi": {"controllerPublishSecretRef": {"name": "s", "namespace": "far"}}}
        self.assertNotIn(("far", "s"), list(volume_secrets({"spec": controller})))


class RelationsTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.objects = Objects()
        self.relations = NodeRelations(self.objects)

    def has(self, resource: str, name: str, node: str = "n1", namespace: str = "ns") -> bool:
        return self.relations.has(node, resource, namespace, name)

    def put(self, obj: Obj) -> None:
        self.objects.put("pods", obj)
        self.relations.pod_changed("ns", obj["metadata"]["name"])

    def test_by_pods(self) -> None:
        """What a pod of the node refers to, in the pod's namespace."""
        self.put(pod("p", serviceAccountName="robot", imagePullSecrets=[{"name": "s"}], volumes=[
            {"name": "a", "configMap": {"name": "m"}}, {"name": "b", "persistentVolumeClaim": {"claimName": "c"}}],
            resourceClaims=[{"name": "x", "resourceClaimName": "device"}]))
        for resource, name in (("pods", "p"), ("serviceaccounts", "robot"), ("secrets", "s"), ("configmaps", "m"),
                               ("persistentvolumeclaims", "c"), ("resourceclaims", "device")):
            self.assertTrue(self.has(resource, name), resource)
            self.assertFalse(self.has(resource, "other"), resource)
            self.assertFalse(self.has(resource, name, namespace="other"), resource)
            self.assertFalse(self.has(resource, name, node="n2"), resource)

    def test_changes(self) -> None:
        """Pods that come, change and go are noticed; all of them are read once."""
        self.put(pod("p", serviceAccountName="robot"))
        self.assertTrue(self.has("serviceaccounts", "robot"))
        self.put(pod("q", "n2", serviceAccountName="robot"))
        self.assertTrue(self.has("serviceaccounts", "robot", "n2"))
        self.put(pod("p", serviceAccountName="other"))
        self.assertFalse(self.has("serviceaccounts", "robot"))
        del self.objects.objects["pods", "ns", "q"]
        self.relations.pod_changed("ns", "q")
        self.assertFalse(self.has("serviceaccounts", "robot", "n2"))
        self.assertEqual(self.objects.listed, 1)

    def test_not_scheduled(self) -> None:
        """A pod without a node is nobody's."""
        self.put(pod("p", ""))
        self.assertFalse(self.has("pods", "p", node=""))

    def test_volumes(self) -> None:
        """A PersistentVolume belongs to a node by its claim, and so do its secrets."""
        self.put(pod("p", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]))
        self.objects.put("persistentvolumeclaims", {"metadata": {"name": "c", "namespace": "ns"},
                                                    "spec": {"volumeName": "v"}})
        self.assertFalse(self.has("persistentvolumes", "v", namespace=""))
        self.objects.put("persistentvolumes", {"metadata": {"name": "v"}, "spec": {
            "claimRef": {"namespace": "ns", "name": "c"}, "cephfs": {"secretRef": {"name": "s"}}}})
        self.assertTrue(self.has("persistentvolumes", "v", namespace=""))
        self.assertTrue(self.has("secrets", "s"))
        self.assertFalse(self.has("secrets", "s", node="n2"))
        self.objects.put("persistentvolumes", {"metadata": {"name": "v"}, "spec": {
            "claimRef": {"namespace": "ns", "name": "other"}, "cephfs": {"secretRef": {"name": "s"}}}})
        self.assertFalse(self.has("secrets", "s"))

    def test_names_of_nodes(self) -> None:
        """Attachments and slices say themselves to which node they belong."""
        for resource in ("volumeattachments", "resourceslices"):
            self.objects.put(resource, {"metadata": {"name": "x"}, "spec": {"nodeName": "n1"}})
            self.assertTrue(self.has(resource, "x", namespace=""))
            self.assertFalse(self.has(resource, "x", node="n2", namespace=""))
            self.assertFalse(self.has(resource, "y", namespace=""))
