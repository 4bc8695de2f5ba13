"""Tests for kube_twisted.schema.structural.pruning."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.schema.structural.model import compile_schema
from kube_twisted.schema.structural.pruning import prune
from tests.schema.structural.kinds import EMBEDDED, PRESERVE, SCHEMAS, STRING, VALUES, array, custom, kind, mapping, obj

TREE = kind(
    kept=STRING,
    free={**obj(known=obj(x=STRING)), PRESERVE: True},
    list=array(obj(a=STRING)),
    map=mapping(obj(a=STRING)),
    any={PRESERVE: True},
)


class TestPruning(SynchronousTestCase):
    def test_unknown_fields_go_at_every_depth(self) -> None:
        """Unknown fields are dropped and listed by path, sorted; what is preserved stays."""
        tree = custom(kept="a", lost=1, free={"whatever": {"deep": [1, 2]}, "known": {"x": "1", "y": "2"}},
                      list=[{"a": "1", "b": "2"}], map={"k": {"a": "1", "b": "2"}}, any=[1, {"three": 3}])
        tree.update(extra="gone", status={"gone": True})
        self.assertEqual(prune(tree, TREE, is_resource=True), [
            "extra", "spec.free.known.y", "spec.list[0].b", "spec.lost", "spec.map.k.b", "status"])
        self.assertEqual(tree, custom(
            kept="a", free={"whatever": {"deep": [1, 2]}, "known": {"x": "1"}}, list=[{"a": "1"}],
            map={"k": {"a": "1"}}, any=[1, {"three": 3}]))

    def test_metadata_of_whole_objects_is_not_looked_at(self) -> None:
        """apiVersion, kind and metadata stay at the root and in embedded resources."""
        box = custom(typed={"apiVersion": "x.io/v1", "kind": "Y", "metadata": {"unknown": "z"}, "status": {}})
        node = kind(typed={**obj(spec=obj()), EMBEDDED: True})
        self.assertEqual(prune(box, node, is_resource=True), ["spec.typed.status"])
        self.assertEqual(box["spec"]["typed"], {"apiVersion": "x.io/v1", "kind": "Y", "metadata": {"unknown": "z"}})

    def test_values_that_are_no_whole_objects(self) -> None:
        """A default value has no metadata: what stands at its top is dropped without a word."""
        value = {"kind": "x", "a": "1", "b": 2}
        self.assertEqual(prune(value, compile_schema(obj(a=STRING)), is_resource=False), ["b"])
        self.assertEqual(value, {"a": "1"})

    def test_without_a_schema_only_metadata_is_kept(self) -> None:
        """An object of a version that is not there loses everything else."""
        thing = custom(a=1)
        self.assertEqual(prune(thing, None, is_resource=True), ["spec"])
        self.assertEqual(sorted(thing), ["apiVersion", "kind", "metadata"])

    def test_wrong_types_are_pruned_too(self) -> None:
        """A map where a list should be, and the other way round, lose all that no schema describes."""
        thing = custom(list={"a": 1}, map=[{"a": "1"}])
        self.assertEqual(prune(thing, TREE, is_resource=True), ["spec.list.a", "spec.map[0].a"])
        self.assertEqual(thing["spec"], {"list": {}, "map": [{}]})

    def test_additional_properties_that_are_a_bool(self) -> None:
        """The keys stay, but nothing is known of what is in the values."""
        for allowed in (True, False):
            thing = custom(m={"k": {"a": 1}, "n": 5})
            self.assertEqual(prune(thing, kind(m=mapping(allowed)), is_resource=True), ["spec.m.k.a"])
            self.assertEqual(thing["spec"], {"m": {"k": {}, "n": 5}})

    def test_lists_that_are_preserved(self) -> None:
        """In items of a list whose unknown fields are kept, fields that are described are pruned."""
        thing = custom(l=[{"known": {"x": "1", "y": 2}, "other": {"z": 1}}, [{"w": 1}]])
        node = kind(l={**array(obj(known=obj(x=STRING))), PRESERVE: True})
        self.assertEqual(prune(thing, node, is_resource=True), ["spec.l[0].known.y"])
        self.assertEqual(thing["spec"]["l"], [{"known": {"x": "1"}, "other": {"z": 1}}, [{"w": 1}]])

    @given(SCHEMAS, VALUES)
    def test_pruning_twice_is_pruning_once(self, schema: dict[str, Any], value: dict[str, Any]) -> None:
        """After pruning there is nothing more to prune, and what is left was there before."""
        node = compile_schema(schema)
        prune(value, node, is_resource=True)
        before = deep_copy(value)
        self.assertEqual(prune(value, node, is_resource=True), [])
        self.assertEqual(value, before)
