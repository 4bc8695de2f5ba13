"""Tests for kube_twisted.schema.structural.default_pruning."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.structural.default_pruning import prune_defaults
from kube_twisted.schema.structural.model import Structural, compile_schema
from tests.schema.structural.kinds import EMBEDDED, INTEGER, PRESERVE, STRING, array, mapping, meta, obj

PART: dict[str, Any] = {**obj(c=STRING), "default": {"c": "x", "d": 1}}
POD: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}


def pruned(**properties: Any) -> Structural:
    return prune_defaults(compile_schema(obj(**properties)), meta())


class TestDefaultPruning(SynchronousTestCase):
    def test_nothing_to_do(self) -> None:
        """A schema whose defaults have no unknown fields stays the same object."""
        node = compile_schema(obj(a={**STRING, "default": "x"}, l=array(INTEGER), m=mapping(STRING),
                                  t={"type": "object", EMBEDDED: True, PRESERVE: True, "default": POD},
                                  p={"type": "object", PRESERVE: True, "default": {"q": 1}}))
        self.assertIs(prune_defaults(node, meta()), node)

    def test_unknown_fields(self) -> None:
        """They go, wherever the default is; the schema that was given keeps them."""
        node = compile_schema(obj(a=PART, l=array(PART), m=mapping(obj(i=PART))))
        found = prune_defaults(node, meta())
        items, values = found.properties["l"].items, found.properties["m"].additional
        assert items is not None and values is not None
        for one in (found.properties["a"], items, values.properties["i"]):
            self.assertEqual(one.default, {"c": "x"})
        self.assertEqual(node.properties["a"].default, {"c": "x", "d": 1})

    def test_embedded_metadata(self) -> None:
        """It has the fields that metadata has, with values of their types."""
        resource = {"type": "object", EMBEDDED: True, PRESERVE: True}
        default = {**POD, "metadata": {"name": "a", "colour": "red", "labels": 5}}
        self.assertEqual(pruned(t={**resource, "default": default}).properties["t"].default, POD)

    def test_defaults_inside_of_metadata(self) -> None:
        """A default of a field that metadata doesn't have is none."""
        fields = obj(colour={**STRING, "default": "red"}, name={**STRING, "default": "a"})
        metadata = pruned(t={**obj(metadata=fields), EMBEDDED: True}).properties["t"].properties["metadata"]
        self.assertIsNone(metadata.properties["colour"].default)
        self.assertEqual(metadata.properties["name"].default, "a")
