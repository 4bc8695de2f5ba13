"""Priority and fairness of a whole server."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase

GROUP = "/apis/flowcontrol.apiserver.k8s.io/v1"
SCHEMA = {
    "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "FlowSchema", "metadata": {"name": "mine"},
    "spec": {"priorityLevelConfiguration": {"name": "mine"}, "matchingPrecedence": 5, "rules": [{
        "subjects": [{"kind": "User", "user": {"name": "ann"}}],
        "nonResourceRules": [{"verbs": ["get"], "nonResourceURLs": ["*"]}]}]}}
LEVEL = {
    "apiVersion": "flowcontrol.apiserver.k8s.io/v1", "kind": "PriorityLevelConfiguration", "metadata": {"name": "mine"},
    "spec": {"type": "Limited", "limited": {"limitResponse": {"type": "Reject"}}}}


class LimitingTests(ClusterTestCase):
    def _flow(self, path: str) -> str:
        """Level and schema of a request of ann's."""
        answer = self.send("GET", path, impersonate_user="ann")
        assert answer.request.flow is not None
        return f"{answer.request.flow.counts.level}/{answer.request.flow.counts.schema}"

    def test_bootstrap_objects(self) -> None:
        """The default objects decide, from the first request on."""
        self.assertEqual(self._flow(CONFIG_MAPS), "global-default/global-default")
        self.assertEqual(self._flow("/healthz"), "exempt/probes")
        answer = self.send("GET", CONFIG_MAPS)
        assert answer.request.flow is not None
        uid = self.ask("GET", f"{GROUP}/flowschemas/exempt")["metadata"]["uid"]
        self.assertEqual(dict(answer.request.flow.headers)[b"X-Kubernetes-PF-FlowSchema-UID"], uid.encode())

    def test_own_objects(self) -> None:
        """A schema decides as soon as it and its level are there, and no longer."""
        self.ask("POST", f"{GROUP}/flowschemas", SCHEMA)
        self.assertEqual(self._flow("/version"), "global-default/global-default")
        self.ask("POST", f"{GROUP}/prioritylevelconfigurations", LEVEL)
        self.assertEqual(self._flow("/version"), "mine/mine")
        self.assertEqual(self._flow(CONFIG_MAPS), "global-default/global-default")
        self.ask("DELETE", f"{GROUP}/flowschemas/mine")
        self.assertEqual(self._flow("/version"), "global-default/global-default")

    def test_dangling(self) -> None:
        """A schema tells whether its level is there, when that changes."""
        def condition() -> tuple[str, str]:
            self.cluster.run(0.1)
            found = self.ask("GET", f"{GROUP}/flowschemas/mine")["status"]["conditions"][0]
            return found["status"], found["reason"]

        self.ask("POST", f"{GROUP}/flowschemas", SCHEMA)
        self.assertEqual(condition(), ("True", "NotFound"))
        self.ask("POST", f"{GROUP}/prioritylevelconfigurations", LEVEL)
        self.assertEqual(condition(), ("False", "Found"))
        self.ask("DELETE", f"{GROUP}/prioritylevelconfigurations/mine")
        self.assertEqual(condition(), ("True", "NotFound"))

    def test_metrics(self) -> None:
        """Requests are counted by level and schema, and limits are shown."""
        self._flow(CONFIG_MAPS)
        text = self.send("GET", "/metrics").body.decode()
        for line in (
            'apiserver_flowcontrol_dispatched_requests_total{flow_schema="global-default",'
            'priority_level="global-default"} 1.0',
            'apiserver_flowcontrol_nominal_limit_seats{priority_level="global-default"} 49.0',
            'apiserver_flowcontrol_nominal_limit_seats{priority_level="catch-all"} 13.0',
        ):
            self.assertIn(line, text)


class PlainLimitsTests(ClusterTestCase):
    overrides = {"flowControl.priorityAndFairness": False, "flowControl.maxRequestsInFlight": 1}

    def test_no_flows(self) -> None:
        """Without priority and fairness, requests have no flow, schemas no condition, and metrics nothing about it."""
        self.assertIsNone(self.send("GET", CONFIG_MAPS).request.flow)
        self.assertNotIn("conditions", self.ask("GET", f"{GROUP}/flowschemas/exempt").get("status", {}))
        self.assertNotIn("apiserver_flowcontrol", self.send("GET", "/metrics").body.decode())
