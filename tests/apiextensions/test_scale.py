"""The scale subresource of custom resources."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.scale import ScalePaths, replicas_paths
from kube_twisted.endpoints.scale import ScaleView

API_VERSION = "ex.com/v1"
PATHS = ScalePaths(".spec.size", ".status.size", ".status.sel")
DEFINITION = Definition({"metadata": {"name": "fleets.ex.com"}, "spec": {"group": "ex.com", "versions": [
    {"name": "v1", "subresources": {"scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.n"}}},
    {"name": "v2", "subresources": {"scale": {"specReplicasPath": ".spec.many", "statusReplicasPath": ".status.n"}}},
    {"name": "v3", "subresources": {"status": {}}}]}})
VIEW = ScaleView(API_VERSION, replicas_paths(DEFINITION), PATHS)


def fleet(**fields: Any) -> dict[str, Any]:
    metadata = {"name": "f", "namespace": "n", "uid": "u", "resourceVersion": "7", "labels": {"a": "b"},
                "creationTimestamp": "2026-05-01T11:55:00Z", **fields.pop("metadata", {})}
    return {"apiVersion": API_VERSION, "kind": "Fleet", "metadata": metadata, **fields}


def scale(replicas: int | None, **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": "autoscaling/v1", "kind": "Scale", "metadata": {"name": "f", **metadata},
            "spec": {} if replicas is None else {"replicas": replicas}}


def owner(fields: dict[str, Any], api_version: str = API_VERSION, manager: str = "m") -> dict[str, Any]:
    return {"manager": manager, "operation": "Update", "apiVersion": api_version, "fieldsType": "FieldsV1",
            "time": "2026-05-01T11:55:00Z", "fieldsV1": fields}


class ShowTests(SynchronousTestCase):
    """What a Scale shows of an object."""

    def test_paths(self) -> None:
        """Replicas and selector are where the definition says; of metadata, what identifies the object."""
        self.assertEqual(VIEW.show(fleet(spec={"size": 2}, status={"size": 1, "sel": "app=f"})), {
            "kind": "Scale", "apiVersion": "autoscaling/v1",
            "metadata": {"name": "f", "namespace": "n", "uid": "u", "resourceVersion": "7",
                         "creationTimestamp": "2026-05-01T11:55:00Z"},
            "spec": {"replicas": 2}, "status": {"replicas": 1, "selector": "app=f"}})

    def test_bare_object(self) -> None:
        """Status and selector may be missing; a path for the selector too."""
        view = ScaleView(API_VERSION, {}, ScalePaths(".spec.size", ".status.size"))
        for one in (view, VIEW):
            self.assertEqual(one.show(fleet(spec={"size": 0}))["status"], {"replicas": 0})

    def test_without_replicas(self) -> None:
        """An object without replicas has no Scale to read."""
        for spec in ({}, None):
            error = self.assertRaises(StatusError, VIEW.show, fleet(spec=spec))
            self.assertEqual((error.code, error.message), (
                500, 'Internal error occurred: the spec replicas field ".spec.size" does not exist'))

    def test_unfit(self) -> None:
        """What is no number or text there is named."""
        for fields, message in (
            ({"spec": {"size": "x"}}, ".spec.size accessor error: x is of the type string, expected int64"),
            ({"spec": {"size": True}}, ".spec.size accessor error: true is of the type bool, expected int64"),
            ({"spec": {"size": None}}, ".spec.size accessor error: <nil> is of the type <nil>, expected int64"),
            ({"spec": [1]}, ".spec.size accessor error: [1] is of the type []interface {}, "
                            "expected map[string]interface{}"),
            ({"status": {"sel": 1}}, ".status.sel accessor error: 1 is of the type int64, expected string"),
        ):
            error = self.assertRaises(StatusError, VIEW.show, fleet(**fields))
            self.assertEqual((error.code, error.message), (500, message))


class WriteTests(SynchronousTestCase):
    """What becomes of an object whose Scale is written."""

    def test_replicas(self) -> None:
        """Only they change, also when they were not there; the object before stays as it was."""
        for spec, expected in (({"size": 2, "x": 1}, {"size": 5, "x": 1}), ({}, {"size": 5})):
            before = fleet(spec=dict(spec))
            after = VIEW.merge(before, scale(5, labels={"other": "label"}))
            self.assertEqual((after, before["spec"]), (fleet(spec=expected), spec))
        self.assertEqual(VIEW.merge(fleet(), scale(None))["spec"], {"size": 0})

    def test_precondition(self) -> None:
        """The version of the Scale is that of the object to change; without one, it is the present one."""
        for given, expected in (({"resourceVersion": "3"}, "3"), ({"resourceVersion": ""}, "7"), ({}, "7")):
            merged = VIEW.merge(fleet(spec={}), scale(1, **given))
            self.assertEqual(merged["metadata"]["resourceVersion"], expected)

    def test_missing_replicas(self) -> None:
        """A patch of an object without replicas must bring some."""
        start = VIEW.writable(fleet(spec={}))
        error = self.assertRaises(StatusError, VIEW.merge, fleet(spec={}), start)
        self.assertEqual((error.code, error.message), (400, 'the spec replicas field ".spec.size" cannot be empty'))

    def test_no_place(self) -> None:
        """A null is no place for replicas."""
        error = self.assertRaises(StatusError, VIEW.merge, fleet(spec=None), scale(1))
        self.assertEqual(error.message, "value cannot be set because .spec is not a map[string]interface{}")

    def test_owners(self) -> None:
        """Who owns the replicas, in any version, owns those of the Scale; who takes them owns the object's."""
        managers = [owner({"f:spec": {"f:size": {}, "f:x": {}}}, manager="a"),
                    owner({"f:spec": {"f:many": {}}}, "ex.com/v2", "b"), owner({"f:spec": {}}, "ex.com/v3", "c")]
        obj = fleet(spec={"size": 2, "x": 1}, metadata={"managedFields": managers})
        start = VIEW.writable(obj)
        self.assertEqual([(one["manager"], one["apiVersion"], one["fieldsV1"])
                          for one in start["metadata"]["managedFields"]],
                         [(name, "autoscaling/v1", {"f:spec": {"f:replicas": {}}}) for name in "ab"])
        taken = scale(3, managedFields=[owner({"f:spec": {"f:replicas": {}}}, "autoscaling/v1", "d")])
        after = VIEW.merge(obj, taken)["metadata"]["managedFields"]
        self.assertEqual({one["manager"]: (one["apiVersion"], one["fieldsV1"]) for one in after}, {
            "a": (API_VERSION, {"f:spec": {"f:x": {}}}), "c": ("ex.com/v3", {"f:spec": {}}),
            "d": (API_VERSION, {"f:spec": {"f:size": {}}})})


