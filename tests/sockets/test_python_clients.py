"""The Python clients that people use, against a real server: kubernetes (typed and dynamic) and lightkube."""

from __future__ import annotations

import threading
from typing import Any

import lightkube
from kubernetes import client as kubernetes
from kubernetes import config, dynamic, watch
from lightkube.core.exceptions import ApiError
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.apps_v1 import Deployment
from lightkube.resources.core_v1 import ConfigMap
from lightkube.types import PatchType

from tests.sockets.support.case import ServerTestCase


def deployment(name: str, **labels: str) -> dict[str, Any]:
    """A small one."""
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "labels": labels}, "spec": {
        "selector": {"matchLabels": {"app": name}}, "template": {
            "metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "a", "image": "nginx"}]}}}}


class KubernetesTests(ServerTestCase):
    """The typed client of the package ``kubernetes``."""

    def setUp(self) -> None:
        super().setUp()
        self.api = config.new_client_from_config(str(self.server.kubeconfig))
        self.addCleanup(self.api.close)
        self.core = kubernetes.CoreV1Api(self.api)
        self.apps = kubernetes.AppsV1Api(self.api)

    def config_map(self, name: str, **data: str) -> Any:
        return kubernetes.V1ConfigMap(metadata=kubernetes.V1ObjectMeta(name=name, labels=data), data=data)

    def test_life(self) -> None:
        """An object is made, read, changed in three ways and deleted."""
        made = self.core.create_namespaced_config_map(self.namespace, self.config_map("a", x="1"))
        self.assertTrue(made.metadata.uid)
        read = self.core.read_namespaced_config_map("a", self.namespace)
        self.assertEqual((read.data, read.metadata.uid), ({"x": "1"}, made.metadata.uid))
        read.data["y"] = "1"
        self.core.replace_namespaced_config_map("a", self.namespace, read)
        patched = self.core.patch_namespaced_config_map("a", self.namespace, {"data": {"x": None, "z": "1"}})
        self.assertEqual(patched.data, {"y": "1", "z": "1"})
        change = [{"op": "remove", "path": "/data/y"}]
        self.assertEqual(self.core.patch_namespaced_config_map("a", self.namespace, change).data, {"z": "1"})
        self.core.delete_namespaced_config_map("a", self.namespace)
        self.assertRaises(kubernetes.ApiException, self.core.read_namespaced_config_map, "a", self.namespace)

    def test_errors(self) -> None:
        """404, 409 twice and 422 arrive as such."""
        def status(call: Any, *arguments: Any) -> int:
            return int(self.assertRaises(kubernetes.ApiException, call, *arguments).status)

        self.assertEqual(status(self.core.read_namespaced_config_map, "a", self.namespace), 404)
        made = self.core.create_namespaced_config_map(self.namespace, self.config_map("a", x="1"))
        create, replace = self.core.create_namespaced_config_map, self.core.replace_namespaced_config_map
        self.assertEqual(status(create, self.namespace, self.config_map("a")), 409)
        self.core.patch_namespaced_config_map("a", self.namespace, {"data": {"x": "2"}})
        self.assertEqual(status(replace, "a", self.namespace, made), 409)
        self.assertEqual(status(create, self.namespace, self.config_map("A")), 422)

    def test_list(self) -> None:
        """Selectors choose; a list in pieces is whole."""
        for name in "abcde":
            self.core.create_namespaced_config_map(self.namespace, self.config_map(name, x=name))
        listing = self.core.list_namespaced_config_map
        self.assertEqual([one.metadata.name for one in listing(self.namespace, label_selector="x in (b,d)").items],
                         ["b", "d"])
        self.assertEqual([one.data for one in listing(self.namespace, field_selector="metadata.name=c").items],
                         [{"x": "c"}])
        names, part = [], ""
        for _ in range(3):
            page = listing(self.namespace, limit=2, _continue=part)
            names += [one.metadata.name for one in page.items]
            part = page.metadata._continue
        self.assertEqual((names, part), (list("abcde"), None))

    def test_watch(self) -> None:
        """A watch from a list's version tells what follows."""
        version = self.core.list_namespaced_config_map(self.namespace).metadata.resource_version
        self.core.create_namespaced_config_map(self.namespace, self.config_map("a", x="1"))
        self.core.patch_namespaced_config_map("a", self.namespace, {"data": {"x": "2"}})
        self.core.delete_namespaced_config_map("a", self.namespace)
        events = watch.Watch().stream(self.core.list_namespaced_config_map, self.namespace,
                                      resource_version=version, timeout_seconds=1)
        self.assertEqual([(event["type"], event["object"].data["x"]) for event in events],
                         [("ADDED", "1"), ("MODIFIED", "2"), ("DELETED", "2")])

    def test_scale_and_status(self) -> None:
        """Subresources have their own calls."""
        self.apps.create_namespaced_deployment(self.namespace, deployment("a"))
        scale = self.apps.patch_namespaced_deployment_scale("a", self.namespace, {"spec": {"replicas": 3}})
        self.assertEqual((scale.spec.replicas, scale.status.selector), (3, "app=a"))
        self.apps.patch_namespaced_deployment_status("a", self.namespace, {"status": {"replicas": 2}})
        read = self.apps.read_namespaced_deployment("a", self.namespace)
        self.assertEqual((read.spec.replicas, read.status.replicas), (3, 2))

    def test_collection(self) -> None:
        """A collection is deleted by a selector."""
        for name in "abc":
            self.core.create_namespaced_config_map(self.namespace, self.config_map(name, x=name))
        self.core.delete_collection_namespaced_config_map(self.namespace, label_selector="x!=b")
        left = self.core.list_namespaced_config_map(self.namespace).items
        self.assertEqual([one.metadata.name for one in left], ["b"])


class DynamicTests(ServerTestCase):
    """The dynamic client of the package ``kubernetes``, which lives on discovery."""

    def setUp(self) -> None:
        super().setUp()
        api = config.new_client_from_config(str(self.server.kubeconfig))
        self.addCleanup(api.close)
        self.dynamic = dynamic.DynamicClient(api)
        self.deployments = self.dynamic.resources.get(api_version="apps/v1", kind="Deployment")

    def test_discovery(self) -> None:
        """Kinds are found by group, version and kind."""
        self.assertEqual((self.deployments.name, self.deployments.namespaced), ("deployments", True))
        found = self.dynamic.resources.search(short_names=["cm"])
        self.assertEqual([one.kind for one in found], ["ConfigMap", "ConfigMapList"])

    def test_life(self) -> None:
        """An object is made, read, applied, patched, listed, watched and deleted."""
        api, namespace = self.deployments, self.namespace
        made = api.create(body=deployment("a", tier="web"), namespace=namespace)
        self.assertEqual(made.spec.replicas, 1)
        wanted = {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": 2}}
        applied = api.server_side_apply(name="a", namespace=namespace, field_manager="test",
                                        force_conflicts=True, body=wanted)
        self.assertEqual(applied.spec.replicas, 2)
        image = {"spec": {"template": {"spec": {"containers": [{"name": "a", "image": "nginx:2"}]}}}}
        patched = api.patch(name="a", namespace=namespace, body=image,
                            content_type="application/strategic-merge-patch+json")
        self.assertEqual(patched.spec.template.spec.containers[0].image, "nginx:2")
        found = api.get(namespace=namespace, label_selector="tier=web").items
        self.assertEqual([one.metadata.name for one in found], ["a"])
        api.delete(name="a", namespace=namespace)
        self.assertRaises(dynamic.exceptions.NotFoundError, api.get, name="a", namespace=namespace)
        events = api.watch(namespace=namespace, resource_version=made.metadata.resourceVersion, timeout=1)
        self.assertEqual([event["type"] for event in events], ["MODIFIED", "MODIFIED", "DELETED"])

    def test_conflict(self) -> None:
        """The second of two creations, and a stale replacement."""
        made = self.deployments.create(body=deployment("a"), namespace=self.namespace)
        conflict = dynamic.exceptions.ConflictError
        self.assertRaises(conflict, self.deployments.create, body=deployment("a"), namespace=self.namespace)
        self.deployments.patch(name="a", namespace=self.namespace, body={"spec": {"replicas": 4}},
                               content_type="application/merge-patch+json")
        self.assertRaises(conflict, self.deployments.replace, body=made.to_dict(), namespace=self.namespace)


class LightkubeTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        kubeconfig = lightkube.KubeConfig.from_file(str(self.server.kubeconfig))
        self.kube = lightkube.Client(kubeconfig, namespace=self.namespace, field_manager="test")

    def config_map(self, name: str, **data: str) -> ConfigMap:
        return ConfigMap(metadata=ObjectMeta(name=name, labels=data), data=data)

    def test_life(self) -> None:
        """An object is made, read, replaced, patched and deleted."""
        made = self.kube.create(self.config_map("a", x="1"))
        made.data["y"] = "1"
        self.kube.replace(made)
        self.kube.patch(ConfigMap, "a", {"data": {"x": None}}, patch_type=PatchType.MERGE)
        self.kube.patch(ConfigMap, "a", [{"op": "add", "path": "/data/z", "value": "1"}], patch_type=PatchType.JSON)
        self.assertEqual(self.kube.get(ConfigMap, "a").data, {"y": "1", "z": "1"})
        self.kube.delete(ConfigMap, "a")
        self.assertEqual(self.assertRaises(ApiError, self.kube.get, ConfigMap, "a").status.code, 404)

    def test_apply(self) -> None:
        """Server-side apply: what is left out is removed."""
        one = ConfigMap(metadata=ObjectMeta(name="a"), data={"x": "1", "y": "1"})
        self.kube.apply(one)
        one.data = {"x": "2"}
        self.kube.apply(one)
        self.assertEqual(self.kube.get(ConfigMap, "a").data, {"x": "2"})

    def test_errors(self) -> None:
        """Reasons are told apart."""
        made = self.kube.create(self.config_map("a", x="1"))
        self.assertEqual(self.assertRaises(ApiError, self.kube.create, self.config_map("a")).status.reason,
                         "AlreadyExists")
        self.kube.patch(ConfigMap, "a", {"data": {"x": "2"}})
        self.assertEqual(self.assertRaises(ApiError, self.kube.replace, made).status.reason, "Conflict")

    def test_list(self) -> None:
        """Selectors, chunks, and all namespaces."""
        for name in "abcde":
            self.kube.create(self.config_map(name, x=name))

        def names(**options: Any) -> list[str]:
            return [one.metadata.name for one in self.kube.list(ConfigMap, **options)]

        self.assertEqual(names(chunk_size=2), list("abcde"))
        self.assertEqual(names(labels={"x": ["a", "e"]}), ["a", "e"])
        self.assertEqual(names(fields={"metadata.name": "c"}), ["c"])
        self.assertEqual(names(namespace="*", labels={"x": "b"}), ["b"])

    def test_watch(self) -> None:
        """A watch begins with what is there."""
        self.kube.create(self.config_map("a", x="1"))
        seen: list[tuple[str, str]] = []
        events = self.kube.watch(ConfigMap, server_timeout=10)
        for kind, one in events:
            seen.append((kind, one.metadata.name))
            if seen == [("ADDED", "a")]:
                threading.Thread(target=self.kube.create, args=(self.config_map("b"),)).start()
            elif one.metadata.name == "b":
                break
        events.close()
        self.assertEqual(seen, [("ADDED", "a"), ("ADDED", "b")])

    def test_wait(self) -> None:
        """It can wait for a condition that somebody else sets."""
        self.kube.create(Deployment.from_dict(deployment("a")))
        status = {"status": {"conditions": [{"type": "Available", "status": "True"}]}}
        later = threading.Timer(0.1, self.kube.patch, (Deployment.Status, "a", status))
        later.start()
        self.addCleanup(later.join)
        found = self.kube.wait(Deployment, "a", for_conditions=["Available"])
        self.assertEqual(found.status.conditions[0].status, "True")
