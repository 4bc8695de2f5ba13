"""The exact look at documents with duplicates and numbers as they were written."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.decode import DecodeError, decode
from kube_twisted.schema.strict import Inspection, inspect
from kube_twisted.schema.tree import Members, Number, plain
from tests.schema.shared_schema import struct


class DuplicateTests(SynchronousTestCase):
    """Members that stand twice."""

    def inspect(self, node: Members) -> Inspection:
        return inspect(struct("v1", "ConfigMap"), node)

    def test_messages_in_the_order_of_the_document(self) -> None:
        """A duplicate is reported where it is met, inner ones before the outer one that comes later."""
        found = self.inspect(
            Members(
                [
                    ("metadata", Members([("labels", Members([("l", "1"), ("l", "2")]))])),
                    ("data", Members([("a", "1"), ("a", "2")])),
                    ("data", Members([("b", "3")])),
                ]
            )
        )
        self.assertEqual(
            found.messages,
            ['duplicate field "metadata.labels.l"', 'duplicate field "data.a"', 'duplicate field "data"'],
        )
        self.assertIsNone(found.error)

    def test_maps_and_structs_are_merged(self) -> None:
        """The second one is decoded into the first."""
        found = self.inspect(
            Members(
                [
                    ("data", Members([("a", "1")])),
                    ("data", Members([("b", "2")])),
                    ("metadata", {"name": "x", "namespace": "n"}),
                    ("metadata", {"name": "y"}),
                ]
            )
        )
        self.assertEqual(
            found.value, {"data": {"a": "1", "b": "2"}, "metadata": {"name": "y", "namespace": "n"}}
        )

    def test_null_empties_maps_but_not_scalars(self) -> None:
        """A null after a value drops a map and leaves a text alone."""
        found = self.inspect(
            Members([("data", {"a": "1"}), ("data", None), ("kind", "ConfigMap"), ("kind", None)])
        )
        self.assertEqual(found.value, {"data": None, "kind": "ConfigMap"})

    def test_lists_are_overlaid(self) -> None:
        """Items of a second list are decoded into those of the first; the second one's length counts."""
        found = inspect(
            struct("v1", "Pod"),
            {
                "spec": Members(
                    [
                        ("containers", [{"name": "a", "image": "i"}, {"name": "b"}]),
                        ("containers", [{"name": "c"}]),
                    ]
                )
            },
        )
        self.assertEqual(found.value["spec"]["containers"], [{"name": "c", "image": "i"}])

    def test_messages_are_not_repeated_and_have_a_limit(self) -> None:
        """The same message comes once, and a hundred are enough."""
        found = self.inspect(Members([("a", 1), ("a", 2), *((f"b{index}", 1) for index in range(200))]))
        self.assertEqual(found.messages[:2], ['unknown field "a"', 'unknown field "b0"'])
        self.assertEqual(len(found.messages), 100)


class NumberTests(SynchronousTestCase):
    """Numbers as they were written."""

    def error(self, number: str) -> str | None:
        return inspect(struct("apps/v1", "Deployment"), {"spec": {"replicas": Number(number)}}).error

    def test_an_integer_has_neither_fraction_nor_exponent(self) -> None:
        """``1.0`` and ``1e3`` are no integers to Go; they are shown as written."""
        self.assertIsNone(self.error("12"))
        for number in ("1.0", "1e3", "99999999999"):
            self.assertEqual(
                self.error(number),
                f"json: cannot unmarshal number {number} into Go struct field "
                "DeploymentSpec.spec.replicas of type int32",
            )

    def test_quantities_are_read_as_written(self) -> None:
        """A number is a quantity by its own notation."""
        found = inspect(struct("v1", "Pod"), {"spec": {"overhead": {"cpu": Number("1e3")}}})
        self.assertEqual(found.value["spec"]["overhead"], {"cpu": "1e3"})

    def test_plain_values(self) -> None:
        """An untyped number is an integer if it fits into 64 bits, else a float."""
        self.assertEqual(
            plain([Number("7"), Number("7.0"), Number("9223372036854775808")]), [7, 7.0, 2.0**63]
        )
        self.assertIsInstance(plain(Number("7.0")), float)


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 2**40)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "x", "1", "100m", "QQ==", "2026-01-02T03:04:05Z"])
)
NAMES = st.sampled_from(
    [
        "metadata",
        "spec",
        "status",
        "containers",
        "name",
        "labels",
        "ports",
        "containerPort",
        "resources",
        "limits",
        "volumes",
        "configMap",
        "emptyDir",
        "sizeLimit",
        "tolerations",
        "creationTimestamp",
        "ownerReferences",
        "uid",
        "priority",
        "tty",
        "overhead",
        "bogus",
        "conditions",
        "lastProbeTime",
        "env",
        "valueFrom",
        "livenessProbe",
    ]
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=5),
    max_leaves=25,
)


class AgreementTests(SynchronousTestCase):
    """The fast pass and the slow look must not differ."""

    @settings(max_examples=300)
    @given(st.dictionaries(NAMES, VALUES, max_size=4))
    def test_they_agree_about_any_value(self, value: dict[str, Any]) -> None:
        """Both find an error or neither does; the same fields are unknown; the value decodes to the same."""
        pod = struct("v1", "Pod")
        found = inspect(pod, value)
        unknown: list[str] = []
        try:
            decoded = decode(pod, value, unknown)
        except DecodeError as error:
            self.assertEqual(str(error), found.error)
        else:
            self.assertIsNone(found.error)
            self.assertEqual(unknown, found.messages)
            self.assertEqual(decode(pod, found.value), decoded)
            self.assertEqual(decode(pod, decoded), decoded)
