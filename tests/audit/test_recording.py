"""What events say."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.user import UserInfo
from kube_twisted.audit.levels import REQUEST_RECEIVED, RESPONSE_COMPLETE, Level
from kube_twisted.audit.policy import Rule
from kube_twisted.audit.recording import Recording, shortened, source_ips

ANN = UserInfo("ann", "u1", ("devs",), {"b": ("2",), "a": ("1",)})
FACTS = {"requestURI": "/api/v1/namespaces/ns/pods?limit=1", "verb": "create", "userAgent": "kubectl/1",
         "sourceIPs": ["192.0.2.1"]}
POD = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "p", "namespace": "ns", "managedFields": [{}]}}


def recording(level: Level, user: UserInfo | None = ANN, **rule: Any) -> Recording:
    return Recording(Rule(level, **rule), "id", user, FACTS, {"resource": "pods", "apiVersion": "v1"}, 1767225600.25)


class RecordingTests(SynchronousTestCase):
    def fields(self, made: Recording, stage: str = RESPONSE_COMPLETE, user: UserInfo | None = None) -> dict[str, Any]:
        fields: dict[str, Any] = orjson.loads(made.event(stage, 1767225601.5, user).json)
        return fields

    def test_fields(self) -> None:
        """An event has its fields in the original's order; what is not known is absent."""
        made = recording(Level.METADATA)
        made.answered(200, None)
        made.annotate("b", "2")
        made.annotate("a", "1")
        self.assertEqual(made.event(RESPONSE_COMPLETE, 1767225601.5).json.decode(), (
            '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id",'
            '"stage":"ResponseComplete",'
            '"requestURI":"/api/v1/namespaces/ns/pods?limit=1","verb":"create",'
            '"user":{"username":"ann","uid":"u1","groups":["devs"],"extra":{"a":["1"],"b":["2"]}},'
            '"sourceIPs":["192.0.2.1"],"userAgent":"kubectl/1","objectRef":{"resource":"pods","apiVersion":"v1"},'
            '"responseStatus":{"metadata":{},"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:00.250000Z",'
            '"stageTimestamp":"2026-01-01T00:00:01.500000Z","annotations":{"a":"1","b":"2"}}'))

    def test_first_stage(self) -> None:
        """The first event is of the moment when the request came."""
        self.assertEqual(self.fields(recording(Level.METADATA), REQUEST_RECEIVED)["stageTimestamp"],
                         "2026-01-01T00:00:00.250000Z")

    def test_users(self) -> None:
        """Who could not say who it is has no name; as whom the request goes on is said besides."""
        self.assertEqual(self.fields(recording(Level.METADATA, None))["user"], {})
        self.assertNotIn("impersonatedUser", self.fields(recording(Level.METADATA), user=ANN))
        self.assertEqual(self.fields(recording(Level.METADATA), user=UserInfo("bob"))["impersonatedUser"],
                         {"username": "bob"})

    def test_request_object(self) -> None:
        """What is sent completes the reference; the object itself is for the level Request, as it was then."""
        for level, shown in ((Level.METADATA, False), (Level.REQUEST, True)):
            made, pod = recording(level), {**POD, "spec": {}}
            made.request_object(pod)
            pod["spec"] = {"changed": True}
            fields = self.fields(made)
            self.assertEqual(fields["objectRef"],
                             {"resource": "pods", "namespace": "ns", "name": "p", "apiVersion": "v1"})
            self.assertEqual(fields.get("requestObject"), {**POD, "spec": {}} if shown else None)

    def test_patches(self) -> None:
        """Patches are data, in JSON or YAML; what is neither is not recorded."""
        for raw, expected in ((b'[{"op":"remove","path":"/a"}]', [{"op": "remove", "path": "/a"}]),
                              (b"spec: {a: 1}", {"spec": {"a": 1}}), (b"{", None)):
            made = recording(Level.REQUEST)
            made.request_patch(raw)
            self.assertEqual(self.fields(made).get("requestObject"), expected)

    def test_response_object(self) -> None:
        """The answer is for the level RequestResponse."""
        for level, shown in ((Level.REQUEST, None), (Level.REQUEST_RESPONSE, POD)):
            made = recording(level)
            made.answered(201, POD)
            self.assertEqual(self.fields(made).get("responseObject"), shown)

    def test_status(self) -> None:
        """Of an answer that is a Status, the status is kept at every level."""
        status = {"kind": "Status", "apiVersion": "v1", "metadata": {"x": 1}, "status": "Success",
                  "details": {"name": "p"}}
        made = recording(Level.METADATA)
        made.answered(200, status)
        self.assertEqual(self.fields(made)["responseStatus"],
                         {"metadata": {}, "status": "Success", "details": {"name": "p"}, "code": 200})

    def test_managed_fields(self) -> None:
        """They are left out of objects, lists and tables where the policy says so."""
        bare = {**POD, "metadata": {"name": "p", "namespace": "ns"}}
        listed = {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": [POD]}
        table = {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "rows": [{"cells": [], "object": POD}, {"cells": []}]}
        for sent, kept in ((POD, bare), (listed, {**listed, "items": [bare]}),
                           (table, {**table, "rows": [{"cells": [], "object": bare}, {"cells": []}]})):
            made = recording(Level.REQUEST_RESPONSE, omit_managed_fields=True)
            made.answered(200, sent)
            self.assertEqual(self.fields(made)["responseObject"], kept)

    def test_annotations(self) -> None:
        """The first annotation of a key stays; patches are for those who log bodies."""
        for level, keys in ((Level.METADATA, ["a"]), (Level.REQUEST, ["a", "patch.webhook.admission.k8s.io/x"])):
            made = recording(level)
            made.annotate("a", "1")
            made.annotate("a", "2")
            made.annotate("patch.webhook.admission.k8s.io/x", "[]")
            annotations = self.fields(made)["annotations"]
            self.assertEqual((sorted(annotations), annotations["a"]), (keys, "1"))

    def test_stages(self) -> None:
        """There are no events of stages that are left out."""
        made = recording(Level.METADATA, omit_stages=frozenset({REQUEST_RECEIVED}))
        self.assertEqual([made.wants(REQUEST_RECEIVED), made.wants(RESPONSE_COMPLETE)], [False, True])


class LegacyTests(SynchronousTestCase):
    def test_line(self) -> None:
        """The old format has one short line, with placeholders for what is not known."""
        made = recording(Level.METADATA)
        made.request_object(POD)
        self.assertEqual(made.event(REQUEST_RECEIVED, 0).legacy.decode(), (
            '2026-01-01T00:00:00.25Z AUDIT: id="id" stage="RequestReceived" ip="192.0.2.1" method="create" user="ann" '
            'groups="\\"devs\\"" as="<self>" asgroups="<lookup>" user-agent="kubectl/1" namespace="ns" '
            'uri="/api/v1/namespaces/ns/pods?limit=1" response="<deferred>"'))
        made.answered(201, None)
        line = made.event(RESPONSE_COMPLETE, 0, UserInfo("bob", groups=("a", "b"))).legacy.decode()
        self.assertIn(' as="bob" asgroups="\\"a\\",\\"b\\"" ', line)
        self.assertTrue(line.endswith(' response="201"'), line)


class FactTests(SynchronousTestCase):
    def test_addresses(self) -> None:
        """The client first: what proxies say, then the connection; what is no address is passed over."""
        for forwarded, real, expected in (
                ("", "", ["192.0.2.9"]), ("10.0.0.1, x,10.0.0.2", "", ["10.0.0.1", "10.0.0.2", "192.0.2.9"]),
                ("10.0.0.1", "10.0.0.1", ["10.0.0.1", "192.0.2.9"]), ("", "10.0.0.3", ["10.0.0.3", "192.0.2.9"]),
                ("192.0.2.9", "", ["192.0.2.9"])):
            self.assertEqual(source_ips(forwarded, real, "192.0.2.9"), expected)
        self.assertEqual(source_ips("", "", ""), [])

    def test_user_agents(self) -> None:
        """A very long User-Agent is cut."""
        self.assertEqual(shortened("x" * 1024), "x" * 1024)
        self.assertEqual(shortened("x" * 1025), "x" * 1024 + "...TRUNCATED")
