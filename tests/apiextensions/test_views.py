"""Other views of custom resources: scale, tables, metadata alone; and what field selectors may ask."""

from __future__ import annotations

from typing import Any

from tests.apiextensions.widgets import (
    API,
    APPLY,
    JSON_PATCH,
    WIDGETS,
    CustomCase,
    integer,
    obj,
    text,
    version,
    widget,
)
from tests.inprocess import JSON

PATH = f"{WIDGETS}/a"
SCALE = f"{PATH}/scale"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
METADATA = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"


class ScaleTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        schema = obj(spec=obj(size=integer(), color=text()), status=obj(ready=integer(), chosen=text()))
        self.define(version(schema=schema, subresources={"status": {}, "scale": {
            "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.ready",
            "labelSelectorPath": ".status.chosen"}}))
        self.made = self.widget(spec={"size": 2, "color": "red"})

    def test_read(self) -> None:
        """It shows replicas and the selector, and the version of the object."""
        self.merge(f"{PATH}/status", {"status": {"ready": 1, "chosen": "app=a"}})
        found = self.ask("GET", SCALE)
        self.assertEqual((found["kind"], found["apiVersion"], found["spec"], found["status"]), (
            "Scale", "autoscaling/v1", {"replicas": 2}, {"replicas": 1, "selector": "app=a"}))
        self.assertEqual(found["metadata"]["resourceVersion"], self.ask("GET", PATH)["metadata"]["resourceVersion"])

    def test_write(self) -> None:
        """Replicas are written in all ways; the rest of the object stays, and its generation counts on."""
        found = self.ask("GET", SCALE)
        found["spec"]["replicas"] = 3
        self.assertEqual(self.ask("PUT", SCALE, found)["spec"], {"replicas": 3})
        self.assertEqual(self.merge(SCALE, {"spec": {"replicas": 4}})["spec"], {"replicas": 4})
        self.ask("PATCH", SCALE, [{"op": "replace", "path": "/spec/replicas", "value": 5}], JSON_PATCH)
        applied = {"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": 6}}
        self.ask("PATCH", f"{SCALE}?fieldManager=m&force=true", applied, APPLY)
        after = self.ask("GET", PATH)
        self.assertEqual((after["spec"], after["metadata"]["generation"]), ({"size": 6, "color": "red"}, 5))
        owner = next(one for one in after["metadata"]["managedFields"] if one["manager"] == "m")
        self.assertEqual((owner["apiVersion"], owner["subresource"], owner["fieldsV1"]), (
            "example.com/v1", "scale", {"f:spec": {"f:size": {}}}))

    def test_conflict(self) -> None:
        """A stale Scale is a conflict, a negative number invalid, a missing object is not found."""
        found = self.ask("GET", SCALE)
        self.merge(PATH, {"spec": {"color": "blue"}})
        found["spec"]["replicas"] = 3
        self.assertEqual(self.refused("PUT", SCALE, found).reason, "Conflict")
        error = self.refused("PATCH", SCALE, {"spec": {"replicas": -1}}, "application/merge-patch+json")
        self.assertEqual(error.code, 422, error.message)
        self.assertEqual(self.send("GET", f"{WIDGETS}/missing/scale").code, 404)

    def test_bad_replicas(self) -> None:
        """What a Scale can't show is refused in the object."""
        error = self.refused("POST", WIDGETS, widget("b", spec={"size": -1}))
        self.assertIn("spec.size: Invalid value: -1: should be a non-negative integer", error.message)

    def test_without_replicas(self) -> None:
        """An object without replicas has no Scale to read, but a write gives it one."""
        self.widget("b", spec={"color": "red"})
        error = self.refused("GET", f"{WIDGETS}/b/scale")
        self.assertEqual((error.code, error.message), (
            500, 'Internal error occurred: the spec replicas field ".spec.size" does not exist'))
        self.assertEqual(self.merge(f"{WIDGETS}/b/scale", {"spec": {"replicas": 1}})["spec"], {"replicas": 1})
        self.assertEqual(self.ask("GET", f"{WIDGETS}/b")["spec"], {"color": "red", "size": 1})

    def test_discovery(self) -> None:
        """Discovery tells its kind and group."""
        listed = {one["name"]: one for one in self.ask("GET", "/apis/example.com/v1")["resources"]}
        self.assertEqual({key: listed["widgets/scale"][key] for key in ("group", "version", "kind", "verbs")}, {
            "group": "autoscaling", "version": "v1", "kind": "Scale", "verbs": ["get", "patch", "update"]})


class FieldSelectorTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define(version(selectableFields=[{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.size"}]),
                    version("v2", obj(spec=obj(size=integer())), storage=False,
                            selectableFields=[{"jsonPath": ".spec.size"}]))
        self.widget("a", spec={"color": "red", "size": 1})
        self.widget("b", spec={"color": "blue"})

    def names(self, selector: str, path: str = WIDGETS) -> list[str]:
        return [one["metadata"]["name"] for one in self.ask("GET", f"{path}?fieldSelector={selector}")["items"]]

    def test_list(self) -> None:
        """Lists choose by them; a missing field is empty."""
        for selector, expected in (("spec.color%3Dred", ["a"]), ("spec.color!%3Dred", ["b"]), ("spec.size%3D1", ["a"]),
                                   ("spec.size%3D", ["b"]), ("spec.color%3Dred,metadata.name%3Db", [])):
            self.assertEqual(self.names(selector), expected, selector)

    def test_watch(self) -> None:
        """Watches see objects come and go as their fields change."""
        watching = self.watch(f"{WIDGETS}?fieldSelector=spec.color%3Dred")
        self.merge(PATH, {"spec": {"color": "green"}})
        self.merge(f"{WIDGETS}/b", {"spec": {"color": "red"}})
        self.assertEqual(watching.names(), [("ADDED", "a"), ("DELETED", "a"), ("ADDED", "b")])

    def test_delete(self) -> None:
        """Collections are deleted by them."""
        self.ask("DELETE", f"{WIDGETS}?fieldSelector=spec.color%3Dred")
        self.assertEqual(self.names(""), ["b"])

    def test_versions(self) -> None:
        """Each version has its own; others are refused by name."""
        other = WIDGETS.replace("/v1/", "/v2/")
        self.assertEqual(self.names("spec.size%3D1", other), ["a"])
        for path, selector in (other, "spec.color"), (WIDGETS, "spec.shape"):
            error = self.refused("GET", f"{path}?fieldSelector={selector}%3Dx")
            self.assertEqual((error.code, error.reason), (400, "BadRequest"))
            self.assertIn(f"field label not supported: {selector}", error.message)

    def test_later(self) -> None:
        """Fields that become selectable later can be asked for at once."""
        self.redefine(version(selectableFields=[{"jsonPath": ".status.phase"}]), version("v2", obj(), storage=False))
        self.merge(PATH, {"status": {"phase": "up"}})
        self.assertEqual(self.names("status.phase%3Dup"), ["a"])


class ClusterScopedSelectorTests(CustomCase):
    def test_namespace(self) -> None:
        """Objects without a namespace can be selected by name only."""
        self.define(plural="gates", kind="Gate", scope="Cluster")
        error = self.refused("GET", f"{API}/v1/gates?fieldSelector=metadata.namespace%3Dx")
        self.assertEqual((error.code, error.message), (400, "field label not supported: metadata.namespace"))
        self.assertEqual(self.ask("GET", f"{API}/v1/gates?fieldSelector=metadata.name%3Dx")["items"], [])


class TableTests(CustomCase):
    columns = ({"name": "Color", "type": "string", "jsonPath": ".spec.color"},
               {"name": "Size", "type": "integer", "jsonPath": ".spec.size", "priority": 1},
               {"name": "Born", "type": "date", "jsonPath": ".metadata.creationTimestamp"})

    def table(self, path: str = WIDGETS) -> tuple[list[str], list[list[Any]]]:
        found = self.send("GET", path, accept=TABLE).json
        return [one["name"] for one in found["columnDefinitions"]], [one["cells"] for one in found["rows"]]

    def test_default(self) -> None:
        """Without columns there are a name and an age."""
        self.define()
        self.widget()
        self.assertEqual(self.table(), (["Name", "Age"], [["a", "0s"]]))

    def test_columns(self) -> None:
        """Columns show what is at their paths; what is missing or of another type is null."""
        self.define(version(additionalPrinterColumns=list(self.columns)))
        self.widget("a", spec={"color": "red", "size": 1})
        self.widget("b")
        self.clock.advance(120)
        self.assertEqual(self.table(), (["Name", "Color", "Size", "Born"], [["a", "red", 1, "2m"],
                                                                            ["b", None, None, "2m"]]))
        self.assertEqual(self.table(PATH)[1], [["a", "red", 1, "2m"]])

    def test_watch(self) -> None:
        """A watch sends a Table an event, the columns only once."""
        self.define(version(additionalPrinterColumns=list(self.columns)))
        watching = self.watch(WIDGETS, accept=TABLE)
        self.widget("a", spec={"color": "red"})
        self.widget("b")
        first, second = (one["object"] for one in watching.take())
        self.assertEqual([one["kind"] for one in (first, second)], ["Table", "Table"])
        self.assertEqual((len(first["columnDefinitions"]), second["columnDefinitions"]), (4, None))
        self.assertEqual(first["rows"][0]["cells"][:2], ["a", "red"])

    def test_changed(self) -> None:
        """Changed columns show at once."""
        self.define()
        self.widget("a", spec={"color": "red"})
        self.redefine(version(additionalPrinterColumns=list(self.columns[:1])))
        self.assertEqual(self.table(), (["Name", "Color"], [["a", "red"]]))

    def test_metadata(self) -> None:
        """The metadata alone can be had of objects, lists and watches."""
        self.define()
        self.widget("a", spec={"color": "red"})
        found = self.send("GET", PATH, accept=METADATA).json
        self.assertEqual((found["kind"], found["metadata"]["name"], "spec" in found),
                         ("PartialObjectMetadata", "a", False))
        listed = self.send("GET", WIDGETS, accept=METADATA.replace("Metadata;", "MetadataList;")).json
        self.assertEqual((listed["kind"], [one["metadata"]["name"] for one in listed["items"]]),
                         ("PartialObjectMetadataList", ["a"]))
        watching = self.watch(WIDGETS, accept=METADATA)
        self.assertEqual([one["object"]["kind"] for one in watching.take()], ["PartialObjectMetadata"])

    def test_yaml(self) -> None:
        """YAML goes in and comes out."""
        self.define()
        body = b"kind: Widget\napiVersion: example.com/v1\nmetadata: {name: a}\nspec: {color: red, size: 3}\n"
        made = self.send("POST", WIDGETS, body, content_type="application/yaml", accept=JSON)
        self.assertEqual((made.code, made.json["spec"]), (201, {"color": "red", "size": 3}))
        self.assertIn(b"\nspec:\n  color: red\n  size: 3\n", self.send("GET", PATH, accept="application/yaml").body)
