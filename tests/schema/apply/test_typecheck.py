"""Whether a configuration fits its type, and the wording when it does not."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from twisted.trial import unittest

from kube_twisted.schema.apply.typecheck import misfits, summary
from tests.schema.apply.kinds import OPEN, node, thing
from tests.schema.apply.strategies import THINGS, few


def wrong(allow_repeated: bool = False, **spec: Any) -> list[str]:
    return [str(one) for one in misfits(node(), {"spec": spec}, allow_repeated)]


class TypecheckTests(unittest.SynchronousTestCase):
    """Misfits as structured-merge-diff words them."""

    @few
    @given(THINGS)
    def test_fitting(self, obj: dict[str, Any]) -> None:
        """What fits has no misfits."""
        self.assertEqual(misfits(node(), obj), [])

    def test_null_fits(self) -> None:
        """Null fits every field."""
        self.assertEqual(misfits(node(), thing(spec=None, data={"k": None})), [])

    def test_scalars(self) -> None:
        """Wrong scalars are named in Go's formats."""
        self.assertEqual(
            wrong(replicas="two"), [".spec.replicas: expected numeric (int or float), got string"]
        )
        self.assertEqual(wrong(replicas=True), [".spec.replicas: expected numeric (int or float), got bool"])
        self.assertEqual(wrong(paused="x"), [".spec.paused: expected boolean, got &{x}"])
        self.assertEqual(wrong(size={"a": 1}), [".spec.size: expected any scalar, got &{map[a:1]}"])
        self.assertEqual(
            wrong(nested={"a": 5}), [".spec.nested.a: expected string, got &value.valueUnstructured{Value:5}"]
        )
        self.assertEqual(
            wrong(nested={"a": {"b": ["c", None]}}),
            [
                ".spec.nested.a: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"
                '"b":[]interface {}{"c", interface {}(nil)}}}'
            ],
        )

    def test_floats(self) -> None:
        """A float passes for a number here, whatever its field."""
        self.assertEqual(wrong(replicas=1.5), [])

    def test_containers(self) -> None:
        """Objects and lists are not mixed up."""
        self.assertEqual(
            [str(one) for one in misfits(node(), {"spec": "text"})], [".spec: expected map, got &{text}"]
        )
        self.assertEqual(wrong(containers={"a": 1}), [".spec.containers: expected list, got &{map[a:1]}"])
        self.assertEqual(wrong(nested=[1, "b", None]), [".spec.nested: expected map, got &{[1 b <nil>]}"])

    def test_undeclared(self) -> None:
        """Unknown fields are misfits unless the struct is open."""
        self.assertEqual(wrong(bogus=1), [".spec.bogus: field not declared in schema"])
        self.assertEqual(misfits(node(OPEN), {"other": {"a": [1]}}), [])

    def test_repeated(self) -> None:
        """Repeated keys and set items are misfits in what is applied, not in what is stored."""
        twice = [{"name": "x"}, {"name": "x"}]
        self.assertEqual(wrong(containers=twice), ['.spec.containers: duplicate entries for key [name="x"]'])
        self.assertEqual(wrong(tags=["b", "b"]), ['.spec.tags: duplicate entries for key [="b"]'])
        self.assertEqual(wrong(True, containers=twice), [])

    def test_nested_repeated(self) -> None:
        """Paths lead through items by their keys, and count defaults of keys."""
        ports = [{"port": 80}, {"port": 80, "protocol": "TCP"}]
        self.assertEqual(
            wrong(containers=[{"name": "x", "ports": ports}]),
            ['.spec.containers[name="x"].ports: duplicate entries for key [port=80,protocol="TCP"]'],
        )

    def test_keyless(self) -> None:
        """Items need a key, unless all keys have defaults."""
        self.assertEqual(
            wrong(containers=[{"image": "i"}]),
            [
                ".spec.containers: element 0: associative list with keys has an element that "
                'omits all key fields ["name"] '
                "(and doesn't have default values for any key fields)"
            ],
        )
        self.assertEqual(wrong(containers=[{"name": "x", "ports": [{}]}]), [])
        self.assertEqual(
            wrong(containers=[None]),
            [".spec.containers: element 0: associative list with keys may not have a null element"],
        )
        self.assertEqual(
            wrong(containers=["x"]),
            [".spec.containers: element 0: associative list with keys may not have non-map elements"],
        )
        self.assertEqual(
            wrong(tags=[None]),
            [".spec.tags: element 0: associative list without keys has an element that's an explicit null"],
        )

    def test_indices(self) -> None:
        """Atomic lists are looked into, with indices."""
        self.assertEqual(
            wrong(containers=[{"name": "x", "args": ["a", 1]}]),
            ['.spec.containers[name="x"].args[1]: expected string, got &value.valueUnstructured{Value:1}'],
        )

    def test_several(self) -> None:
        """Several misfits come each on its line."""
        found = misfits(node(), {"spec": {"replicas": "x", "paused": 1}})
        self.assertEqual(
            summary(found),
            "errors:\n  .spec.replicas: expected numeric (int or float), got string\n"
            "  .spec.paused: expected boolean, got &{1}",
        )
