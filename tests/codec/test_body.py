"""Bodies of requests; the messages are those of a real server."""

from __future__ import annotations

import json as reference
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec.body import Decoded, MediaType, decode_body
from tests.schema.shared_schema import shared_schema

CONFIG_MAP = GroupVersionKind("", "v1", "ConfigMap")
DEPLOYMENT = GroupVersionKind("apps", "v1", "Deployment")
POD = GroupVersionKind("", "v1", "Pod")
UNRECOGNIZED = "the object provided is unrecognized (must be of type ConfigMap): "
NO_KIND = UNRECOGNIZED + "couldn't get version/kind; json parse error: "
META = r'struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }'
SCHEME = 'in scheme "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"'


def decoded(
    raw: bytes | Any,
    expected: GroupVersionKind = CONFIG_MAP,
    media_type: MediaType = "json",
    accepts: tuple[GroupVersion, ...] = (),
) -> Decoded:
    body = raw if isinstance(raw, bytes) else reference.dumps(raw).encode()
    return decode_body(body, media_type, expected, shared_schema(), accepts)


class BodyTests(SynchronousTestCase):
    """Common to all tests."""

    def refuse(
        self,
        raw: bytes | Any,
        message: str,
        expected: GroupVersionKind = CONFIG_MAP,
        media_type: MediaType = "json",
    ) -> None:
        error = self.assertRaises(StatusError, decoded, raw, expected, media_type)
        self.assertEqual((error.code, error.reason, error.message), (400, "BadRequest", message))


class QuantityTests(BodyTests):
    """Quantities as JSON numbers."""

    def test_as_written(self) -> None:
        """They are read as they are written in JSON; in YAML they are numbers first."""
        for written, text, number in ((b"1e3", "1e3", "1k"), (b"1E+3", "1E+3", "1k"), (b"0.00001", "10u", "10u"),
                                      (b"99999999999999999999", "99999999999999999999", "100E")):
            raw = b'{"apiVersion":"v1","kind":"Pod","spec":{"overhead":{"cpu":%s}}}' % written
            self.assertEqual(decoded(raw, POD).obj["spec"]["overhead"], {"cpu": text})
            self.assertEqual(decoded(raw, POD, "yaml").obj["spec"]["overhead"], {"cpu": number})