class ValidationTests(SynchronousTestCase):
    """Objects whose Scale could not be shown are refused."""

    def test_counts(self) -> None:
        """Replicas are numbers from none to the largest that a Scale can hold."""
        for size, expected in (
            (-1, ['.spec.size: Invalid value: -1: should be a non-negative integer']),
            (1 << 31, ['.spec.size: Invalid value: 2147483648: should be less than or equal to 2147483647']),
            ("x", ['.spec.size: Invalid value: 0: .spec.size accessor error: x is of the type string, expected int64']),
            (5, []), (0, []),
        ):
            self.assertEqual(list(map(str, PATHS.validate_spec(fleet(spec={"size": size})))), expected)
        self.assertEqual(PATHS.validate_spec(fleet()), [])

    def test_status(self) -> None:
        """So are those that are there; the selector is a text."""
        failures = PATHS.validate_status(fleet(status={"size": -2, "sel": 1}))
        self.assertEqual(list(map(str, failures)), [
            ".status.size: Invalid value: -2: should be a non-negative integer",
            '.status.sel: Invalid value: "": .status.sel accessor error: 1 is of the type int64, expected string'])
        self.assertEqual(ScalePaths(".spec.size", ".status.size").validate_status(fleet(status={"sel": 1})), [])


class DefinitionTests(SynchronousTestCase):
    """What a definition says."""

    def test_paths(self) -> None:
        """A path to a selector is not needed."""
        facts = {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}
        self.assertEqual(ScalePaths.of(facts), ScalePaths(".spec.size", ".status.size"))
        self.assertEqual(ScalePaths.of({**facts, "labelSelectorPath": ".status.sel"}), PATHS)

    def test_versions(self) -> None:
        """Each version has a path of its own, or no scale."""
        self.assertEqual(set(replicas_paths(DEFINITION)), {"ex.com/v1", "ex.com/v2", "ex.com/v3"})
        self.assertIsNone(replicas_paths(DEFINITION)["ex.com/v3"])
