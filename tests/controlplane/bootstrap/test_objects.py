"""The objects that are always there: namespaces, ServiceCIDR, Service, PriorityClasses, flow control."""

from __future__ import annotations

from typing import Any

from kube_twisted.storage.interfaces import Create, Delete
from kube_twisted.testing.cluster import InProcessCluster
from tests.inprocess import NAMESPACE, ClusterTestCase, keys_directory

_CIDR = "/apis/networking.k8s.io/v1/servicecidrs/kubernetes"
_SERVICE = f"{NAMESPACE}/services/kubernetes"
_FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1"
_AUTO_UPDATE = "apf.kubernetes.io/autoupdate-spec"
_CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses"


class ObjectCase(ClusterTestCase):
    def remove(self, *keys: str) -> None:
        """Take keys out of the store, past the server."""
        store = self.cluster.server.backend.store
        for key in keys:
            entry = self.cluster.result(store.get(key))
            assert entry is not None
            self.cluster.result(store.transact([Delete(key, entry.revision)]))

    def names(self, path: str) -> list[str]:
        return sorted(one["metadata"]["name"] for one in self.ask("GET", path)["items"])

    def later(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.cluster.run(0.2)

    def successor(self, **overrides: Any) -> InProcessCluster:
        """A server with other settings that finds the same objects, not started."""
        cluster = InProcessCluster(overrides, keys_directory())
        self.addCleanup(cluster.stop)
        page = self.cluster.result(self.cluster.server.backend.store.list_entries("/registry/"))
        store = cluster.server.backend.store
        cluster.result(store.start())
        for entry in page.entries:
            cluster.result(store.transact([Create(entry.key, entry.value)]))
        return cluster


class StartTests(ObjectCase):
    def test_second_start_writes_nothing(self) -> None:
        """A server that finds everything as it should be leaves it so."""
        self.cluster.run(0.2)
        again = self.successor()
        before = again.server.backend.store.current_revision
        again.start()
        again.clock.advance(61)
        again.run(0.2)
        self.assertEqual(again.server.backend.store.current_revision, before)

    def test_checks(self) -> None:
        """Each hook of the start is a health check."""
        text = self.send("GET", "/readyz?verbose").body.decode()
        for name in ("start-system-namespaces-controller", "start-service-ip-repair-controllers",
                     "start-kubernetes-service-cidr-controller", "bootstrap-controller",
                     "priority-and-fairness-config-producer", "scheduling/bootstrap-system-priority-classes",
                     "start-cluster-authentication-info-controller"):
            self.assertIn(f"[+]poststarthook/{name} ok\n", text)


class NamespaceTests(ObjectCase):
    def test_kept(self) -> None:
        """The four namespaces are there, and again a minute after one of them is lost."""
        all_four = ["default", "kube-node-lease", "kube-public", "kube-system"]
        self.assertEqual(self.names("/api/v1/namespaces"), all_four)
        self.remove("/registry/namespaces/kube-public", "/registry/namespaces/default")
        self.later(60)
        self.assertEqual(self.names("/api/v1/namespaces"), all_four)


class ServiceCIDRTests(ObjectCase):
    def condition(self) -> dict[str, Any]:
        [condition] = self.ask("GET", _CIDR)["status"]["conditions"]
        return {key: condition[key] for key in ("type", "status", "message")}

    def test_kept(self) -> None:
        """It is ready from the start, and made again when it is lost."""
        ready = {"type": "Ready", "status": "True", "message": "Kubernetes default Service CIDR is ready"}
        self.assertEqual(self.condition(), ready)
        self.ask("DELETE", _CIDR)
        self.later(10)
        self.assertEqual(self.condition(), ready)
        self.assertEqual(self.ask("GET", _CIDR)["spec"]["cidrs"], ["10.0.0.0/24"])

    def test_not_ready(self) -> None:
        """What somebody else says about it stays."""
        condition = {"type": "Ready", "status": "False", "reason": "r", "message": "m",
                     "lastTransitionTime": "2026-01-01T00:00:00Z"}
        self.merge(f"{_CIDR}/status", {"status": {"conditions": [condition]}})
        self.later(10)
        self.assertEqual(self.condition()["status"], "False")

    def test_second_family(self) -> None:
        """A second range is added when the settings get one."""
        other = self.successor(**{"services.secondaryClusterIPRange": "fd00::/112"})
        other.start()
        self.assertEqual(other.ask("GET", _CIDR)["spec"]["cidrs"], ["10.0.0.0/24", "fd00::/112"])

    def test_other_range(self) -> None:
        """Another range in the settings changes nothing."""
        other = self.successor(**{"services.clusterIPRange": "10.7.0.0/24"})
        other.start()
        self.assertEqual(other.ask("GET", _CIDR)["spec"]["cidrs"], ["10.0.0.0/24"])
        self.assertEqual(other.ask("GET", _SERVICE)["spec"]["clusterIP"], "10.0.0.1")


class KubernetesServiceTests(ObjectCase):
    def test_kept(self) -> None:
        """It has the first address of the range, also when it is made again."""
        def shown() -> tuple[Any, ...]:
            service = self.ask("GET", _SERVICE)
            spec = service["spec"]
            return spec["clusterIP"], spec["ports"], service["metadata"]["labels"]

        port = {"name": "https", "port": 443, "protocol": "TCP", "targetPort": 6443}
        wanted = ("10.0.0.1", [port], {"component": "apiserver", "provider": "kubernetes"})
        self.assertEqual(shown(), wanted)
        self.ask("DELETE", _SERVICE)
        self.later(10)
        self.assertEqual(shown(), wanted)

    def test_changed(self) -> None:
        """What is made of it stays."""
        self.merge(_SERVICE, {"metadata": {"labels": {"a": "b"}}, "spec": {"sessionAffinity": "ClientIP"}})
        self.later(10)
        self.assertEqual(self.ask("GET", _SERVICE)["spec"]["sessionAffinity"], "ClientIP")

    def test_address_of_another(self) -> None:
        """When somebody takes its address first, the server goes on, and tries again."""
        self.ask("DELETE", _SERVICE)
        self.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "thief"}, "spec": {
            "clusterIP": "10.0.0.1", "ports": [{"port": 80}]}})
        self.later(10)
        self.assertEqual(self.names(f"{NAMESPACE}/services"), ["thief"])
        self.ask("DELETE", f"{NAMESPACE}/services/thief")
        self.later(10)
        self.assertEqual(self.names(f"{NAMESPACE}/services"), ["kubernetes"])