class RecognitionTests(BodyTests):
    """What kind a body is of."""

    def test_no_json(self) -> None:
        """The error, and the start of the body: as text if it looks like an object, else hexadecimal."""
        for raw, message in [
            (b"{not json", "invalid character 'n' looking for beginning of object key string ({not json)"),
            (b"", "unexpected end of JSON input (<empty>)"),
            (
                b'{"metadata":{"name":"t"}} trailing',
                'invalid character \'t\' after top-level value ({"metadata":{"name":"t"}} trai ...)',
            ),
            (
                b'{"metadata":{"name":"t"}}{"metadata":{"name":"u"}}',
                'invalid character \'{\' after top-level value ({"metadata":{"name":"t"}}{"met ...)',
            ),
            (
                b"apiVersion: v1\nkind: ConfigMap\n",
                "invalid character 'a' looking for beginning of value "
                "(61706956657273696f6e3a2076310a6b696e643a20436f6e6669674d6170 ...)",
            ),
        ]:
            self.refuse(raw, NO_KIND + message)

    def test_no_object(self) -> None:
        """A list, text or number has no kind."""
        for raw, kind, shown in [
            (b"[]", "array", "5b5d"),
            (b'"text"', "string", "227465787422"),
            (b"42", "number", "3432"),
            (b"[1, 2]", "array", "5b312c20325d"),
        ]:
            self.refuse(raw, f"{NO_KIND}json: cannot unmarshal {kind} into Go value of type {META} ({shown})")

    def test_kind_of_the_wrong_type(self) -> None:
        """The field of Go's anonymous struct is named."""
        self.refuse(
            {"kind": 5},
            NO_KIND + 'json: cannot unmarshal number into Go struct field .kind of type string ({"kind": 5})',
        )

    def test_malformed_version(self) -> None:
        """A version has one slash at most."""
        self.refuse(
            {"apiVersion": "a/b/c", "kind": "ConfigMap", "metadata": {"name": "t"}},
            UNRECOGNIZED + 'unexpected GroupVersion string: a/b/c ({"apiVersion": "a/b/c", "kind" ...)',
        )

    def test_what_is_missing_is_what_is_expected(self) -> None:
        """Kind and version may be left out; null and an empty object are empty objects."""
        for raw in (b"null", b"{}", b'{"apiVersion":"v1"}', b'{"kind":"ConfigMap"}', b'{"apiVersion":null}'):
            body = decoded(raw)
            self.assertEqual(
                list(body.obj.items()), [("kind", "ConfigMap"), ("apiVersion", "v1"), ("metadata", {})], raw
            )
            self.assertEqual(body.gvk, CONFIG_MAP)
        self.assertEqual(decoded({"kind": "Deployment"}, DEPLOYMENT).obj["apiVersion"], "apps/v1")

    def test_another_kind(self) -> None:
        """A known kind can't be converted."""
        for raw, expected, message in [
            (
                {"apiVersion": "v1", "kind": "Secret"},
                CONFIG_MAP,
                'Secret in version "v1" cannot be handled as a '
                "ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion",
            ),
            (
                {"apiVersion": "v1", "kind": "Pod"},
                DEPLOYMENT,
                'Pod in version "v1" cannot be handled as a '
                "Deployment: converting (v1.Pod) to (apps.Deployment): unknown conversion",
            ),
            (
                {"apiVersion": "v1", "kind": "List", "items": []},
                CONFIG_MAP,
                'List in version "v1" cannot be '
                "handled as a ConfigMap: converting (v1.List) to (core.ConfigMap): unknown conversion",
            ),
            (
                {"apiVersion": "v1", "kind": "ServiceAccount"},
                GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"),
                'ServiceAccount in version "v1" cannot be handled as a TokenRequest: converting '
                "(v1.ServiceAccount) to (authentication.TokenRequest): unknown conversion",
            ),
        ]:
            self.refuse(raw, message, expected)

    def test_an_unknown_kind_or_version(self) -> None:
        """What no scheme has is not registered."""
        for api_version, kind, short in [
            ("v2", "ConfigMap", "v2"),
            ("apps/v1", "ConfigMap", "v1"),
            ("v1", "Nonsense", "v1"),
        ]:
            self.refuse(
                {"apiVersion": api_version, "kind": kind},
                f'{kind} in version "{short}" cannot be handled as a ConfigMap: no kind "{kind}" is '
                f'registered for version "{api_version}" {SCHEME}',
            )

    def test_another_version_of_the_kind(self) -> None:
        """It is known and could be converted, but does not belong here."""
        hpa = GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler")
        self.refuse(
            {"apiVersion": "autoscaling/v1", "kind": hpa.kind},
            "the API version in the data "
            "(autoscaling/v1) does not match the expected API version (autoscaling/v2)",
            hpa,
        )
        self.refuse(
            {"apiVersion": "apps/v1beta1", "kind": "Deployment"},
            "the API version in the data (apps/v1beta1) does not match the expected API version (apps/v1)",
            DEPLOYMENT,
        )

    def test_an_accepted_version(self) -> None:
        """A further version that the caller accepts comes out as it is."""
        eviction = GroupVersionKind("policy", "v1", "Eviction")
        body = decoded(
            {"apiVersion": "policy/v1beta1", "kind": "Eviction", "metadata": {"name": "x"}},
            eviction,
            accepts=(GroupVersion("policy", "v1beta1"),),
        )
        self.assertEqual(body.gvk.version, "v1beta1")
        self.assertEqual(
            body.obj, {"kind": "Eviction", "apiVersion": "policy/v1beta1", "metadata": {"name": "x"}}
        )


