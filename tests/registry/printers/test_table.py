"""Objects as Tables."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.printers.lookup import DEFAULT, printer_for
from kube_twisted.registry.printers.table import partial_object_metadata, table, table_of_one
from tests.registry.printers.printing import AGE, CREATED, NOW, named

CONFIG_MAPS = printer_for("", "configmaps")


def config_map(name: str, **metadata: object) -> dict[str, object]:
    return {"kind": "ConfigMap", "apiVersion": "v1", "data": {"x": "1", "y": "2"},
            **named(name, metadata={"resourceVersion": "7", **metadata})}


class TableTests(SynchronousTestCase):
    def test_list(self) -> None:
        """A list's Table has its metadata, the columns, and a row per object with the object's metadata."""
        meta = {"resourceVersion": "9", "continue": "c", "remainingItemCount": 3}
        made = table(CONFIG_MAPS, [config_map("a"), config_map("b")], meta, "Metadata", NOW)
        self.assertEqual(made, {
            "kind": "Table",
            "apiVersion": "meta.k8s.io/v1",
            "metadata": meta,
            "columnDefinitions": CONFIG_MAPS.definitions,
            "rows": [
                {"cells": [name, 2, AGE],
                 "object": {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
                            "metadata": {"name": name, "creationTimestamp": CREATED, "resourceVersion": "7"}}}
                for name in "ab"
            ],
        })

    def test_empty_list(self) -> None:
        """A list of nothing has columns and no rows."""
        made = table(CONFIG_MAPS, [], {"resourceVersion": "9"}, "Metadata", NOW)
        self.assertEqual(made["rows"], [])
        self.assertEqual(len(made["columnDefinitions"]), 3)

    def test_include_none(self) -> None:
        """Without objects the field is there, and null."""
        made = table(CONFIG_MAPS, [config_map("a")], {}, "None", NOW)
        self.assertEqual(made["rows"], [{"cells": ["a", 2, AGE], "object": None}])

    def test_include_object(self) -> None:
        """Whole objects are shown in the version that was asked for."""
        made = table(CONFIG_MAPS, [config_map("a")], {}, "Object", NOW,
                     present=lambda obj: {"shown": obj["data"]})
        self.assertEqual(made["rows"][0]["object"], {"shown": {"x": "1", "y": "2"}})

    def test_single_object(self) -> None:
        """The Table of one object has only the object's version as its metadata."""
        made = table_of_one(CONFIG_MAPS, config_map("a", labels={"l": "1"}), "Metadata", NOW)
        self.assertEqual(made["metadata"], {"resourceVersion": "7"})
        self.assertEqual([row["cells"] for row in made["rows"]], [["a", 2, AGE]])

    def test_later_watch_events(self) -> None:
        """Events of a watch after the first do not repeat the columns."""
        made = table_of_one(CONFIG_MAPS, config_map("a"), "None", NOW, headers=False)
        self.assertIsNone(made["columnDefinitions"])
        self.assertEqual(len(made["rows"]), 1)

    def test_bookmark(self) -> None:
        """A bookmark is a row of an empty object; the one that ends the initial events keeps its metadata."""
        metadata = {"resourceVersion": "9", "annotations": {"k8s.io/initial-events-end": "true"}}
        made = table_of_one(CONFIG_MAPS, {"metadata": metadata}, "None", NOW, headers=False)
        self.assertEqual(made["rows"], [{"cells": ["", 0, "<unknown>"], "object": {
            "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": metadata}}])
        plain = table_of_one(CONFIG_MAPS, {"metadata": {"resourceVersion": "9"}}, "None", NOW)
        self.assertIsNone(plain["rows"][0]["object"])

    def test_old_version(self) -> None:
        """Asked for v1beta1, both the Table and the metadata in it are of that version."""
        made = table_of_one(CONFIG_MAPS, config_map("a"), "Metadata", NOW, version="v1beta1")
        self.assertEqual(made["apiVersion"], "meta.k8s.io/v1beta1")
        self.assertEqual(made["rows"][0]["object"]["apiVersion"], "meta.k8s.io/v1beta1")

    def test_row_conditions(self) -> None:
        """The row of a completed pod says so, between its cells and its object."""
        made = table_of_one(printer_for("", "pods"), named("p", status={"phase": "Failed"}), "None", NOW)
        self.assertEqual(list(made["rows"][0]), ["cells", "conditions", "object"])
        self.assertEqual(made["rows"][0]["conditions"], [
            {"type": "Completed", "status": "True", "reason": "Failed", "message": "The pod failed."}])

    def test_order_of_flow_schemas(self) -> None:
        """FlowSchemas are shown as they are matched: by precedence, then by name."""
        schemas = [named(name, spec={"matchingPrecedence": precedence})
                   for name, precedence in (("z", 5), ("b", 9), ("a", 9), ("y", 1))]
        made = table(printer_for("flowcontrol.apiserver.k8s.io", "flowschemas"), schemas, {}, "None", NOW)
        self.assertEqual([row["cells"][0] for row in made["rows"]], ["y", "z", "a", "b"])

    def test_default_cells(self) -> None:
        """Kinds without a printer show the time of creation as it is; Go's zero time when there is none."""
        self.assertEqual(DEFAULT.cells(named("r"), NOW), ["r", CREATED])
        self.assertEqual(DEFAULT.cells({"metadata": {}}, NOW), ["", "0001-01-01T00:00:00Z"])

    def test_partial_object_metadata(self) -> None:
        """Nothing but the metadata of an object is left."""
        self.assertEqual(partial_object_metadata({"metadata": {"name": "x"}, "spec": {}}, "v1beta1"), {
            "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1beta1", "metadata": {"name": "x"}})
