"""The v2 document in protobuf, read back with a reader that knows nothing of the messages."""

from __future__ import annotations

from struct import pack
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.openapi.protobuf import to_protobuf
from tests.endpoints.openapi.shared import v2


def read(data: bytes) -> list[tuple[int, Any]]:
    """The fields of a message: number, and bytes (of a double too) or an integer."""
    fields, place = [], 0
    while place < len(data):
        key, place = _varint(data, place)
        value: Any
        if key & 7 == 1:
            value, place = data[place:place + 8], place + 8
        else:
            assert key & 7 in (0, 2), key
            value, place = _varint(data, place)
        if key & 7 == 2:
            value, place = data[place:place + value], place + value
        fields.append((key >> 3, value))
    assert place == len(data)
    return fields


def _varint(data: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def get(data: bytes, *numbers: int) -> Any:
    """The value at the end of a way of field numbers; the first of repeated ones."""
    value: Any = data
    for number in numbers:
        value = next(one for found, one in read(value) if found == number)
    return value


def pairs(data: bytes, number: int = 1) -> dict[str, bytes]:
    """A message of names and values."""
    return {get(one, 1).decode(): get(one, 2) for found, one in read(data) if found == number}


class ProtobufTests(SynchronousTestCase):
    """Field by field."""

    def setUp(self) -> None:
        self.document = v2("apps/v1")
        self.data = to_protobuf(self.document)

    def test_head(self) -> None:
        """Version, title, and how to authenticate."""
        self.assertEqual((get(self.data, 1), get(self.data, 2, 1)), (b"2.0", b"Kubernetes"))
        token = pairs(get(self.data, 13))["BearerToken"]
        self.assertEqual(get(token, 2, 1), b"apiKey")
        self.assertEqual(list(pairs(get(self.data, 12))), ["BearerToken"])

    def test_definitions(self) -> None:
        """All definitions are there, with types, references, required names and items."""
        definitions = pairs(get(self.data, 9))
        self.assertEqual(list(definitions), list(self.document["definitions"]))
        spec = definitions["io.k8s.api.apps.v1.DeploymentSpec"]
        self.assertEqual([value for number, value in read(spec) if number == 19], [b"selector", b"template"])
        properties = pairs(get(spec, 25))
        self.assertEqual(get(properties["replicas"], 22, 1), b"integer")
        self.assertEqual(get(properties["template"], 1), b"#/definitions/io.k8s.api.core.v1.PodTemplateSpec")
        pod_spec = pairs(get(definitions["io.k8s.api.core.v1.PodSpec"], 25))
        self.assertEqual(get(pod_spec["containers"], 23, 1, 1), b"#/definitions/io.k8s.api.core.v1.Container")
        self.assertEqual(get(pod_spec["nodeSelector"], 21, 1, 22, 1), b"string")

    def test_extensions(self) -> None:
        """Extensions are texts that read as YAML."""
        definitions = pairs(get(self.data, 9))
        extensions = pairs(definitions["io.k8s.api.apps.v1.Deployment"], 31)
        self.assertEqual(get(extensions["x-kubernetes-group-version-kind"], 2),
                         b'[{"group":"apps","kind":"Deployment","version":"v1"}]')

    def test_enum(self) -> None:
        """Values of an enum are texts that read as YAML too."""
        operator = pairs(get(pairs(get(self.data, 9))["io.k8s.api.core.v1.Toleration"], 25))["operator"]
        values = [get(value, 2) for number, value in read(operator) if number == 20]
        self.assertEqual(values[:2], [b'"Equal"', b'"Exists"'])

    def test_operations(self) -> None:
        """An operation has its ID, its responses and its parameters, own and shared ones."""
        item = pairs(get(self.data, 8), 2)["/apis/apps/v1/namespaces/{namespace}/deployments"]
        create = get(item, 4)
        self.assertEqual(get(create, 5), b"createAppsV1NamespacedDeployment")
        self.assertEqual(list(pairs(get(create, 9))), ["200", "201", "202", "401"])
        body, dry_run, manager, *_ = (value for number, value in read(create) if number == 8)
        self.assertEqual(get(body, 1, 1, 5, 1), b"#/definitions/io.k8s.api.apps.v1.Deployment")
        self.assertEqual(get(dry_run, 1, 2, 3, 4), b"dryRun")
        self.assertTrue(get(manager, 2, 1).startswith(b"#/parameters/fieldManager-"))
        self.assertEqual(get(pairs(create, 13)["x-kubernetes-action"], 2), b'"post"')

    def test_shared_parameters(self) -> None:
        """Parameters in paths are required."""
        parameter = get(pairs(get(self.data, 10))["namespace-vgWSWtn3"], 2, 4)
        self.assertEqual((get(parameter, 4), get(parameter, 1)), (b"namespace", 1))

    def test_limits(self) -> None:
        """Custom resources have limits: counts and numbers in double precision; none of zero, which is no limit."""
        schema = {"type": "object", "maxLength": 300, "minLength": 0, "maximum": 1.5, "minimum": 0, "multipleOf": -2,
                  "uniqueItems": True, "additionalProperties": False, "pattern": "^a$", "example": {"a": 1},
                  "externalDocs": {"url": "u"}}
        data = get(to_protobuf({"definitions": {"x": schema}}), 9, 1, 2)
        self.assertEqual({number: value for number, value in read(data) if number != 22}, {
            11: 300, 7: pack("<d", 1.5), 6: pack("<d", -2), 16: 1, 21: b"\x10\x00", 13: b"^a$",
            30: b'\x12\x07{"a":1}', 29: b"\x12\x01u"})
