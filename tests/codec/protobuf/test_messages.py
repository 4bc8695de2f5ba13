"""The table of messages."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec.protobuf.leaves import FROM_BYTES, NUMBERS
from kube_twisted.codec.protobuf.messages import fields_of, message_of, message_of_definition
from kube_twisted.codec.protobuf.schemas import SCHEMAS_FROM_BYTES
from kube_twisted.schema.types import Struct
from tests.schema.shared_schema import shared_schema

#: Kinds that are registered in groups of which nothing is served.
_EVERYWHERE = {"DeleteOptions", "WatchEvent"}


def names_in_json(message: str) -> set[str]:
    """The fields of a message, with those of messages that sit in it."""
    names: set[str] = set()
    for field in fields_of(message):
        names |= names_in_json(field.type) if field.inlined else {field.name}
    return names


class TableTests(SynchronousTestCase):
    def message(self, api_version: str, kind: str) -> str | None:
        return message_of(GroupVersion.parse(api_version).kind(kind))

    def test_kinds(self) -> None:
        """A kind's message is in the package of its group, or in that of the kinds that all groups share."""
        self.assertEqual(self.message("v1", "Pod"), "core.v1.Pod")
        self.assertEqual(self.message("rbac.authorization.k8s.io/v1", "RoleList"), "rbac.v1.RoleList")
        self.assertEqual(self.message("v1", "Status"), "meta.v1.Status")
        self.assertEqual(self.message("apps/v1", "DeleteOptions"), "meta.v1.DeleteOptions")
        self.assertEqual(self.message("meta.k8s.io/v1beta1", "PartialObjectMetadata"), "meta.v1.PartialObjectMetadata")

    def test_kinds_without_message(self) -> None:
        """Custom resources have none, even when their group looks like a built-in one; Tables neither."""
        self.assertIsNone(self.message("apps.example.com/v1", "Deployment"))
        self.assertIsNone(self.message("example.com/v1", "Status"))
        self.assertIsNone(self.message("meta.k8s.io/v1", "Table"))

    def test_every_built_in_kind_has_a_message(self) -> None:
        """What has a definition can be sent."""
        missing = {kind.kind for kind in shared_schema().kinds() if message_of(kind) is None}
        self.assertEqual(missing - _EVERYWHERE, set())

    def test_fields_are_those_of_the_schema(self) -> None:
        """Each field of each kind has a number, and no message has a field that the schema doesn't have."""
        seen: set[str] = set()
        for kind in shared_schema().kinds():
            if message_of(kind) is not None:
                self.compare(kind, shared_schema().kind(kind), seen)
        self.assertGreater(len(seen), 100)

    def compare(self, kind: GroupVersionKind, struct: Struct, seen: set[str]) -> None:
        message = message_of_definition(struct.name)
        if message not in seen:
            seen.add(message)
            expected = set(struct.fields) - {"kind", "apiVersion"}
            self.assertEqual(names_in_json(message) - {"kind", "apiVersion"}, expected, (kind, message))

    def test_types_are_known(self) -> None:
        """Every type is a leaf or another message, and numbers are unique."""
        leaves = {*FROM_BYTES, *NUMBERS, *SCHEMAS_FROM_BYTES, "double"}
        open_, seen = {message_of(kind) for kind in shared_schema().kinds()} - {None}, set()
        while open_:
            message = str(open_.pop())
            seen.add(message)
            fields = fields_of(message)
            self.assertEqual(len({field.number for field in fields}), len(fields), message)
            used = {field.type for field in fields}
            self.assertEqual({one for one in used if "." not in one} - leaves, set(), message)
            open_ |= {one for one in used if "." in one} - seen
        self.assertIn("core.v1.VolumeSource", seen)
