"""Decoding into built-in kinds."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.schema.decode import DecodeError, canonical, decode
from tests.schema.shared_schema import struct

POD = {
    "metadata": {"name": "q"},
    "spec": {
        "automountServiceAccountToken": False,
        "containers": [
            {
                "name": "a",
                "image": "i",
                "resources": {
                    "requests": {"cpu": "0.1", "memory": "1048576Ki", "ephemeral-storage": "1e9"},
                    "limits": {"cpu": "1000m", "memory": 2147483648, "ephemeral-storage": "1.5Gi"},
                },
            }
        ],
    },
}


def config_map(**fields: Any) -> dict[str, Any]:
    return decode(struct("v1", "ConfigMap"), {"metadata": {"name": "t"}, **fields})


class OutputTests(SynchronousTestCase):
    """What Go would write back."""

    def test_quantities_become_canonical(self) -> None:
        """Quantities change their form, never their notation; numbers become texts; maps are sorted."""
        resources = decode(struct("v1", "Pod"), POD)["spec"]["containers"][0]["resources"]
        self.assertEqual(resources["requests"], {"cpu": "100m", "ephemeral-storage": "1e9", "memory": "1Gi"})
        self.assertEqual(
            resources["limits"], {"cpu": "1", "ephemeral-storage": "1536Mi", "memory": "2147483648"}
        )
        self.assertEqual(list(resources), ["limits", "requests"])
        self.assertEqual(list(resources["requests"]), ["cpu", "ephemeral-storage", "memory"])

    def test_the_result_is_its_own(self) -> None:
        """Changing a decoded object leaves the value that it was decoded from alone."""
        value = {"metadata": {"name": "t", "labels": {"a": "b"}, "finalizers": ["x/y"]}, "data": {"k": "v"}}
        decoded = decode(struct("v1", "ConfigMap"), value)
        decoded["metadata"]["labels"]["c"] = "d"
        decoded["metadata"]["finalizers"].clear()
        decoded["data"].clear()
        self.assertEqual(
            value,
            {"metadata": {"name": "t", "labels": {"a": "b"}, "finalizers": ["x/y"]}, "data": {"k": "v"}},
        )

    def test_fields_stand_in_go_order(self) -> None:
        """Whatever the order in the body, kind comes first and the rest as in the Go struct."""
        decoded = decode(
            struct("v1", "Secret"),
            {
                "type": "Opaque",
                "data": {"b": "QQ==", "a": "QQ=="},
                "metadata": {"namespace": "n", "name": "s"},
                "apiVersion": "v1",
                "kind": "Secret",
            },
        )
        self.assertEqual(list(decoded), ["kind", "apiVersion", "metadata", "data", "type"])
        self.assertEqual(list(decoded["metadata"]), ["name", "namespace"])
        self.assertEqual(list(decoded["data"]), ["a", "b"])

    def test_structs_that_are_no_pointers_always_appear(self) -> None:
        """An empty pod has all that Go writes for it."""
        self.assertEqual(
            decode(struct("v1", "Pod"), {}), {"metadata": {}, "spec": {"containers": None}, "status": {}}
        )

    def test_null_is_absent(self) -> None:
        """A field that is null is as if it were not there; a null body is an empty object."""
        self.assertEqual(config_map(data=None, immutable=None), config_map())
        self.assertEqual(decode(struct("v1", "ConfigMap"), None), {"metadata": {}})

    def test_nulls_inside_maps_and_lists_are_zero_values(self) -> None:
        """Go sets a key or item that is null to its zero value."""
        self.assertEqual(config_map(data={"a": None, "b": "x"})["data"], {"a": "", "b": "x"})
        decoded = decode(struct("v1", "Pod"), {"spec": {"containers": [None], "overhead": {"cpu": None}}})
        self.assertEqual(
            decoded["spec"], {"containers": [{"name": "", "resources": {}}], "overhead": {"cpu": "0"}}
        )

    def test_empty_values_are_left_out(self) -> None:
        """Zeros, empty texts, lists and maps of fields that are left out when empty go."""
        decoded = decode(
            struct("v1", "Pod"),
            {
                "metadata": {"labels": {}, "name": "", "generation": 0},
                "spec": {"containers": [], "hostNetwork": False, "nodeName": ""},
            },
        )
        self.assertEqual(decoded, {"metadata": {}, "spec": {"containers": []}, "status": {}})

    def test_pointers_keep_zeros(self) -> None:
        """``replicas: 0`` and ``enableServiceLinks: false`` are kept, and so are empty structs."""
        spec = decode(
            struct("apps/v1", "Deployment"),
            {
                "spec": {
                    "replicas": 0,
                    "template": {
                        "spec": {"containers": [], "enableServiceLinks": False, "securityContext": {}}
                    },
                }
            },
        )["spec"]
        self.assertEqual(spec["replicas"], 0)
        self.assertEqual(
            spec["template"]["spec"], {"containers": [], "securityContext": {}, "enableServiceLinks": False}
        )

    def test_lists_that_are_always_written(self) -> None:
        """A missing list is null, an empty one stays."""
        self.assertEqual(decode(struct("rbac.authorization.k8s.io/v1", "Role"), {})["rules"], None)
        self.assertEqual(decode(struct("rbac.authorization.k8s.io/v1", "Role"), {"rules": []})["rules"], [])

    def test_zero_leaves_that_are_always_written(self) -> None:
        """Quantities, ports and times that are no pointers have their zero values."""
        service = decode(struct("v1", "Service"), {"spec": {"ports": [{"port": 80}]}})
        self.assertEqual(service["spec"]["ports"], [{"port": 80, "targetPort": 0}])
        event = decode(struct("v1", "Event"), {})
        self.assertEqual(
            [event[name] for name in ("firstTimestamp", "lastTimestamp", "eventTime")], [None] * 3
        )

    def test_creation_timestamp_is_left_out_when_zero(self) -> None:
        """No ``creationTimestamp: null`` is written."""
        for zero in (None, "0001-01-01T00:00:00Z"):
            self.assertEqual(config_map(metadata={"creationTimestamp": zero})["metadata"], {})

    def test_times(self) -> None:
        """Times lose their fraction and zone, micro times keep six digits."""
        lease = decode(
            struct("coordination.k8s.io/v1", "Lease"),
            {
                "metadata": {"creationTimestamp": "2026-01-02T03:04:05.5+01:00"},
                "spec": {"renewTime": "2026-01-02T03:04:05.123456+01:00"},
            },
        )
        self.assertEqual(lease["metadata"]["creationTimestamp"], "2026-01-02T02:04:05Z")
        self.assertEqual(lease["spec"]["renewTime"], "2026-01-02T02:04:05.123456Z")

    def test_untyped_values_are_kept(self) -> None:
        """Raw data keeps its order, nulls and numbers."""
        data = {"z": None, "a": [1.5, {"b": {}}]}
        revision = decode(struct("apps/v1", "ControllerRevision"), {"data": data})
        self.assertEqual(list(revision["data"].items()), list(data.items()))

    def test_bytes_without_text(self) -> None:
        """Bytes may be a list of numbers; null in a map is no bytes."""
        data = decode(struct("v1", "Secret"), {"data": {"a": [65, None], "b": None}})["data"]
        self.assertEqual(data, {"a": "QQA=", "b": ""})

    def test_bytes_are_written_anew(self) -> None:
        """Base64 with line breaks or loose bits comes out in its one form."""
        secret = decode(struct("v1", "Secret"), {"data": {"a": "QUJD\nREVG", "b": "QR=="}})
        self.assertEqual(secret["data"], {"a": "QUJDREVG", "b": "QQ=="})

    def test_the_canonical_form_is_stable(self) -> None:
        """Decoding what was decoded changes nothing."""
        once = decode(struct("v1", "Pod"), POD)
        self.assertEqual(canonical(struct("v1", "Pod"), once), once)

    def test_schemas_inside_schemas(self) -> None:
        """A schema may stand where a boolean or list may; unknown fields in it go without a word."""
        unknown: list[str] = []
        schema = {
            "type": "object",
            "additionalProperties": {"type": "string", "bogus": 1},
            "properties": {"a": {"items": {"type": "string"}, "additionalProperties": False}},
            "odd": 1,
        }
        decoded = decode(
            struct("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
            {"spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}},
            unknown,
        )
        self.assertEqual(
            decoded["spec"]["versions"][0]["schema"]["openAPIV3Schema"],
            {
                "type": "object",
                "properties": {"a": {"items": {"type": "string"}, "additionalProperties": False}},
                "additionalProperties": {"type": "string"},
            },
        )
        self.assertEqual(unknown, ['unknown field "spec.versions[0].schema.openAPIV3Schema.odd"'])


class UnknownFieldTests(SynchronousTestCase):
    """Fields that a kind does not have."""

    def test_paths_in_the_order_of_the_body(self) -> None:
        """Each unknown field is named with its path, and dropped."""
        unknown: list[str] = []
        decoded = decode(
            struct("apps/v1", "Deployment"),
            {
                "spec": {
                    "template": {
                        "spec": {
                            "containers": [
                                {"name": "a", "imagePullPolice": "x", "env": [{"name": "E", "val": "v"}]}
                            ]
                        }
                    },
                    "replica": 1,
                }
            },
            unknown,
        )
        self.assertEqual(
            unknown,
            [
                'unknown field "spec.template.spec.containers[0].imagePullPolice"',
                'unknown field "spec.template.spec.containers[0].env[0].val"',
                'unknown field "spec.replica"',
            ],
        )
        self.assertNotIn("replica", decoded["spec"])

    def test_case_matters(self) -> None:
        """``Data`` is not ``data``, even when it is null."""
        unknown: list[str] = []
        decode(struct("v1", "ConfigMap"), {"metadata": {"lables": {}}, "Data": None}, unknown)
        self.assertEqual(unknown, ['unknown field "metadata.lables"', 'unknown field "Data"'])

    def test_nobody_has_to_ask(self) -> None:
        """Without a list to collect them in, unknown fields are dropped."""
        self.assertEqual(config_map(bogus=1), config_map())


class ErrorTests(SynchronousTestCase):
    """Values that do not fit."""

    def assert_error(self, api_version: str, kind: str, value: Any, message: str) -> None:
        error = self.assertRaises(DecodeError, decode, struct(api_version, kind), value, [])
        self.assertEqual(str(error), message)

    def test_wrong_types(self) -> None:
        """Go's words: the struct, the path without indexes, the Go type."""
        unmarshal = "json: cannot unmarshal"
        for value, message in [
            (
                {"data": 7},
                f"{unmarshal} number into Go struct field ConfigMap.data of type map[string]string",
            ),
            ({"data": {"a": 1}}, f"{unmarshal} number into Go struct field ConfigMap.data of type string"),
            (
                {"metadata": {"name": 5}},
                f"{unmarshal} number into Go struct field ObjectMeta.metadata.name of type string",
            ),
            (
                {"metadata": "x"},
                f"{unmarshal} string into Go struct field ConfigMap.metadata of type v1.ObjectMeta",
            ),
            (
                {"metadata": {"labels": ["a"]}},
                f"{unmarshal} array into Go struct field ObjectMeta.metadata.labels of type "
                "map[string]string",
            ),
            (
                {"immutable": "yes"},
                f"{unmarshal} string into Go struct field ConfigMap.immutable of type bool",
            ),
        ]:
            self.assert_error("v1", "ConfigMap", value, message)

    def test_wrong_types_in_pods(self) -> None:
        """Lists, named types and fields of embedded structs."""
        unmarshal = "json: cannot unmarshal"
        for spec, message in [
            (
                {"containers": "x"},
                f"{unmarshal} string into Go struct field PodSpec.spec.containers of type []v1.Container",
            ),
            (
                {"containers": [{"imagePullPolicy": True}]},
                f"{unmarshal} bool into Go struct field Container.spec.containers.imagePullPolicy of type "
                "v1.PullPolicy",
            ),
            (
                {"volumes": [{"configMap": 5}]},
                f"{unmarshal} number into Go struct field "
                "Volume.spec.volumes.VolumeSource.configMap of type v1.ConfigMapVolumeSource",
            ),
            (
                {"containers": [{"resources": {"limits": []}}]},
                f"{unmarshal} array into Go struct field "
                "ResourceRequirements.spec.containers.resources.limits of type v1.ResourceList",
            ),
            (
                {"containers": [{"command": [1]}]},
                f"{unmarshal} number into Go struct field Container.spec.containers.command of type string",
            ),
        ]:
            self.assert_error("v1", "Pod", {"spec": spec}, message)

    def test_numbers(self) -> None:
        """Fractions and numbers out of range are shown."""
        for replicas, shown in [
            (1.5, "number 1.5"),
            (3_000_000_000, "number 3000000000"),
            ("many", "string"),
        ]:
            self.assert_error(
                "apps/v1",
                "Deployment",
                {"spec": {"replicas": replicas}},
                f"json: cannot unmarshal {shown} into Go struct field "
                "DeploymentSpec.spec.replicas of type int32",
            )

    def test_the_first_wrong_type_counts(self) -> None:
        """Of several wrong types the first one in the body is named."""
        self.assert_error(
            "v1",
            "ConfigMap",
            {"data": 1, "metadata": 2},
            "json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string",
        )

    def test_unreadable_texts_end_the_walk(self) -> None:
        """A quantity or time that can't be read is named even when a wrong type came before."""
        self.assert_error(
            "v1",
            "Pod",
            {"metadata": 1, "spec": {"containers": [{"resources": {"requests": {"cpu": "1 core"}}}]}},
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        )
        self.assert_error(
            "coordination.k8s.io/v1",
            "Lease",
            {"spec": {"renewTime": "yesterday"}},
            'parsing time "yesterday" as "2006-01-02T15:04:05.000000Z07:00": '
            'cannot parse "yesterday" as "2006"',
        )

    def test_times_and_ports_of_wrong_type(self) -> None:
        """These have decoders of their own, that speak of the type they read into."""
        self.assert_error(
            "v1",
            "ConfigMap",
            {"metadata": {"creationTimestamp": 5}},
            "json: cannot unmarshal number "
            "into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
        )
        self.assert_error(
            "v1",
            "Service",
            {"spec": {"ports": [{"targetPort": True}]}},
            "json: cannot unmarshal bool "
            "into Go struct field ServicePort.spec.ports.targetPort of type int32",
        )

    def test_base64(self) -> None:
        """The first bad byte is counted from zero."""
        for text, offset in [
            ("not base64!", 3),
            ("%%%", 0),
            ("QQ=", 3),
            ("QQ=x", 2),
            ("QUI", 0),
            ("QUJDR", 4),
            ("QQ==x", 4),
            ("QUJD====", 4),
            ("QUI=x", 4),
            ("Q\nQ\n=\n", 6),
        ]:
            self.assert_error(
                "v1", "Secret", {"data": {"a": text}}, f"illegal base64 data at input byte {offset}"
            )

    def test_bytes_as_numbers(self) -> None:
        """Bytes in a list are small whole numbers."""
        for item, what in ((256, "number 256"), (-1, "number -1"), ("x", "string"), ({}, "object")):
            self.assert_error("v1", "Secret", {"data": {"a": [item]}}, f"json: cannot unmarshal {what} into Go "
                              "struct field Secret.data of type uint8")

    def test_schema_or_boolean(self) -> None:
        """A place for a schema or a boolean takes nothing else."""
        schema = {"additionalProperties": "x"}
        self.assert_error(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            {"spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]}},
            "boolean or JSON schema expected",
        )
