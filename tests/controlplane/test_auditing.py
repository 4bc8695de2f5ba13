"""Auditing of a whole server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import yaml
from twisted.internet.defer import Deferred

from kube_twisted.endpoints.request import Request, Response
from kube_twisted.storage.interfaces import StoreFailed
from kube_twisted.testing.cluster import InProcessCluster
from tests.inprocess import CONFIG_MAPS, ClusterTestCase, SentTransport, keys_directory

POD = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i", "securityContext": {
    "privileged": True}}]}}
MERGE_PATCH = "application/merge-patch+json"


class AuditCase(ClusterTestCase):
    """Has a server that audits.

    :cvar rules: of the policy.
    :cvar settings: further ones.
    """

    rules: list[dict[str, Any]] = [{"level": "None", "users": ["system:apiserver"]}, {"level": "Metadata"}]
    settings: Mapping[str, Any] = {}

    def setUp(self) -> None:
        policy, self.path = Path(self.mktemp()), Path(self.mktemp()) / "audit.log"
        policy.write_text(yaml.safe_dump({"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": self.rules}))
        self.cluster = InProcessCluster({"audit.policyFile": str(policy), "audit.log.path": str(self.path),
                                         **self.settings}, keys_directory())
        self.cluster.start()
        self.addCleanup(self.cluster.stop)
        self.clock = self.cluster.clock
        self._seen = 0
        self.token = self.cluster.server.completed.pki.admin_token

    def as_admin(self, method: str, path: str, body: Any = None, /, **headers: str) -> Any:
        raw = b"" if body is None else body if isinstance(body, bytes) else orjson.dumps(body)
        return self.send(method, path, raw, authorization=f"Bearer {self.token}", **headers)

    def events(self) -> list[dict[str, Any]]:
        """The new ones."""
        lines = self.path.read_bytes().splitlines() if self.path.exists() else []
        seen, self._seen = self._seen, len(lines)
        return [orjson.loads(line) for line in lines[seen:]]

    def last(self) -> dict[str, Any]:
        return self.events()[-1]


class MetadataTests(AuditCase):
    def test_stages(self) -> None:
        """A request is recorded when it comes and when it has been answered, under the ID that its client gave it."""
        self.as_admin("GET", f"{CONFIG_MAPS}?limit=1", audit_id="mine", x_forwarded_for="10.1.2.3")
        events = self.events()
        self.assertEqual([(event["stage"], event["auditID"]) for event in events],
                         [("RequestReceived", "mine"), ("ResponseComplete", "mine")])
        last = events[1]
        self.assertEqual((last["verb"], last["requestURI"], last["sourceIPs"], last["userAgent"]),
                         ("list", f"{CONFIG_MAPS}?limit=1", ["10.1.2.3", "192.0.2.1"], "test/1.0"))
        self.assertEqual(last["user"], {"username": "admin", "uid": "admin",
                                        "groups": ["system:masters", "system:authenticated"]})
        self.assertEqual(last["objectRef"], {"resource": "configmaps", "namespace": "default", "apiVersion": "v1"})
        self.assertEqual(last["responseStatus"], {"metadata": {}, "code": 200})
        self.assertEqual(last["annotations"]["authorization.k8s.io/decision"], "allow")
        self.assertNotIn("responseObject", last)

    def test_own_id(self) -> None:
        """The server's own ID is that of the answer."""
        answer = self.as_admin("GET", CONFIG_MAPS)
        self.assertEqual(self.last()["auditID"], answer.request.audit_id)

    def test_created_object(self) -> None:
        """What is created has its name in the reference."""
        self.as_admin("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual(self.last()["objectRef"]["name"], "x")

    def test_forbidden(self) -> None:
        """A refusal is recorded with its Status, and why; as whom the request was made as well."""
        self.as_admin("GET", CONFIG_MAPS, impersonate_user="ann")
        last = self.last()
        self.assertEqual((last["user"]["username"], last["impersonatedUser"]["username"]), ("admin", "ann"))
        self.assertEqual((last["responseStatus"]["code"], last["responseStatus"]["reason"]), (403, "Forbidden"))
        self.assertEqual(last["annotations"]["authorization.k8s.io/decision"], "forbid")

    def test_unauthenticated(self) -> None:
        """Bad credentials are recorded once, of nobody."""
        self.send("GET", CONFIG_MAPS, authorization="Bearer nope")
        [event] = self.events()
        self.assertEqual((event["stage"], event["user"]), ("ResponseStarted", {}))
        self.assertEqual((event["responseStatus"]["code"], event["responseStatus"]["message"]), (401, "Unauthorized"))

    def test_watch(self) -> None:
        """A watch is recorded when it begins, and when its client or the server ends it."""
        for end in (lambda watch: watch.leave(), lambda _: self.cluster.server.watches.end_all()):
            watch = self.watch(CONFIG_MAPS, authorization=f"Bearer {self.token}")
            self.assertEqual([event["stage"] for event in self.events()], ["RequestReceived", "ResponseStarted"])
            end(watch)
            self.assertEqual([(event["stage"], event["verb"], event["responseStatus"]["code"])
                              for event in self.events()], [("ResponseComplete", "watch", 200)])

    def test_failure(self) -> None:
        """A failure of the server is recorded as such."""
        async def fail(_request: Request) -> Response:
            raise ZeroDivisionError("oops")

        self.cluster.server.front.tree.route("/broken", fail)
        self.as_admin("GET", "/broken")
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 1)
        last = self.last()
        self.assertEqual((last["stage"], last["responseStatus"]["message"]), ("Panic", "APIServer panic'd: oops"))

    def test_store_fails(self) -> None:
        """A store that fails is an answer like others."""
        async def fail(_request: Request) -> Response:
            raise StoreFailed("disk full")

        self.cluster.server.front.tree.route("/broken", fail)
        self.as_admin("GET", "/broken")
        last = self.last()
        self.assertEqual((last["stage"], last["responseStatus"]["code"], last["responseStatus"]["message"]),
                         ("ResponseComplete", 500, "disk full"))

    def test_client_leaves(self) -> None:
        """A client that leaves, and one that waits for too long, are recorded."""
        async def wait(_request: Request) -> Response:
            await Deferred()
            raise AssertionError

        self.cluster.server.front.tree.route("/slow", wait)
        for query, seconds, expected in (("", 0, (200, "Connection closed early")), ("timeout=2s", 2, (504, (
                "request did not complete within the allotted timeout")))):
            sent = SentTransport({"authorization": f"Bearer {self.token}"}, b"")
            waiting = Deferred.fromCoroutine(self.cluster.server.handler(Request("GET", "/slow", query, sent)))
            self.clock.advance(seconds)
            if not seconds:
                waiting.cancel()
            waiting.addErrback(lambda _: None)
            status = self.last()["responseStatus"]
            self.assertEqual((status["code"], status["message"]), expected)

    def test_annotations(self) -> None:
        """Admission and deprecated kinds annotate events."""
        self.ask("PATCH", "/api/v1/namespaces/default", {"metadata": {"labels": {
            "pod-security.kubernetes.io/audit": "baseline"}}}, MERGE_PATCH)
        self.ask("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "default"}})
        self.as_admin("POST", "/api/v1/namespaces/default/pods", POD)
        self.assertIn('would violate PodSecurity "baseline',
                      self.last()["annotations"]["pod-security.kubernetes.io/audit-violations"])
        self.as_admin("GET", "/api/v1/namespaces/default/endpoints")
        self.assertEqual(self.last()["annotations"]["k8s.io/deprecated"], "true")

    def test_issued_token(self) -> None:
        """Which token was issued is said, and which one was used for a request."""
        self.ask("POST", "/api/v1/namespaces/default/serviceaccounts", {"metadata": {"name": "web"}})
        token = self.as_admin("POST", "/api/v1/namespaces/default/serviceaccounts/web/token", {"spec": {}}).json
        issued = self.last()["annotations"]["authentication.kubernetes.io/issued-credential-id"]
        self.assertTrue(issued.startswith("JTI="), issued)
        self.send("GET", CONFIG_MAPS, authorization=f"Bearer {token['status']['token']}")
        self.assertEqual(self.last()["user"]["extra"]["authentication.kubernetes.io/credential-id"], [issued])

    def test_metrics(self) -> None:
        """Events and levels are counted."""
        self.as_admin("GET", CONFIG_MAPS)
        text = self.send("GET", "/metrics").body.decode()
        self.assertIn("\napiserver_audit_event_total 2.0\n", text)
        self.assertIn('\napiserver_audit_level_total{level="Metadata"} 1.0\n', text)


class BodyTests(AuditCase):
    rules = [{"level": "None", "users": ["system:apiserver"]},
             {"level": "Request", "verbs": ["patch"]},
             {"level": "RequestResponse", "omitManagedFields": True}]
    settings = {"audit.log.mode": "batch"}

    def test_bodies(self) -> None:
        """What is sent and what is answered, whatever it is encoded in."""
        for accept in ("application/json", "application/yaml", "application/vnd.kubernetes.protobuf"):
            name = accept[-4:]
            self.as_admin("POST", CONFIG_MAPS, b"metadata: {name: %s}\ndata: {a: b}" % name.encode(), accept=accept,
                          content_type="application/yaml")
            last = self.last()
            sent, answered = last["requestObject"], last["responseObject"]
            self.assertEqual(sent, {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name},
                                    "data": {"a": "b"}})
            self.assertEqual((answered["kind"], answered["data"]), ("ConfigMap", {"a": "b"}))
            self.assertNotIn("managedFields", answered["metadata"])

    def test_patch(self) -> None:
        """A patch is recorded as it was sent; on its level the answer is not."""
        self.config_map("x")
        self.as_admin("PATCH", f"{CONFIG_MAPS}/x", {"data": {"a": "b"}}, content_type=MERGE_PATCH)
        last = self.last()
        self.assertEqual((last["requestObject"], last.get("responseObject")), ({"data": {"a": "b"}}, None))

    def test_delete(self) -> None:
        """Options of a deletion are recorded when they are sent; the Status that is answered as well."""
        self.config_map("x")
        self.as_admin("DELETE", f"{CONFIG_MAPS}/x", {"propagationPolicy": "Background"})
        last = self.last()
        self.assertEqual(last["requestObject"], {"kind": "DeleteOptions", "apiVersion": "meta.k8s.io/__internal",
                                                 "propagationPolicy": "Background"})
        self.assertEqual((last["responseStatus"]["status"], last["responseStatus"]["code"]), ("Success", 200))
        self.assertEqual(last["responseObject"]["details"]["name"], "x")

    def test_refusal(self) -> None:
        """The Status of a refusal is the answer's object."""
        self.as_admin("GET", f"{CONFIG_MAPS}/none")
        self.assertEqual(self.last()["responseObject"]["reason"], "NotFound")

    def test_refusal_without_details(self) -> None:
        """Details that say nothing are there all the same."""
        self.as_admin("PATCH", CONFIG_MAPS, b"{}", content_type=MERGE_PATCH)
        self.assertEqual(self.last()["responseStatus"], {
            "metadata": {}, "status": "Failure", "reason": "MethodNotAllowed", "details": {}, "code": 405,
            "message": "the server does not allow this method on the requested resource"})

    def test_unreadable_refusal(self) -> None:
        """Of a refusal that the client can't read as it wants to there is only the code."""
        self.as_admin("GET", f"{CONFIG_MAPS}/none", accept="text/csv")
        last = self.last()
        self.assertEqual((last["responseStatus"], last.get("responseObject")),
                         ({"metadata": {}, "code": 406}, None))

    def test_old_discovery(self) -> None:
        """The documents of the core group are objects, though they do not say of which version."""
        self.as_admin("GET", "/api")
        self.assertEqual(self.last()["responseObject"]["kind"], "APIVersions")

    def test_no_objects(self) -> None:
        """What is no object of the API is not recorded."""
        for path in ("/version", "/healthz", "/openapi/v3"):
            self.as_admin("GET", path)
            self.assertNotIn("responseObject", self.last())