class PriorityClassTests(ObjectCase):
    def test_values(self) -> None:
        """The two classes of the system, of which one may be moved."""
        self.assertEqual({one["metadata"]["name"]: one["value"] for one in self.ask("GET", _CLASSES)["items"]}, {
            "system-node-critical": 2000001000, "system-cluster-critical": 2000000000})


class FlowControlTests(ObjectCase):
    def spec(self, path: str) -> dict[str, Any]:
        spec: dict[str, Any] = self.ask("GET", f"{_FLOW}/{path}")["spec"]
        return spec

    def annotation(self, path: str) -> str | None:
        annotations = self.ask("GET", f"{_FLOW}/{path}")["metadata"].get("annotations", {})
        return annotations.get(_AUTO_UPDATE)  # type: ignore[no-any-return]

    def test_all(self) -> None:
        """Mandatory and suggested objects are there, and every level that a schema names."""
        levels = self.names(f"{_FLOW}/prioritylevelconfigurations")
        schemas = self.ask("GET", f"{_FLOW}/flowschemas")["items"]
        self.assertEqual((len(levels), len(schemas)), (8, 11))
        self.assertLessEqual({one["spec"]["priorityLevelConfiguration"]["name"] for one in schemas}, set(levels))

    def test_kept(self) -> None:
        """What is deleted comes back, mandatory or suggested."""
        for path in ("flowschemas/exempt", "flowschemas/probes", "prioritylevelconfigurations/system"):
            self.ask("DELETE", f"{_FLOW}/{path}")
        self.later(60)
        for path in ("flowschemas/exempt", "flowschemas/probes", "prioritylevelconfigurations/system"):
            self.assertEqual(self.annotation(path), "true")

    def test_changed_by_chance(self) -> None:
        """A suggested spec is put back as long as the annotation says so."""
        path, before = "prioritylevelconfigurations/workload-low", self.spec("prioritylevelconfigurations/workload-low")
        self.merge(f"{_FLOW}/{path}", {"spec": {"limited": {"nominalConcurrencyShares": 7}}})
        self.later(60)
        self.assertEqual(self.spec(path), before)

    def test_changed_on_purpose(self) -> None:
        """With ``false``, or with neither annotation nor first generation, it stays, and the annotation says so."""
        path = "prioritylevelconfigurations/workload-low"
        for text in ("false", None):
            self.merge(f"{_FLOW}/{path}", {"metadata": {"annotations": {_AUTO_UPDATE: text}},
                                           "spec": {"limited": {"nominalConcurrencyShares": 7}}})
            self.later(60)
            self.assertEqual((self.spec(path)["limited"]["nominalConcurrencyShares"], self.annotation(path)),
                             (7, "false"))

    def test_mandatory(self) -> None:
        """A mandatory object is put right, whatever it says."""
        path = "prioritylevelconfigurations/exempt"
        self.merge(f"{_FLOW}/{path}", {"metadata": {"annotations": {_AUTO_UPDATE: "false"}},
                                       "spec": {"exempt": {"lendablePercent": 50}}})
        self.later(60)
        self.assertEqual((self.spec(path)["exempt"]["lendablePercent"], self.annotation(path)), (0, "true"))

    def test_outdated(self) -> None:
        """An object with the annotation that is none of the server's is removed; others stay."""
        spec = self.spec("prioritylevelconfigurations/system")
        for name, text in (("old", "true"), ("mine", "false"), ("plain", None)):
            self.ask("POST", f"{_FLOW}/prioritylevelconfigurations", {
                "metadata": {"name": name, "annotations": {_AUTO_UPDATE: text} if text else {}}, "spec": spec})
        self.later(60)
        names = self.names(f"{_FLOW}/prioritylevelconfigurations")
        self.assertEqual([name in names for name in ("old", "mine", "plain")], [False, True, True])
