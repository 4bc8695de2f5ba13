"""APIServices of what the server serves itself."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.aggregator.apiservice import PATH, read
from kube_twisted.aggregator.apiservices import by_group
from kube_twisted.config import load_config
from kube_twisted.controlplane import completed
from kube_twisted.testing.cluster import InProcessCluster
from tests.aggregator.objects import Obj, api_service
from tests.controlplane.test_shared_store import OpenBackend, SecondServer
from tests.inprocess import ClusterTestCase, keys_directory

_LABEL = "kube-aggregator.kubernetes.io/automanaged"
_DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"


def definition(*versions: str, served: bool = True) -> Obj:
    schema = {"openAPIV3Schema": {"type": "object"}}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "twins.example.com"}, "spec": {
                "group": "example.com", "scope": "Namespaced", "names": {"plural": "twins", "kind": "Twin"},
                "versions": [{"name": name, "served": served, "storage": index == 0, "schema": schema}
                             for index, name in enumerate(versions)]}}


class OrderTests(SynchronousTestCase):
    def test_order(self) -> None:
        """Groups by priority and then by the first APIService's name; versions by theirs, then as they are named."""
        services = [read(one) for one in (
            api_service("v1", "b.com"), api_service("v1beta1", "a.com"), api_service("v1", "high.com", (2000, 1)),
            api_service("v2", "high.com", (1, 1)), api_service("v1beta1", "high.com", (1, 5)),
            api_service("v2alpha1", "b.com"))]
        self.assertEqual([(group, [one.group_version.version for one in versions])
                          for group, versions in by_group(services)],
                         [("high.com", ["v1beta1", "v2", "v1"]), ("b.com", ["v1", "v2alpha1"]),
                          ("a.com", ["v1beta1"])])


class RegistrationTests(ClusterTestCase):
    def names(self) -> dict[str, str]:
        """APIServices with their labels."""
        return {one["metadata"]["name"]: one["metadata"].get("labels", {}).get(_LABEL, "")
                for one in self.ask("GET", PATH)["items"]}

    def listed(self) -> set[str]:
        return {one["name"] for one in self.ask("GET", "/apis")["groups"]}

    def aggregated(self) -> set[str]:
        document = self.send("GET", "/apis", accept=_DISCOVERY).json
        return {one["metadata"]["name"] for one in document["items"]}

    def test_builtin(self) -> None:
        """Each group-version that is served has one, the aggregator's own has none."""
        names = self.names()
        served = {f"{one['version']}.{group['name']}" for group in self.ask("GET", "/apis")["groups"]
                  for one in group["versions"]}
        self.assertEqual(set(names), served - {"v1.apiregistration.k8s.io"} | {"v1."})
        self.assertEqual(set(names.values()), {"onstart"})

    def test_builtin_is_deleted(self) -> None:
        """Who deletes a built-in one is not contradicted; the group is still served, but not listed plainly."""
        self.ask("DELETE", f"{PATH}/v1.apps")
        self.cluster.run(1)
        self.assertNotIn("v1.apps", self.names())
        self.assertNotIn("apps", self.listed())
        self.assertIn("apps", self.aggregated())
        self.assertEqual(self.ask("GET", "/apis/apps/v1/deployments")["kind"], "DeploymentList")
        self.assertEqual(self.ask("GET", "/apis/apps")["kind"], "APIGroup")

    def test_custom(self) -> None:
        """Those of custom resources come and go with served versions, and are put right and made again."""
        self.ask("POST", _DEFINITIONS, definition("v1", "v2"))
        self.cluster.run(0.1)
        self.assertEqual({name for name, label in self.names().items() if label == "true"},
                         {"v1.example.com", "v2.example.com"})
        self.merge(f"{PATH}/v1.example.com", {"spec": {"versionPriority": 7}})
        self.ask("DELETE", f"{PATH}/v2.example.com")
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", f"{PATH}/v1.example.com")["spec"]["versionPriority"], 100)
        self.assertIn("v2.example.com", self.names())
        versions = self.ask("GET", f"{_DEFINITIONS}/twins.example.com")["spec"]["versions"]
        versions[1]["served"] = False
        self.merge(f"{_DEFINITIONS}/twins.example.com", {"spec": {"versions": versions}})
        self.cluster.run(0.1)
        self.assertNotIn("v2.example.com", self.names())
        self.ask("DELETE", f"{_DEFINITIONS}/twins.example.com")
        self.cluster.run(0.1)
        self.assertNotIn("v1.example.com", self.names())
        self.assertNotIn("example.com", self.listed())

    def test_without_label(self) -> None:
        """Whoever takes the label off an APIService has it for himself."""
        self.ask("POST", _DEFINITIONS, definition("v1"))
        self.cluster.run(0.1)
        self.merge(f"{PATH}/v1.example.com", {"metadata": {"labels": None}, "spec": {"versionPriority": 7}})
        self.ask("DELETE", f"{_DEFINITIONS}/twins.example.com")
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", f"{PATH}/v1.example.com")["spec"]["versionPriority"], 7)

    def test_local_of_nobody(self) -> None:
        """An APIService without a Service is available, and listed, though nobody serves it."""
        created = self.ask("POST", PATH, api_service("v1", "nobody.com"))
        self.assertEqual(created["status"]["conditions"][0]["reason"], "Local")
        self.assertIn("nobody.com", self.listed())
        answer = self.send("GET", "/apis/nobody.com/v1")
        self.assertEqual((answer.code, answer.body), (404, b"404 page not found\n"))

    def test_becomes_local(self) -> None:
        """One that loses its Service is available at once."""
        self.ask("POST", PATH, api_service("v1", "nobody.com", service={"namespace": "default", "name": "web"}))
        self.cluster.run(0.1)
        condition = self.ask("GET", f"{PATH}/v1.nobody.com")["status"]["conditions"][0]
        self.assertEqual((condition["status"], condition["reason"]), ("False", "ServiceNotFound"))
        self.merge(f"{PATH}/v1.nobody.com", {"spec": {"service": None}})
        self.cluster.run(0.1)
        condition = self.ask("GET", f"{PATH}/v1.nobody.com")["status"]["conditions"][0]
        self.assertEqual((condition["status"], condition["reason"]), ("True", "Local"))

    def test_metrics(self) -> None:
        """Which APIServices are unavailable is measured."""
        self.ask("POST", PATH, api_service("v1", "nobody.com", service={"namespace": "default", "name": "web"}))
        self.cluster.run(0.1)
        text = self.send("GET", "/metrics", accept="*/*").body.decode()
        self.assertIn('aggregator_unavailable_apiservice{name="v1.nobody.com"} 1.0', text)
        self.assertIn('aggregator_unavailable_apiservice{name="v1.apps"} 0.0', text)

    def test_stale(self) -> None:
        """What another server serves that is not there is stale in the aggregated document; its group is listed."""
        self.ask("POST", PATH, api_service("v1", "nobody.com", service={"namespace": "default", "name": "web"}))
        self.cluster.run(0.1)
        document = self.send("GET", "/apis", accept=_DISCOVERY).json
        found = next(one for one in document["items"] if one["metadata"]["name"] == "nobody.com")
        self.assertEqual(found["versions"], [{"version": "v1", "freshness": "Stale"}])
        self.assertIn("nobody.com", self.listed())
        self.assertEqual(self.send("GET", "/apis/nobody.com/v1/things").body, b"service unavailable\n")

    def test_takes_over(self) -> None:
        """A group-version that this server serves itself can be given to another one, and taken back."""
        spec = {"spec": {"service": {"namespace": "default", "name": "web"}}}
        self.merge(f"{PATH}/v1.apps", spec)
        self.assertEqual(self.send("GET", "/apis/apps/v1/deployments").code, 503)
        self.merge(f"{PATH}/v1.apps", {"spec": {"service": None}})
        self.assertEqual(self.send("GET", "/apis/apps/v1/deployments").code, 200)

    def test_own_group(self) -> None:
        """The aggregator's own group can't be given away."""
        self.ask("POST", PATH, api_service("v1", "apiregistration.k8s.io", service={
            "namespace": "default", "name": "web"}))
        self.assertEqual(self.send("GET", PATH).code, 200)


