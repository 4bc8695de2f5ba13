"""kubectl and custom resources: definitions, and their objects in all the ways that kubectl has."""

from __future__ import annotations

import json
from typing import Any

from tests.sockets.support.kubectl import MANIFESTS, KubectlTestCase

DEFINITION = "widgets.example.com"
FILE = str(MANIFESTS / "custom" / "widgets.yaml")


def widget(name: str = "a", **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": name},
            "spec": {"color": "red", **spec}}


class CustomCase(KubectlTestCase):
    """Its server serves widgets."""

    def setUp(self) -> None:
        super().setUp()
        self.kubectl("apply", "-f", FILE)
        self.kubectl("wait", "--for=condition=established", "--timeout=20s", f"crd/{DEFINITION}")
        self.widgets = f"/apis/example.com/v1/namespaces/{self.namespace}/widgets"

    def widget(self, name: str = "a", **spec: Any) -> None:
        self.create(self.widgets, widget(name, **spec))


class DefinitionTests(CustomCase):
    def test_apply(self) -> None:
        """Applying a definition again changes nothing; it is listed, described and found by its short name."""
        self.assertEqual(self.kubectl("apply", "-f", FILE),
                         f"customresourcedefinition.apiextensions.k8s.io/{DEFINITION} unchanged")
        self.assertEqual(self.kubectl("get", "crd", "--output=name"),
                         f"customresourcedefinition.apiextensions.k8s.io/{DEFINITION}")
        text = self.kubectl("describe", "crd", DEFINITION)
        self.assertIn("the initial names have been accepted", text)
        self.assertEqual(self.run_kubectl(["diff", "-f", FILE]).returncode, 0)

    def test_api_resources(self) -> None:
        """The resource is found with its short names, verbs and categories."""
        self.assertIn("widgets wd example.com/v1 true Widget delete,deletecollection,get,list,patch,create,update,"
                      "watch things", self.lines("api-resources", "--api-group=example.com", "--output=wide"))
        self.assertIn("example.com/v1", self.kubectl("api-versions").splitlines())

    def test_explain(self) -> None:
        """Kinds and fields are explained as their schema describes them."""
        lines = self.lines("explain", "widgets")
        self.assertEqual(lines[:3], ["GROUP: example.com", "KIND: Widget", "VERSION: v1"])
        self.assertIn("A Widget is what tests are made of.", lines)
        self.assertIn("spec <Object>", lines)
        lines = self.lines("explain", "wd.spec.color")
        self.assertIn("FIELD: color <string>", lines)
        self.assertIn("Of its surface.", lines)
        text = self.kubectl("explain", "widgets.example.com", "--recursive")
        self.assertRegex(text, r"(?m)^    parts\t<\[\]Object>$")
        self.assertRegex(text, r"(?m)^      name\t<string> -required-$")

    def test_change(self) -> None:
        """A changed definition is at work at once."""
        self.widget()
        self.kubectl("patch", "crd", DEFINITION, "--type=json", "--patch", json.dumps([
            {"op": "add", "path": "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/shape",
             "value": {"type": "string", "default": "round"}},
            {"op": "remove", "path": "/spec/versions/0/additionalPrinterColumns"}]))
        self.assertEqual(self.get_json("widget", "a")["spec"], {"color": "red", "size": 1, "shape": "round"})
        self.assertEqual(self.lines("get", "widgets")[0], "NAME AGE")
        self.kubectl("apply", "-f", FILE, "--server-side", "--force-conflicts")

    def test_delete(self) -> None:
        """A definition is deleted with its objects; kubectl waits for that, and watches end."""
        self.widget()
        watched = self.watch("get", "widgets", "--watch", "--output=name")
        self.assertEqual(watched.next(), "widget.example.com/a")
        self.assertEqual(self.kubectl("delete", "crd", DEFINITION, "--timeout=30s"),
                         f'customresourcedefinition.apiextensions.k8s.io "{DEFINITION}" deleted')
        self.assertEqual(watched.next(), "widget.example.com/a")
        watched.status()
        self.assertIn("the server could not find the requested resource", self.error("get", "widgets"))
        self.assertNotIn("example.com/v1", self.kubectl("api-versions").splitlines())
        self.assertIn("ensure CRDs are installed first", self.error("apply", "-f", "-", stdin=widget()))


