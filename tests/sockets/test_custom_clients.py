"""The Python clients that people use with custom resources: kubernetes (plain and dynamic), lightkube and kr8s."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import lightkube
import yaml
from kubernetes import client as kubernetes
from kubernetes import config, dynamic, watch
from lightkube.core.exceptions import ApiError
from lightkube.generic_resource import create_namespaced_resource, load_in_cluster_generic_resources
from lightkube.types import PatchType

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.process import ROOT, environment

DEFINITION = yaml.safe_load((Path(__file__).with_name("manifests") / "custom" / "widgets.yaml").read_text())
GROUP, VERSION, PLURAL = "example.com", "v1", "widgets"
_PATIENCE = 60.0


def widget(name: str = "a", **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name},
            "spec": {"color": "red", **spec}}


class WidgetCase(ServerTestCase):
    """Its server serves widgets."""

    def setUp(self) -> None:
        super().setUp()
        definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        if self.client.request("GET", f"{definitions}/widgets.example.com").status == 404:
            self.create(definitions, DEFINITION)
        self.widgets = f"/apis/example.com/v1/namespaces/{self.namespace}/widgets"
        self.server.wait_for(lambda: self.client.request("GET", self.widgets).status == 200, "widgets are served")


class CustomObjectsTests(WidgetCase):
    """``CustomObjectsApi`` of the package ``kubernetes``."""

    def setUp(self) -> None:
        super().setUp()
        self.api = config.new_client_from_config(str(self.server.kubeconfig))
        self.addCleanup(self.api.close)
        self.custom = kubernetes.CustomObjectsApi(self.api)
        self.where = (GROUP, VERSION, self.namespace, PLURAL)

    def test_definition(self) -> None:
        """The definition is read by the typed client; its conditions tell that it is established."""
        found = kubernetes.ApiextensionsV1Api(self.api).read_custom_resource_definition("widgets.example.com")
        self.assertIn(("Established", "True"), [(one.type, one.status) for one in found.status.conditions])
        self.assertEqual(found.status.accepted_names.kind, "Widget")

    def test_life(self) -> None:
        """An object is made, read, replaced, patched, listed and deleted."""
        made = self.custom.create_namespaced_custom_object(*self.where, widget())
        self.assertEqual(made["spec"], {"color": "red", "size": 1})
        made["spec"]["size"] = 2
        self.custom.replace_namespaced_custom_object(*self.where, "a", made)
        patched = self.custom.patch_namespaced_custom_object(*self.where, "a", {"spec": {"color": "blue"}})
        self.assertEqual(patched["spec"], {"color": "blue", "size": 2})
        found = self.custom.list_namespaced_custom_object(*self.where, field_selector="metadata.name=a")
        self.assertEqual([one["metadata"]["name"] for one in found["items"]], ["a"])
        self.custom.delete_namespaced_custom_object(*self.where, "a")
        error = self.assertRaises(kubernetes.ApiException, self.custom.get_namespaced_custom_object, *self.where, "a")
        self.assertEqual(error.status, 404)

    def test_subresources(self) -> None:
        """Status and scale have their own calls."""
        self.custom.create_namespaced_custom_object(*self.where, widget())
        self.custom.patch_namespaced_custom_object_status(*self.where, "a", {"status": {"ready": 1}})
        scale = self.custom.patch_namespaced_custom_object_scale(*self.where, "a", {"spec": {"replicas": 4}})
        self.assertEqual((scale["spec"], scale["status"]), ({"replicas": 4}, {"replicas": 1}))
        found = self.custom.get_namespaced_custom_object_status(*self.where, "a")
        self.assertEqual((found["spec"]["size"], found["status"]), (4, {"ready": 1}))

    def test_errors(self) -> None:
        """What is not valid is 422 with its causes; a stale replacement is 409."""
        error = self.assertRaises(kubernetes.ApiException, self.custom.create_namespaced_custom_object, *self.where,
                                  widget(color="pink"))
        causes = json.loads(error.body)["details"]["causes"]
        self.assertEqual((error.status, [one["field"] for one in causes]), (422, ["spec.color"]))
        made = self.custom.create_namespaced_custom_object(*self.where, widget())
        self.custom.patch_namespaced_custom_object(*self.where, "a", {"spec": {"size": 2}})
        error = self.assertRaises(kubernetes.ApiException, self.custom.replace_namespaced_custom_object, *self.where,
                                  "a", made)
        self.assertEqual(error.status, 409)

    def test_watch(self) -> None:
        """A watch from a list's version tells what follows."""
        version = self.custom.list_namespaced_custom_object(*self.where)["metadata"]["resourceVersion"]
        self.custom.create_namespaced_custom_object(*self.where, widget())
        self.custom.patch_namespaced_custom_object(*self.where, "a", {"spec": {"size": 2}})
        self.custom.delete_namespaced_custom_object(*self.where, "a")
        events = watch.Watch().stream(self.custom.list_namespaced_custom_object, *self.where,
                                      resource_version=version, timeout_seconds=1)
        self.assertEqual([(event["type"], event["object"]["spec"]["size"]) for event in events],
                         [("ADDED", 1), ("MODIFIED", 2), ("DELETED", 2)])