class DecodingTests(BodyTests):
    """What is in a body."""

    def test_wrong_types(self) -> None:
        """The kind is named, and what does not fit."""
        self.refuse(
            {"metadata": {"name": "t"}, "data": 7},
            'ConfigMap in version "v1" cannot be handled as a '
            "ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type "
            "map[string]string",
        )

    def test_numbers_are_shown_as_written(self) -> None:
        """``1e2`` is not 100.0."""
        self.refuse(
            b'{"spec":{"replicas":1e2}}',
            'Deployment in version "v1" cannot be handled as a Deployment: '
            "json: cannot unmarshal number 1e2 into Go struct field DeploymentSpec.spec.replicas of type "
            "int32",
            DEPLOYMENT,
        )

    def test_a_wrong_type_comes_before_a_wrong_kind(self) -> None:
        """The body is decoded as what it says it is, and only then converted."""
        self.refuse(
            {"apiVersion": "v1", "kind": "Secret", "data": {"a": "%"}},
            'Secret in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
        )

    def test_unknown_fields(self) -> None:
        """They are warnings, or with strict validation an error; the object is without them."""
        body = decoded({"metadata": {"name": "s"}, "data": {"a": "1"}, "bogus": 1, "other": {"deep": 2}})
        self.assertEqual(body.warnings, ['unknown field "bogus"', 'unknown field "other"'])
        self.assertEqual(
            body.strict_error(CONFIG_MAP).message,
            'ConfigMap in version "v1" cannot be handled as a '
            'ConfigMap: strict decoding error: unknown field "bogus", unknown field "other"',
        )
        self.assertEqual(list(body.obj), ["kind", "apiVersion", "metadata", "data"])

    def test_duplicate_fields(self) -> None:
        """Maps that stand twice are merged, and each duplicate is reported."""
        body = decoded(
            b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"dd","labels":{"l":"1","l":"2"}},'
            b'"data":{"a":"1","a":"2"},"data":{"b":"3"}}'
        )
        self.assertEqual(
            body.warnings,
            ['duplicate field "metadata.labels.l"', 'duplicate field "data.a"', 'duplicate field "data"'],
        )
        self.assertEqual(body.obj["data"], {"a": "2", "b": "3"})
        self.assertEqual(body.obj["metadata"]["labels"], {"l": "2"})

    def test_unknown_and_duplicate_fields_together(self) -> None:
        """Both are reported in the order of the body."""
        body = decoded(b'{"x":1,"data":{"a":"1","a":"2"},"metadata":{"y":1}}')
        self.assertEqual(
            body.warnings, ['unknown field "x"', 'duplicate field "data.a"', 'unknown field "metadata.y"']
        )

    def test_unpaired_surrogates(self) -> None:
        """Go accepts them."""
        self.assertEqual(decoded(b'{"data":{"k":"\\ud800"}}').obj["data"], {"k": "\ufffd"})


class YAMLTests(BodyTests):
    """YAML bodies."""

    def test_an_object(self) -> None:
        """YAML is decoded like JSON."""
        body = decoded(b"data: {a: '1'}\nmetadata: {name: y1}\nextra: 1\n", media_type="yaml")
        self.assertEqual(body.obj["data"], {"a": "1"})
        self.assertEqual(body.warnings, ['unknown field "extra"'])

    def test_an_empty_body(self) -> None:
        """It is an empty object."""
        self.assertEqual(decoded(b"", media_type="yaml").obj["kind"], "ConfigMap")

    def test_no_yaml(self) -> None:
        """The body does not tell its kind."""
        self.refuse(
            b"a: [",
            UNRECOGNIZED + "yaml: line 1: did not find expected node content (613a205b)",
            media_type="yaml",
        )

    def test_wrong_types(self) -> None:
        """An unquoted number is no text."""
        self.refuse(
            b"data: {k: 5}\n",
            'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot '
            "unmarshal number into Go struct field ConfigMap.data of type string",
            media_type="yaml",
        )

    def test_duplicate_keys(self) -> None:
        """One error with all of them when strict, one warning for each otherwise, before unknown fields."""
        body = decoded(
            b"metadata: {name: y2}\ndata: {a: '1'}\ndata: {b: '2'}\nx: 1\nx: 2\n", media_type="yaml"
        )
        self.assertEqual(
            body.strict_error(CONFIG_MAP).message,
            'ConfigMap in version "v1" cannot be handled as a '
            'ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 3: key "data" already '
            'set in map\n  line 5: key "x" already set in map, unknown field "x"',
        )
        self.assertEqual(
            body.warnings,
            [
                'line 3: key "data" already set in map',
                'line 5: key "x" already set in map',
                'unknown field "x"',
            ],
        )
        self.assertEqual(body.obj["data"], {"b": "2"})