class NextServerTests(ClusterTestCase):
    """A server that starts on a store with APIServices in it."""

    def start_other(self) -> None:
        self.patch(completed, "open_backend", lambda *_: OpenBackend(self.cluster.server.backend))
        reactor = self.cluster.reactor
        other = SecondServer(completed.complete(load_config(None, {
            "storage.backend": "memory", "controllers": [], "server.bindAddress": "127.0.0.1",
            "dataDirectory": str(keys_directory())}), reactor), reactor)
        self.cluster.result(other.start())
        self.addCleanup(lambda: self.cluster.result(other.stop()))

    def test_nothing_written(self) -> None:
        """All that is as it should be stays as it is."""
        before = self.ask("GET", PATH)["items"]
        self.start_other()
        self.assertEqual(self.ask("GET", PATH)["items"], before)

    def test_put_right(self) -> None:
        """Built-in ones are made again, and corrected; what an older server has left goes; what others made stays."""
        self.ask("DELETE", f"{PATH}/v1.apps")
        self.merge(f"{PATH}/v1.batch", {"spec": {"versionPriority": 7}})
        for name, labels in (("old.com", {_LABEL: "onstart"}), ("older.com", {_LABEL: "true"}), ("mine.com", {})):
            obj = api_service("v1", name)
            obj["metadata"]["labels"] = labels
            self.ask("POST", PATH, obj)
        self.start_other()
        names = {one["metadata"]["name"] for one in self.ask("GET", PATH)["items"]}
        self.assertTrue({"v1.apps", "v1.mine.com"} <= names)
        self.assertEqual(names & {"v1.old.com", "v1.older.com"}, set())
        self.assertEqual(self.ask("GET", f"{PATH}/v1.batch")["spec"]["versionPriority"], 15)


class EndTests(SynchronousTestCase):
    def test_nothing_is_left(self) -> None:
        """At the end no check is under way, and no timer runs."""
        cluster = InProcessCluster({}, keys_directory())
        cluster.start()
        cluster.ask("POST", "/api/v1/namespaces/default/services", {"metadata": {"name": "web"}, "spec": {
            "type": "LoadBalancer", "ports": [{"port": 443}]}})
        cluster.ask("POST", PATH, api_service("v1", "other.com", insecureSkipTLSVerify=True, service={
            "namespace": "default", "name": "web"}))
        cluster.run(1)
        self.assertTrue(cluster.reactor.tcpClients)
        cluster.stop()
        self.assertEqual(cluster.reactor.getDelayedCalls(), [])


class DisabledTests(SynchronousTestCase):
    def test_disabled(self) -> None:
        """Without the group of APIServices all is listed that is served."""
        cluster = InProcessCluster({"runtimeConfig": {"apiregistration.k8s.io/v1": False}}, keys_directory())
        cluster.start()
        self.addCleanup(cluster.stop)
        self.assertIn("apps", {one["name"] for one in cluster.ask("GET", "/apis")["groups"]})
