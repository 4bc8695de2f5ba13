"""A client's mistake never costs a traceback: bytes that are no object, in all the ways they can be sent."""

from __future__ import annotations

from base64 import b64encode
from random import Random

import orjson

from kube_twisted.codec.protobuf.envelope import encode_object
from tests.inprocess import CONFIG_MAPS, NAMESPACE, Answer, ClusterTestCase

PROTOBUF = "application/vnd.kubernetes.protobuf"
MEDIA_TYPES = ("application/json", "application/yaml", "application/json-patch+json", "application/merge-patch+json",
               "application/strategic-merge-patch+json", "application/apply-patch+yaml", PROTOBUF, "text/plain", "",
               ";")
BODIES = (
    b"", b"null", b"[]", b"1", b'"x"', b"{", b"\xff\xfe", b"\0", b"[" * 50_000, b'{"a":' * 50_000,
    b'{"metadata":{"name":"\\ud800"}}', b'{"metadata":{"name":"b","labels":{"x":"\\udfff"}}}',
    b'{"metadata":{"generation":1e999}}', b'{"metadata":{"generation":123456789012345678901234567890}}',
    b'{"metadata":null}', b'{"metadata":[]}', b'{"metadata":{"ownerReferences":[null]}}', b'{"kind":1}',
    b'{"apiVersion":"a/b/c","kind":"X"}', b'{"metadata":{"managedFields":[null]}}',
    b'{"metadata":{"managedFields":[{"operation":"Update","fieldsV1":{"f:a":1}}]}}', b'{"$patch":1}',
    b'{"metadata":{"$setElementOrder/finalizers":[{}]}}', b'{"metadata":{"$deleteFromPrimitiveList/finalizers":"x"}}',
    b'[{"op":"replace","path":"","value":null}]', b'[{"op":"remove","path":"/metadata"}]', b"[null]",
    b'[{"op":"copy","from":"","path":"/metadata/labels"}]', b'[{"op":1}]', b"a: &x [*x]", b"a: *x", b"? [a]\n: b",
    b"!!python/object:os.system x", b"a: !!binary x", b"a: .inf", b"<<: [1]", b"%YAML 9.9\n---\na: b", b"---\n---\n",
    b"k8s\0", b"k8s\0\xff\xff\xff\xff", b'{"preconditions":{"uid":1}}', b'{"gracePeriodSeconds":9223372036854775807}',
)


class OddRequestsTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.config_map("a")
        self.ask("POST", f"{NAMESPACE}/serviceaccounts", {"metadata": {"name": "default"}})

    def check(self, answer: Answer, what: object) -> None:
        if b'"reason":"InternalError"' in answer.body:
            self.fail(f"{what}: {answer.body!r}")

    def test_bodies(self) -> None:
        """Whatever the body and its type, of all verbs that have one."""
        targets = (("POST", CONFIG_MAPS), ("PUT", f"{CONFIG_MAPS}/a"), ("PATCH", f"{CONFIG_MAPS}/a"),
                   ("DELETE", f"{CONFIG_MAPS}/none"), ("POST", f"{NAMESPACE}/serviceaccounts/default/token"))
        for content_type in MEDIA_TYPES:
            for body in BODIES:
                for method, path in targets:
                    answer = self.send(method, f"{path}?fieldManager=m", body, content_type=content_type)
                    self.check(answer, (method, content_type, body[:100]))
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}/a")["metadata"]["name"], "a")

    def test_damaged_protobuf(self) -> None:
        """Protobuf of which single bytes have changed."""
        random = Random(1)
        labels = {"app": "web"}
        objects = (
            (CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {
                "name": "b", "creationTimestamp": "2026-01-01T00:00:00Z"}, "data": {"x": "y"}}),
            ("/apis/apps/v1/namespaces/default/deployments", {
                "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d", "labels": labels}, "spec": {
                    "selector": {"matchLabels": labels}, "strategy": {"rollingUpdate": {"maxSurge": "10%"}},
                    "template": {"metadata": {"labels": labels}, "spec": {"containers": [{
                        "name": "c", "image": "i", "resources": {"limits": {"cpu": "1"}}}]}}}}))
        for path, obj in objects:
            whole = encode_object(obj)
            self.assertEqual(self.send("POST", f"{path}?dryRun=All", whole, content_type=PROTOBUF).code, 201)
            for position in range(4, len(whole)):
                for byte in (0, 0xFF, whole[position] ^ 2, random.randrange(256)):
                    damaged = whole[:position] + bytes((byte,)) + whole[position + 1:]
                    self.check(self.send("POST", f"{path}?dryRun=All", damaged, content_type=PROTOBUF), damaged)
                self.check(self.send("POST", f"{path}?dryRun=All", whole[:position], content_type=PROTOBUF), position)

    def test_nulls_in_json_schemas(self) -> None:
        """Nulls and empty lists inside the schemas of a definition."""
        path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
        for key in ("items", "dependencies", "additionalProperties", "not", "allOf", "properties", "enum", "default"):
            for odd in (None, [], {}, [None], {"a": None}, {"a": []}, {"items": []}):
                schema = {"type": "object", "properties": {"p": {"type": "array", key: odd}}, key: odd}
                body = {"metadata": {"name": "ws.x.com"}, "spec": {
                    "group": "x.com", "scope": "Namespaced", "names": {"plural": "ws", "kind": "W"},
                    "versions": [{"name": "v1", "served": True, "storage": True,
                                  "schema": {"openAPIV3Schema": schema}}]}}
                self.check(self.send("POST", f"{path}?dryRun=All", orjson.dumps(body)), (key, odd))

    def test_certificate_requests(self) -> None:
        """Requests for certificates without a request, and with one that is no text."""
        path = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
        pem = "-----BEGIN CERTIFICATE REQUEST-----\né\n-----END CERTIFICATE REQUEST-----\n".encode()
        for request in ({}, {"request": None}, {"request": ""}, {"request": b64encode(pem).decode()}):
            for signer in ("example.com/x", "kubernetes.io/kube-apiserver-client"):
                body = {"metadata": {"name": "c"}, "spec": {"signerName": signer, "usages": ["client auth"], **request}}
                self.assertIn(self.send("POST", path, orjson.dumps(body)).code, (403, 422), body)

    def test_secrets(self) -> None:
        """Secrets with null values, and of types that only begin like known ones."""
        for type_, key in (("Opaque", "x"), ("kubernetes.io/tls", "tls.crt"), ("kubernetes.io/dockercfg", ".dockercfg"),
                           ("kubernetes.io/dockerc", "x")):
            body = {"metadata": {"generateName": "s-"}, "type": type_, "data": {key: None}}
            self.check(self.send("POST", f"{NAMESPACE}/secrets", orjson.dumps(body)), body)

    def test_counts_in_a_status(self) -> None:
        """A status with fewer than no replicas is told so, count by count."""
        path = f"{NAMESPACE}/replicationcontrollers"
        labels = {"app": "web"}
        self.ask("POST", path, {"metadata": {"name": "r"}, "spec": {"selector": labels, "template": {
            "metadata": {"labels": labels}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})
        answer = self.send("PUT", f"{path}/r/status", b'{"metadata":{"name":"r"},"status":{"replicas":-1}}')
        self.assertEqual(answer.code, 422)
        self.assertIn("status.fullyLabeledReplicas", [cause["field"] for cause in answer.json["details"]["causes"]])
