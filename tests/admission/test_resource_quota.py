"""ResourceQuota: what fits, what is charged, and races."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from twisted.internet.defer import Deferred

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.plugins import ResourceQuota
from kube_twisted.api.errors import StatusError
from tests.admission.world import AdmissionTestCase, Obj, container, pod


def priced(name: str = "p", cpu: str = "100m", **spec: Any) -> Obj:
    return pod(name, [container("a", resources={"requests": {"cpu": cpu}})], **spec)


def claim(size: str, storage_class: str = "gold") -> Obj:
    return {"metadata": {"name": "c", "resourceVersion": "1"},
            "spec": {"storageClassName": storage_class, "resources": {"requests": {"storage": size}}}}


class QuotaTestCase(AdmissionTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.writes = 0
        self.waiting: list[Deferred[None]] | None = None
        self.plugin = ResourceQuota(self.world, self.clock, self.write_status)

    def quota(self, hard: Obj, used: Obj | None = None, name: str = "q", **spec: Any) -> None:
        status = {"hard": hard, "used": used if used is not None else dict.fromkeys(hard, "0")}
        self.world.add("", "resourcequotas", {
            "metadata": {"name": name, "namespace": "ns", "resourceVersion": "1"}, "spec": spec, "status": status})

    def used(self, name: str = "q") -> Obj:
        used: Obj = self.world.objects["", "resourcequotas", "ns", name]["status"]["used"]
        return used

    async def write_status(self, quota: Obj) -> Obj:
        """As the API server does it: refused unless the version is the one that is stored."""
        if self.waiting is not None:
            self.waiting.append(Deferred())
            await self.waiting[-1]
        stored = self.world.peek("", "resourcequotas", "ns", quota["metadata"]["name"])
        if stored is None:
            raise StatusError(404, "NotFound", "the object is gone")
        current = stored["metadata"]["resourceVersion"]
        if quota["metadata"]["resourceVersion"] != current:
            raise StatusError(409, "Conflict", "the object has been modified")
        self.writes += 1
        written = deepcopy(quota)
        written["metadata"]["resourceVersion"] = str(int(current) + 1)
        self.world.add("", "resourcequotas", written)
        return written

    def problem(self, attributes: Attributes) -> str:
        return self.refusal(self.plugin.validate, attributes).message.partition("forbidden: ")[2]


class ChargeTests(QuotaTestCase):
    def test_charges_what_fits(self) -> None:
        """A new pod's number and requests are added to what is used, a second one that is too much is refused."""
        self.quota({"pods": "2", "requests.cpu": "1", "count/pods": "5"})
        self.validate(self.plugin, self.write(priced(cpu="600m")))
        self.assertEqual(self.used(), {"pods": "1", "requests.cpu": "600m", "count/pods": "1"})
        self.assertEqual(self.problem(self.write(priced(cpu="600m"))),
                         "exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, "
                         "limited: requests.cpu=1")
        self.assertEqual(self.used(), {"pods": "1", "requests.cpu": "600m", "count/pods": "1"})

    def test_every_quota_must_have_room(self) -> None:
        """When one of several quotas has no room, none is charged."""
        self.quota({"pods": "9"}, name="a")
        self.quota({"pods": "0"}, name="b")
        self.assertIn("exceeded quota: b", self.problem(self.write(pod())))
        self.assertEqual((self.used("a"), self.writes), ({"pods": "0"}, 0))

    def test_dry_run(self) -> None:
        """A dry run is checked but not charged."""
        self.quota({"pods": "1"})
        self.validate(self.plugin, self.write(pod(), dry_run=True))
        self.assertEqual(self.writes, 0)
        self.quota({"pods": "0"})
        self.assertIn("exceeded quota", self.problem(self.write(pod(), dry_run=True)))

    def test_requests_must_be_said(self) -> None:
        """Where CPU or memory is limited, every container says how much it wants, or the pod does for all."""
        self.quota({"requests.cpu": "1", "limits.memory": "1Gi", "requests.ephemeral-storage": "1Gi"})
        self.assertEqual(self.problem(self.write(pod(containers=[container("b"), container("a")]))),
                         "failed quota: q: must specify limits.memory for: a,b; requests.cpu for: a,b")
        self.validate(self.plugin, self.write(pod(resources={"requests": {"cpu": "1"}})))

    def test_unknown_usage(self) -> None:
        """Until the usage has been counted, nothing is let through."""
        self.quota({"pods": "1", "count/configmaps": "1"}, {})
        self.assertEqual(self.problem(self.write(pod())), "status unknown for quota: q, resources: pods")

    def test_object_counts(self) -> None:
        """Any resource can be counted, a few also under an old name."""
        self.quota({"count/configmaps": "1", "configmaps": "5", "count/deployments.apps": "0"})
        obj = {"metadata": {"name": "c"}}
        self.validate(self.plugin, self.write(obj, "configmaps"))
        self.assertEqual(self.used()["configmaps"], "1")
        self.assertIn("count/configmaps=1", self.problem(self.write(obj, "configmaps")))
        self.assertIn("count/deployments.apps=1", self.problem(self.write(obj, "deployments", group="apps")))
        self.validate(self.plugin, self.write(obj, "configmaps", old=obj))

    def test_services(self) -> None:
        """Node ports and load balancers count by what a Service asks for; a change of type is charged."""
        self.quota({"services": "2", "services.nodeports": "2", "services.loadbalancers": "1"})
        ports = [{"port": 1}, {"port": 2}]
        plain = {"metadata": {"name": "s", "resourceVersion": "1"}, "spec": {"type": "ClusterIP", "ports": ports}}
        balanced = {"metadata": {"name": "s"}, "spec": {"type": "LoadBalancer", "ports": ports}}
        self.validate(self.plugin, self.write(plain, "services"))
        self.validate(self.plugin, self.write(balanced, "services", old=plain))
        self.assertEqual(self.used(), {"services": "1", "services.nodeports": "2", "services.loadbalancers": "1"})
        quiet = {"metadata": {"name": "t"}, "spec": {"type": "LoadBalancer", "ports": ports,
                                                     "allocateLoadBalancerNodePorts": False}}
        self.assertEqual(self.problem(self.write(quiet, "services")),
                         "exceeded quota: q, requested: services.loadbalancers=1, used: services.loadbalancers=1, "
                         "limited: services.loadbalancers=1")

    def test_claims(self) -> None:
        """Claims count in all and by class; growing is charged, shrinking gives nothing back."""
        bronze = "bronze.storageclass.storage.k8s.io/persistentvolumeclaims"
        self.quota({"requests.storage": "10Gi", "gold.storageclass.storage.k8s.io/requests.storage": "8Gi",
                    bronze: "0"})
        self.validate(self.plugin, self.write(claim("3Gi"), "persistentvolumeclaims"))
        self.validate(self.plugin, self.write(claim("5Gi"), "persistentvolumeclaims", old=claim("3Gi")))
        self.validate(self.plugin, self.write(claim("1Gi"), "persistentvolumeclaims", old=claim("5Gi")))
        self.assertEqual(self.used()["requests.storage"], "5Gi")
        self.assertIn("gold.storageclass.storage.k8s.io/requests.storage=4Gi",
                      self.problem(self.write(claim("4Gi"), "persistentvolumeclaims")))
        self.assertIn(f"{bronze}=1", self.problem(self.write(claim("1", "bronze"), "persistentvolumeclaims")))

    def test_device_claims(self) -> None:
        """Devices count by class, of alternatives the most."""
        self.quota({"gpu.deviceclass.resource.k8s.io/devices": "4", "count/resourceclaims.resource.k8s.io": "9"})
        exact = {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}
        several = {"firstAvailable": [{**exact, "count": 3}, {**exact, "count": 2}]}
        obj = {"metadata": {"name": "c"}, "spec": {"devices": {"requests": [{"exactly": exact}, several]}}}
        self.validate(self.plugin, self.write(obj, "resourceclaims", group="resource.k8s.io"))
        self.assertEqual(self.used()["gpu.deviceclass.resource.k8s.io/devices"], "4")

    def test_extended_resources(self) -> None:
        """Extended resources and huge pages count by their requests."""
        self.quota({"requests.example.com/gpu": "1", "hugepages-2Mi": "4Mi"})
        needy = container("a", resources={"requests": {"example.com/gpu": "1", "hugepages-2Mi": "4Mi"}})
        self.validate(self.plugin, self.write(pod(containers=[needy])))
        self.assertEqual(self.used(), {"requests.example.com/gpu": "1", "hugepages-2Mi": "4Mi"})

    def test_scopes(self) -> None:
        """A quota with scopes counts only the pods in all of them."""
        high = {"scopeName": "PriorityClass", "operator": "In", "values": ["high"]}
        cases: list[tuple[Obj, Obj, bool]] = [
            ({"scopes": ["BestEffort"]}, pod(), True),
            ({"scopes": ["BestEffort"]}, priced(), False),
            ({"scopes": ["NotBestEffort"]}, priced(), True),
            ({"scopes": ["Terminating"]}, pod(activeDeadlineSeconds=5), True),
            ({"scopes": ["Terminating", "NotBestEffort"]}, pod(activeDeadlineSeconds=5), False),
            ({"scopes": ["NotTerminating"]}, pod(), True),
            ({"scopes": ["PriorityClass"]}, pod(), False),
            ({"scopeSelector": {"matchExpressions": [high]}}, pod(priorityClassName="high"), True),
            ({"scopeSelector": {"matchExpressions": [high]}}, pod(priorityClassName="low"), False),
            ({"scopeSelector": {"matchExpressions": [{**high, "operator": "NotIn"}]}}, pod(), True),
            ({"scopeSelector": {"matchExpressions": [{**high, "operator": "DoesNotExist"}]}}, pod(), True),
            ({"scopes": ["CrossNamespacePodAffinity"]}, pod(affinity={"podAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {"weight": 1, "podAffinityTerm": {"namespaces": ["x"]}}]}}), True),
            ({"scopes": ["CrossNamespacePodAffinity"]}, pod(), False),
        ]
        for spec, obj, counted in cases:
            with self.subTest(spec=spec, obj=obj["spec"]):
                self.quota({"pods": "0"}, **spec)
                if counted:
                    self.problem(self.write(obj))
                else:
                    self.validate(self.plugin, self.write(obj))

    def test_pod_enters_a_scope(self) -> None:
        """A pod that gets a deadline later is charged to the quota of such pods."""
        self.quota({"pods": "5"}, scopes=["Terminating"])
        old = pod()
        old["metadata"]["resourceVersion"] = "1"
        self.validate(self.plugin, self.write(pod(activeDeadlineSeconds=5), old=old))
        self.assertEqual(self.used(), {"pods": "1"})

    def test_resize(self) -> None:
        """A resize is charged by how much the pod grows, also when the old size is still in use."""
        self.quota({"requests.cpu": "1", "pods": "1"}, {"requests.cpu": "300m", "pods": "1"})
        old = priced(cpu="300m")
        old["metadata"]["resourceVersion"] = "1"
        self.validate(self.plugin, self.write(priced(cpu="500m"), old=old, subresource="resize"))
        self.assertEqual(self.used(), {"requests.cpu": "500m", "pods": "1"})
        busy = priced(cpu="100m")
        busy["status"] = {"containerStatuses": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}]}
        self.assertIn("requested: requests.cpu=1700m", self.problem(self.write(busy, old=old, subresource="resize")))

    def test_ended_pods(self) -> None:
        """A pod that has ended takes no resources, but is still an object."""
        self.quota({"pods": "0", "count/pods": "1"})
        ended = pod()
        ended["status"] = {"phase": "Succeeded"}
        self.validate(self.plugin, self.write(ended))
        self.assertEqual(self.used(), {"pods": "0", "count/pods": "1"})

    def test_not_counted(self) -> None:
        """Events, other namespaces and cluster-scoped objects are no quota's business."""
        self.quota({"count/events": "0", "count/nodes": "0"})
        obj = {"metadata": {"name": "x"}}
        self.validate(self.plugin, self.write(obj, "events"))
        self.validate(self.plugin, self.write(obj, "nodes", namespace=""))
        self.validate(self.plugin, self.write(obj, "nodes", namespace="other"))


class RaceTests(QuotaTestCase):
    def start(self, number: int) -> list[Deferred[None]]:
        return [Deferred.fromCoroutine(self.plugin.validate(self.write(pod(f"p{index}")))) for index in range(number)]

    def finish_writes(self) -> None:
        while self.waiting:
            self.waiting.pop(0).callback(None)

    def test_never_exceeded(self) -> None:
        """Of many clients at once only as many get through as there is room for, in two writes."""
        self.quota({"pods": "5"})
        self.waiting = []
        results = self.start(20)
        self.finish_writes()
        outcomes = [self.failureResultOf(one) if _failed(one) else self.successResultOf(one) for one in results]
        self.assertEqual(sum(one is None for one in outcomes), 5)
        self.assertEqual((self.used(), self.writes), ({"pods": "5"}, 2))

    def test_other_server_was_faster(self) -> None:
        """When the quota has changed in between it is read and checked again."""
        self.quota({"pods": "2"})
        self.waiting = []
        (result,) = self.start(1)
        self.quota({"pods": "2"}, {"pods": "1"})
        self.world.objects["", "resourcequotas", "ns", "q"]["metadata"]["resourceVersion"] = "7"
        self.finish_writes()
        self.successResultOf(result)
        self.assertEqual(self.used(), {"pods": "2"})

    def test_other_server_took_the_rest(self) -> None:
        """What no longer fits then is refused."""
        self.quota({"pods": "1"})
        self.waiting = []
        (result,) = self.start(1)
        self.quota({"pods": "1"}, {"pods": "1"})
        self.world.objects["", "resourcequotas", "ns", "q"]["metadata"]["resourceVersion"] = "7"
        self.finish_writes()
        self.assertEqual(self.failureResultOf(result, StatusError).value.code, 403)

    def test_quota_deleted_meanwhile(self) -> None:
        """A quota that is gone holds nobody back."""
        self.quota({"pods": "1"})
        self.waiting = []
        (result,) = self.start(1)
        self.world.objects.pop(("", "resourcequotas", "ns", "q"))
        self.finish_writes()
        self.successResultOf(result)

    def test_changes_too_fast(self) -> None:
        """After a few attempts the client is told of the conflict."""

        async def conflict(_quota: Obj) -> Obj:
            raise StatusError(409, "Conflict", "the object has been modified")

        self.quota({"pods": "1"})
        plugin = ResourceQuota(self.world, self.clock, conflict)
        self.refusal(plugin.validate, self.write(pod()), 409)

    def test_unexpected_failure(self) -> None:
        """A failure of the evaluation refuses the writes of its batch, and later ones are served again."""

        async def broken(_quota: Obj) -> Obj:
            raise RuntimeError("disk on fire")

        self.quota({"pods": "1"})
        plugin = ResourceQuota(self.world, self.clock, broken)
        self.refusal(plugin.validate, self.write(pod()), 500)
        self.refusal(plugin.validate, self.write(pod()), 500)


def _failed(result: Deferred[Any]) -> bool:
    return not isinstance(result.result, type(None))
