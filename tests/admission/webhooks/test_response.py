"""Which reviews are answers, and what they say."""

from __future__ import annotations

import base64
from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.admission.webhooks.response import InvalidResponse, Verdict, read_response, verified

PATCH = b'[{"op":"add","path":"/a","value":1}]'
CODED = base64.b64encode(PATCH).decode()


def read(response: Any, version: str = "v1", /, *, mutating: bool = True, **head: Any) -> Verdict:
    review = {"kind": "AdmissionReview", "apiVersion": f"admission.k8s.io/{version}", "response": response, **head}
    body = orjson.dumps({name: value for name, value in review.items() if value is not None})
    return verified(read_response(body, version), version, "u", mutating=mutating)


class VerdictTests(SynchronousTestCase):
    def test_everything(self) -> None:
        """All that a response can say."""
        found = read({"uid": "u", "allowed": True, "patch": CODED, "patchType": "JSONPatch", "warnings": ["w"],
                      "auditAnnotations": {"k": "v"}, "status": {"code": 7, "message": "m"}, "more": 1})
        self.assertEqual(found, Verdict(True, PATCH, "JSONPatch", {"code": 7, "message": "m"}, ("w",), {"k": "v"}))

    def test_little(self) -> None:
        """Whatever is left out says no."""
        self.assertEqual(read({"uid": "u"}), Verdict(False, b"", "", None, (), {}))

    def test_v1beta1(self) -> None:
        """Of old reviews less is asked: no uid, no kind, no type; a patch by who may not is passed over."""
        self.assertEqual(read({"allowed": True, "patch": CODED}, "v1beta1", kind=None, apiVersion=None).patch_type,
                         "JSONPatch")
        found = read({"allowed": True, "patch": CODED}, "v1beta1", mutating=False)
        self.assertEqual((found.allowed, found.patch), (True, b""))


class InvalidTests(SynchronousTestCase):
    def test_no_answers(self) -> None:
        """Reviews that don't answer the question."""
        good = {"uid": "u", "allowed": True}
        expected = "expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got "
        for said, response, more in (
            ("webhook response was absent", None, {}),
            ('expected response.uid="u", got "x"', {"uid": "x"}, {}),
            ('expected response.uid="u", got ""', {"allowed": True}, {}),
            (f"{expected}/, Kind=", good, {"kind": None, "apiVersion": None}),
            (f"{expected}admission.k8s.io/v1, Kind=", good, {"kind": None}),
            ("webhook returned response.patch but not response.patchType", {**good, "patch": CODED}, {}),
            ("webhook returned response.patchType but not response.patch", {**good, "patchType": "JSONPatch"}, {}),
            ('webhook returned invalid response.patchType of ""', {**good, "patch": CODED, "patchType": ""}, {}),
            ("validating webhook may not return response.patch", {**good, "patch": CODED}, {"mutating": False}),
            ("validating webhook may not return response.patchType", {**good, "patchType": "x"}, {"mutating": False}),
        ):
            error = self.assertRaises(InvalidResponse, read, response, **more)
            self.assertEqual(str(error), said)

    def test_types(self) -> None:
        """Members of other types are errors of reading, in the original's words."""
        cannot = "json: cannot unmarshal {} into Go struct field {} of type {}"
        for member, said in (
            ({"allowed": "yes"}, cannot.format("string", "AdmissionResponse.response.allowed", "bool")),
            ({"uid": 1}, cannot.format("number", "AdmissionResponse.response.uid", "types.UID")),
            ({"status": "no"}, cannot.format("string", "AdmissionResponse.response.status", "v1.Status")),
            ({"status": {"code": "x"}}, cannot.format("string", "Status.response.status.code", "int32")),
            ({"warnings": [1]}, cannot.format("number", "AdmissionResponse.response.warnings", "string")),
            ({"auditAnnotations": {"a": 1}},
             cannot.format("number", "AdmissionResponse.response.auditAnnotations", "string")),
            ({"patch": "a*bc"}, "illegal base64 data at input byte 1"),
            ({"patch": "abc"}, "illegal base64 data at input byte 0"),
        ):
            error = self.assertRaises(ValueError, read, {"uid": "u", **member})
            self.assertNotIsInstance(error, InvalidResponse)
            self.assertEqual(str(error), said)

    def test_other_things(self) -> None:
        """Other kinds, other versions, and no JSON at all."""
        for body, version, said in (
            (b"{x", "v1", "couldn't get version/kind; json parse error: invalid character 'x' looking for beginning of "
             "object key string"),
            (b'{"kind":"Pod","apiVersion":"v1"}', "v1", 'no kind "Pod" is registered for version "v1" in scheme '
             '"k8s.io/apiserver/pkg/util/webhook/client.go:71"'),
            (b'{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}', "v1beta1",
             "converting (v1.AdmissionReview) to (v1beta1.AdmissionReview): unknown conversion"),
        ):
            error = self.assertRaises(ValueError, read_response, body, version)
            self.assertEqual(str(error), said)
