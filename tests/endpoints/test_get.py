"""GET of one object."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from kube_twisted.endpoints.request import Request
from kube_twisted.util.deferreds import to_deferred
from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase, SentTransport

YAML = "application/yaml"


class GetTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.made = self.config_map("a", {"app": "web"})

    def test_object(self) -> None:
        """The object as it was created."""
        answer = self.send("GET", f"{CONFIG_MAPS}/a")
        self.assertEqual((answer.code, answer.content_type, answer.json), (200, "application/json", self.made))

    def test_not_found(self) -> None:
        """404 with what was asked for."""
        error = self.refused("GET", "/apis/apps/v1/namespaces/default/deployments/x")
        self.assertEqual((error.code, error.message, error.details), (404, 'deployments.apps "x" not found', {
            "name": "x", "group": "apps", "kind": "deployments"}))

    def test_no_name(self) -> None:
        """What can't be a name is 400 for reads and writes; an encoded slash parts the path."""
        for name, why in ((".", "may not be '.'"), ("..", "may not be '..'"), ("a%25b", "may not contain '%'")):
            shown = name.replace("%25", "%")
            for method in ("GET", "DELETE", "PUT"):
                body = {"metadata": {"name": shown}} if method == "PUT" else None
                error = self.refused(method, f"{CONFIG_MAPS}/{name}", body)
                self.assertEqual((error.code, error.message), (400, f'Name parameter invalid: "{shown}": {why}'))
        error = self.refused("GET", f"{CONFIG_MAPS}/a%2Fb")
        self.assertEqual((error.code, error.message), (404, "the server could not find the requested resource"))

    def test_yaml(self) -> None:
        """YAML for those who want it."""
        answer = self.send("GET", f"{CONFIG_MAPS}/a", accept=YAML)
        self.assertEqual(answer.content_type, YAML)
        self.assertTrue(answer.body.startswith(b"apiVersion: v1\nkind: ConfigMap\nmetadata:\n"), answer.body)

    def test_pretty(self) -> None:
        """Indented JSON on request, with the same content."""
        answer = self.send("GET", f"{CONFIG_MAPS}/a?pretty=true")
        self.assertTrue(answer.body.startswith(b'{\n  "kind": "ConfigMap",\n'))
        self.assertEqual(answer.json, self.made)

    def test_table(self) -> None:
        """A Table of one row."""
        table = self.send("GET", f"{CONFIG_MAPS}/a", accept="application/json;as=Table;g=meta.k8s.io;v=v1").json
        self.assertEqual((table["kind"], table["rows"][0]["cells"][:2]), ("Table", ["a", 0]))
        self.assertEqual(table["rows"][0]["object"]["kind"], "PartialObjectMetadata")

    def test_metadata(self) -> None:
        """The metadata alone."""
        accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
        answer = self.send("GET", f"{CONFIG_MAPS}/a", accept=accept)
        self.assertEqual(answer.json, {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1",
                                       "metadata": self.made["metadata"]})

    def test_at_least(self) -> None:
        """A version asks for an object at least that new; one that never comes is 504, no number an error."""
        for version in ("0", self.made["metadata"]["resourceVersion"]):
            self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}/a?resourceVersion={version}"), self.made)
        error = self.refused("GET", f"{CONFIG_MAPS}/a?resourceVersion={self.revision() + 100}")
        self.assertEqual((error.code, error.details["retryAfterSeconds"]), (504, 1))
        self.assertIn("invalid syntax", self.refused("GET", f"{CONFIG_MAPS}/a?resourceVersion=x").message)

    def test_waits(self) -> None:
        """A version that comes in time is waited for."""
        token = self.cluster.server.completed.loopback_token
        request = Request("GET", f"{CONFIG_MAPS}/a", f"resourceVersion={self.revision() + 1}",
                          SentTransport({"authorization": f"Bearer {token}"}, b""))
        waiting: Deferred[object] = to_deferred(self.cluster.server.handler(request))
        self.assertNoResult(waiting)
        self.merge(f"{CONFIG_MAPS}/a", {"data": {"x": "new"}})
        self.clock.advance(0.1)
        self.assertIn(b'"x":"new"', self.successResultOf(waiting).body)

    def test_other_version(self) -> None:
        """A resource's other version is converted."""
        path = "/apis/autoscaling/{}/namespaces/default/horizontalpodautoscalers"
        self.ask("POST", path.format("v1"), {"metadata": {"name": "h"}, "spec": {
            "maxReplicas": 3, "targetCPUUtilizationPercentage": 50,
            "scaleTargetRef": {"kind": "Deployment", "name": "d", "apiVersion": "apps/v1"}}})
        metrics = self.ask("GET", path.format("v2") + "/h")["spec"]["metrics"]
        self.assertEqual(metrics[0]["resource"], {
            "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}})

    def test_deprecated(self) -> None:
        """A deprecated kind is answered with a warning."""
        answer = self.send("GET", f"{NAMESPACE}/endpoints")
        self.assertEqual(answer.warnings, [
            "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"])

    def test_odd_bytes(self) -> None:
        """Names with bytes that no name has are not found, rather than an error."""
        for name in ("%00", "a%2Fb", "%F0%9F", "é"):
            self.assertEqual(self.send("GET", f"{CONFIG_MAPS}/{name}").code, 404, name)