class DynamicTests(WidgetCase):
    """The dynamic client of the package ``kubernetes``."""

    shares_with = CustomObjectsTests

    def test_dynamic(self) -> None:
        """The kind is found by discovery; an object is made, applied, patched, listed, watched and deleted."""
        api = config.new_client_from_config(str(self.server.kubeconfig))
        self.addCleanup(api.close)
        widgets = dynamic.DynamicClient(api).resources.get(api_version="example.com/v1", kind="Widget")
        self.assertEqual((widgets.name, widgets.short_names, sorted(widgets.subresources)),
                         ("widgets", ["wd"], ["scale", "status"]))
        made = widgets.create(body=widget(), namespace=self.namespace)
        self.assertEqual(made.spec.size, 1)
        applied = widgets.server_side_apply(name="a", namespace=self.namespace, field_manager="test",
                                            force_conflicts=True, body=widget(size=2))
        self.assertEqual(applied.spec.size, 2)
        widgets.status.patch(name="a", namespace=self.namespace, body={"status": {"phase": "up"}},
                             content_type="application/merge-patch+json")
        self.assertEqual([one.status.phase for one in widgets.get(namespace=self.namespace).items], ["up"])
        widgets.delete(name="a", namespace=self.namespace)
        events = widgets.watch(namespace=self.namespace, resource_version=made.metadata.resourceVersion, timeout=1)
        self.assertEqual([event["type"] for event in events], ["MODIFIED", "MODIFIED", "DELETED"])


class LightkubeTests(WidgetCase):
    """Generic resources of lightkube."""

    shares_with = CustomObjectsTests

    def setUp(self) -> None:
        super().setUp()
        kubeconfig = lightkube.KubeConfig.from_file(str(self.server.kubeconfig))
        self.kube = lightkube.Client(kubeconfig, namespace=self.namespace, field_manager="test")
        self.kind = create_namespaced_resource(GROUP, VERSION, "Widget", PLURAL)

    def test_generic(self) -> None:
        """An object is made, replaced, patched, applied, scaled and deleted."""
        made = self.kube.create(self.kind(metadata={"name": "a"}, spec={"color": "red"}))
        self.assertEqual(made.spec, {"color": "red", "size": 1})
        made.spec["color"] = "green"
        self.kube.replace(made)
        self.kube.patch(self.kind, "a", {"spec": {"size": 2}}, patch_type=PatchType.MERGE)
        self.kube.patch(self.kind.Status, "a", {"status": {"phase": "up"}}, patch_type=PatchType.MERGE)
        self.kube.apply(self.kind(metadata={"name": "a"}, spec={"color": "blue"}), force=True)
        scale = self.kube.get(self.kind.Scale, "a")
        scale.spec.replicas = 5
        self.kube.replace(scale, "a")
        found = self.kube.get(self.kind, "a")
        self.assertEqual((found.spec, found.status), ({"color": "blue", "size": 5}, {"phase": "up"}))
        self.kube.delete(self.kind, "a")
        self.assertEqual(self.assertRaises(ApiError, self.kube.get, self.kind, "a").status.reason, "NotFound")

    def test_generic_watch(self) -> None:
        """A watch begins with what is there."""
        self.kube.create(self.kind(metadata={"name": "a"}, spec={"color": "red"}))
        seen: list[tuple[str, str]] = []
        later = self.kind(metadata={"name": "b"}, spec={"color": "red"})
        events = self.kube.watch(self.kind, server_timeout=10)
        for type_, one in events:
            seen.append((type_, one.metadata.name))
            if len(seen) == 1:
                threading.Thread(target=self.kube.create, args=(later,)).start()
            else:
                break
        events.close()
        self.assertEqual(seen, [("ADDED", "a"), ("ADDED", "b")])

    def test_kinds(self) -> None:
        """The kinds can be loaded from the definitions."""
        load_in_cluster_generic_resources(self.kube)
        listed = list(self.kube.list(self.kind))
        self.assertEqual(listed, [])


class Kr8sTests(WidgetCase):
    """kr8s, with a class for the kind and without."""

    shares_with = CustomObjectsTests

    def test_script(self) -> None:
        """An object is made, patched, scaled, waited for and deleted."""
        ended = subprocess.run([sys.executable, "-m", "tests.sockets.kr8s_script", "custom",
                                str(self.server.kubeconfig), self.namespace], cwd=ROOT, env=environment(),
                               stdin=subprocess.DEVNULL, text=True, capture_output=True, timeout=_PATIENCE)
        if ended.returncode:
            raise self.server.failure(ended.stderr)
        self.assertEqual(json.loads(ended.stdout), {
            "spec": {"color": "blue", "size": 3}, "phase": "up", "names": ["a"], "kind": "Widget",
            "found": ["widget.example.com/v1", "widgets", True], "gone": True, "error": [422, "Invalid"]})