class ObjectTests(CustomCase):
    def test_apply(self) -> None:
        """Objects are applied with a three-way merge, and compared."""
        apply = ("apply", "-f", "-")
        self.assertEqual(self.kubectl(*apply, stdin=widget(parts=[{"name": "x", "weight": 1}])),
                         "widget.example.com/a created")
        self.kubectl("patch", "widget", "a", "--type=merge", "--patch", '{"metadata": {"labels": {"other": "1"}}}')
        self.assertEqual(self.kubectl(*apply, stdin=widget(parts=[{"name": "x", "weight": 1}])),
                         "widget.example.com/a unchanged")
        self.assertEqual(self.run_kubectl(["diff", "-f", "-"], widget(size=5)).returncode, 1)
        self.assertEqual(self.kubectl(*apply, stdin=widget(size=5)), "widget.example.com/a configured")
        found = self.get_json("wd", "a")
        self.assertEqual((found["spec"], found["metadata"]["labels"]), ({"color": "red", "size": 5}, {"other": "1"}))
        self.assertIn('spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"',
                      self.error(*apply, stdin=widget(color="pink")))
        self.assertIn('unknown field "spec.colour"', self.error(*apply, stdin=widget(colour="red")))

    def test_apply_server_side(self) -> None:
        """Lists are merged by their keys; a field of another manager's is a conflict."""
        def apply(manager: str) -> tuple[str, ...]:
            return ("apply", "--server-side", f"--field-manager={manager}", "-f", "-")

        self.kubectl(*apply("one"), stdin=widget(parts=[{"name": "x", "weight": 1}]))
        self.kubectl(*apply("two"), stdin=widget(parts=[{"name": "y"}]))
        self.assertEqual(self.get_json("widget", "a")["spec"]["parts"], [{"name": "x", "weight": 1}, {"name": "y"}])
        conflicting = widget(color="blue", parts=[{"name": "x", "weight": 2}])
        text = self.error(*apply("three"), stdin=conflicting)
        self.assertIn("Apply failed with 3 conflicts", text)
        self.assertIn('conflicts with "one": - .spec.color - .spec.parts[name="x"].weight', " ".join(text.split()))
        self.kubectl(*apply("three"), "--force-conflicts", stdin=conflicting)
        self.assertEqual(self.get_json("widget", "a")["spec"]["color"], "blue")

    def test_get(self) -> None:
        """Columns are the definition's; categories, selectors and outputs work."""
        self.widget("a")
        self.widget("b", color="blue")
        self.kubectl("label", "widget", "b", "tier=web")
        self.assertRegex("\n".join(self.lines("get", "wd")),
                         r"\ANAME COLOR READY AGE\na red \d+s\nb blue \d+s\Z")
        self.assertEqual(self.kubectl("get", "things", "--output=name", "--selector=tier=web"),
                         "widget.example.com/b")
        self.assertEqual(self.kubectl("get", "widgets.v1.example.com", "--output=jsonpath={.items[*].spec.color}"),
                         "red blue")
        self.assertEqual(self.lines("get", "widget", "--output=custom-columns=C:.spec.color", "--no-headers"),
                         ["red", "blue"])
        self.assertIn('widgets.example.com "x" not found', self.error("get", "widget", "x"))

    def test_watch(self) -> None:
        """A watch goes on printing rows."""
        self.widget()
        watched = self.watch("get", "widgets", "--watch")
        self.assertEqual(watched.next(), "NAME COLOR READY AGE")
        self.assertRegex(watched.next(), r"\Aa red \d+s\Z")
        self.kubectl("patch", "widget", "a", "--subresource=status", "--type=merge", "--patch",
                     '{"status": {"conditions": [{"type": "Ready", "status": "True"}]}}')
        self.assertRegex(watched.next(), r"\Aa red True \d+s\Z")

    def test_wait(self) -> None:
        """Conditions and values are waited for."""
        self.widget()
        waiting = self.watch("wait", "widget/a", "--for=condition=Ready", "--timeout=30s")
        self.kubectl("patch", "widget", "a", "--subresource=status", "--type=merge", "--patch",
                     '{"status": {"phase": "up", "conditions": [{"type": "Ready", "status": "True"}]}}')
        self.assertEqual((waiting.next(), waiting.status()), ("widget.example.com/a condition met", 0))
        self.kubectl("wait", "widget/a", "--for=jsonpath={.status.phase}=up", "--timeout=30s")

    def test_status_and_scale(self) -> None:
        """Subresources are read and written; what does not belong there is left out."""
        self.widget()
        self.kubectl("scale", "widget", "a", "--replicas=4")
        self.kubectl("patch", "widget", "a", "--subresource=status", "--type=merge", "--patch",
                     '{"status": {"ready": 3}, "spec": {"size": 9}}')
        found = self.get_json("widget", "a", "--subresource=status")
        self.assertEqual((found["spec"]["size"], found["status"]), (4, {"ready": 3}))
        scale = self.get_json("widget", "a", "--subresource=scale")
        self.assertEqual((scale["kind"], scale["spec"], scale["status"]), ("Scale", {"replicas": 4}, {"replicas": 3}))
        self.assertIn("should be a non-negative integer",
                      self.error("patch", "widget", "a", "--type=merge", "--patch", '{"spec": {"size": -1}}'))

    def test_change(self) -> None:
        """Labels, annotations, edits and replacements, and strategic patches that don't exist here."""
        self.widget()
        self.kubectl("annotate", "widget", "a", "note=mine")
        edited = self.run_kubectl(["edit", "widget", "a"], environment={"KUBE_EDITOR": "sed -i s/red/green/"})
        self.assertEqual(edited.stdout, "widget.example.com/a edited\n")
        found = self.get_json("widget", "a")
        self.assertEqual((found["spec"]["color"], found["metadata"]["annotations"]), ("green", {"note": "mine"}))
        self.kubectl("replace", "-f", "-", stdin={**found, "spec": {"color": "blue"}})
        self.assertEqual(self.get_json("widget", "a")["spec"], {"color": "blue", "size": 1})
        self.assertIn("application/strategic-merge-patch+json is not supported by example.com/v1, Kind=Widget",
                      self.error("patch", "widget", "a", "--patch", "{}"))

    def test_describe_and_delete(self) -> None:
        """Objects are described; deletion waits for finalizers."""
        self.widget()
        lines = self.lines("describe", "widget", "a")
        self.assertLessEqual({"Name: a", "API Version: example.com/v1", "Kind: Widget", "Color: red"}, set(lines))
        self.assertEqual(self.kubectl("delete", "widget", "a"),
                         f'widget.example.com "a" deleted from {self.namespace} namespace')
        self.widget("b")
        self.widget("c")
        self.kubectl("delete", "wd", "--all")
        self.assertEqual(self.kubectl("get", "wd", "--output=name"), "")

    def test_create(self) -> None:
        """Dry runs store nothing; validation is the server's."""
        create = ("create", "-f", "-", "--dry-run=server", "--output=jsonpath={.spec.size}")
        self.assertEqual(self.kubectl(*create, stdin=widget()), "1")
        self.assertIn("spec.color: Required value", self.error(*create, stdin={**widget(), "spec": {}}))
        self.assertEqual(self.kubectl("get", "widgets", "--output=name"), "")
