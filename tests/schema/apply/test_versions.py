"""Managers of different versions of one kind, as those of HorizontalPodAutoscaler v1 and v2."""

from __future__ import annotations

from typing import Any

from twisted.trial import unittest

from kube_twisted.schema.apply.conflict import ApplyConflict
from kube_twisted.schema.apply.fieldmanager import FieldManager
from kube_twisted.schema.types import Field, List, Struct, Untyped
from tests.schema.apply.kinds import INT, LATER, META, NOW, STRING, entries, entry, fields, struct

Object = dict[str, Any]
V1, V2 = "autoscaling/v1", "autoscaling/v2"


def _kind(spec: Struct) -> Struct:
    return Struct(
        "HPA",
        go_name="HPA",
        load=lambda: {
            **fields(apiVersion=STRING, kind=STRING),
            "metadata": Field("metadata", META),
            "spec": Field("spec", spec),
        },
    )


KINDS = {
    V1: _kind(struct("Spec", minReplicas=INT, maxReplicas=INT, targetCPU=INT)),
    V2: _kind(struct("Spec", minReplicas=INT, maxReplicas=INT, metrics=List(Untyped()))),
}


def convert(obj: Object, api_version: str) -> tuple[Struct, Object] | None:
    """``targetCPU`` of v1 is the one metric of v2."""
    if api_version not in KINDS:
        return None
    spec = dict(obj.get("spec", {}))
    if api_version == V2 and "targetCPU" in spec:
        spec["metrics"] = [{"cpu": spec.pop("targetCPU")}]
    elif api_version == V1 and "metrics" in spec:
        spec["targetCPU"] = spec.pop("metrics")[0]["cpu"]
    return KINDS[api_version], {**obj, "apiVersion": api_version, "spec": spec}


def manager(version: str) -> FieldManager:
    return FieldManager(KINDS[version], version, convert=convert)


def hpa(version: str, **spec: Any) -> Object:
    return {"apiVersion": version, "kind": "HPA", "metadata": {"name": "h"}, "spec": spec}


def seen(obj: Object, version: str) -> Object:
    """The object as the other version shows it."""
    converted = convert(obj, version)
    assert converted is not None
    return converted[1]


class VersionsTests(unittest.SynchronousTestCase):
    """Entries speak of the fields of their own version."""

    def setUp(self) -> None:
        self.live = hpa(V2, minReplicas=2, maxReplicas=4, metrics=[{"cpu": 80}])
        manager(V2).update(None, self.live, "a-two", NOW)

    def test_conflict(self) -> None:
        """A change in one version is a conflict with the field of the other that it touches."""
        error = self.assertRaises(
            ApplyConflict,
            manager(V1).apply,
            seen(self.live, V1),
            hpa(V1, targetCPU=70),
            "b-one",
            False,
            LATER,
        )
        self.assertEqual(
            error.message,
            'Apply failed with 1 conflict: conflict with "a-two" using autoscaling/v2: .spec.metrics',
        )

    def test_force(self) -> None:
        """Forced, the other version's field changes hands."""
        result = manager(V1).apply(seen(self.live, V1), hpa(V1, targetCPU=70), "b-one", True, LATER)
        self.assertEqual(
            entries(result),
            [
                entry("b-one", {"f:spec": {"f:targetCPU": {}}}, "Apply", LATER, V1),
                entry("a-two", {"f:spec": {"f:maxReplicas": {}, "f:minReplicas": {}}}, version=V2),
            ],
        )
        self.assertEqual(result["spec"], {"minReplicas": 2, "maxReplicas": 4, "targetCPU": 70})

    def test_update(self) -> None:
        """An update in one version takes fields from entries of another."""
        live = seen(self.live, V1)
        new = hpa(V1, minReplicas=1, maxReplicas=4, targetCPU=80)
        manager(V1).update(live, new, "d-one", LATER)
        self.assertEqual(
            entries(new),
            [
                entry("a-two", {"f:spec": {"f:maxReplicas": {}, "f:metrics": {}}}, version=V2),
                entry("d-one", {"f:spec": {"f:minReplicas": {}}}, time=LATER, version=V1),
            ],
        )

    def test_no_change(self) -> None:
        """No change in one version is none in the other."""
        live = seen(self.live, V1)
        new = hpa(V1, minReplicas=2, maxReplicas=4, targetCPU=80)
        manager(V1).update(live, new, "d-one", LATER)
        self.assertEqual(entries(new), entries(self.live))

    def test_applier_changes_version(self) -> None:
        """What an applier applied last in another version, and applies no longer, goes."""
        live = manager(V2).apply(None, hpa(V2, maxReplicas=3, metrics=[{"cpu": 60}]), "x", False, NOW)
        result = manager(V1).apply(seen(live, V1), hpa(V1, maxReplicas=3), "x", False, LATER)
        self.assertEqual(result["spec"], {"maxReplicas": 3})
        self.assertEqual(entries(result), [entry("x", {"f:spec": {"f:maxReplicas": {}}}, "Apply", LATER, V1)])

    def test_other_versions_keep_fields(self) -> None:
        """What an applier drops stays if an entry of another version owns it."""
        live = manager(V1).apply(seen(self.live, V1), hpa(V1, targetCPU=80, maxReplicas=4), "x", False, LATER)
        result = manager(V1).apply(live, hpa(V1, maxReplicas=4), "x", False, LATER)
        self.assertEqual(result["spec"]["targetCPU"], 80)

    def test_unknown_version(self) -> None:
        """Entries of versions that are gone are dropped."""
        self.live["metadata"]["managedFields"].append(
            entry("old", {"f:spec": {"f:x": {}}}, version="autoscaling/v0")
        )
        new = hpa(V2, minReplicas=2, maxReplicas=4, metrics=[{"cpu": 80}])
        manager(V2).update(self.live, new, "z", LATER)
        self.assertEqual([one["manager"] for one in entries(new)], ["a-two"])

    def test_without_a_converter(self) -> None:
        """Without a converter all other versions are unknown."""
        new = hpa(V1, minReplicas=2, maxReplicas=4, targetCPU=80)
        FieldManager(KINDS[V1], V1).update(seen(self.live, V1), new, "z", LATER)
        self.assertEqual(entries(new), [])