class StrictTests(AuditCase):
    settings = {"audit.log.mode": "blocking-strict"}

    def test_full_disk(self) -> None:
        """Who is strict carries out nothing that can't be recorded."""
        self.path.mkdir(parents=True)
        answer = self.as_admin("POST", CONFIG_MAPS, {"metadata": {"name": "x"}})
        self.assertEqual((answer.code, answer.body), (500, (
            f'Internal Server Error: "{CONFIG_MAPS}": failed to store audit event\n').encode()))
        self.assertNotIn("x", [one["metadata"]["name"] for one in self.ask("GET", CONFIG_MAPS)["items"]])
        self.assertIn("\napiserver_audit_requests_rejected_total 1.0\n", self.send("GET", "/metrics").body.decode())


class LegacyTests(AuditCase):
    settings = {"audit.log.format": "legacy"}

    def test_lines(self) -> None:
        """The old format can be had."""
        self.as_admin("GET", CONFIG_MAPS)
        line = self.path.read_text().splitlines()[-1]
        self.assertIn(' method="list" user="admin" groups="\\"system:masters\\",\\"system:authenticated\\"" ', line)
        self.assertTrue(line.endswith('response="200"'))


class OffTests(ClusterTestCase):
    def test_off(self) -> None:
        """Without a policy nothing is recorded, and nothing is said about it."""
        self.assertIsNone(self.send("GET", CONFIG_MAPS).request.recording)
        self.assertNotIn("apiserver_audit", self.send("GET", "/metrics").body.decode())
