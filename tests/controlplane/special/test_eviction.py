"""Tests for kube_twisted.controlplane.special.eviction and its budgets."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.controlplane.special.cluster import Answer, Cluster

POD = "/api/v1/namespaces/ns/pods/p"
BUDGETS = "/apis/policy/v1/namespaces/ns/poddisruptionbudgets"
READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
UNREADY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]}


class EvictionTests(SynchronousTestCase):
    """POST to ``pods/eviction``."""

    def setUp(self) -> None:
        self.cluster = Cluster()

    def running(self, status: dict[str, Any] = READY) -> None:
        self.cluster.make_pod("p", status, {"labels": {"app": "db"}}, nodeName="n")

    def budget(self, status: dict[str, Any], name: str = "b", **spec: Any) -> None:
        made = self.cluster.make(
            BUDGETS, name, spec={"minAvailable": 1, "selector": {"matchLabels": {"app": "db"}}, **spec})
        full = {"observedGeneration": 1, "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1,
                "expectedPods": 1, **status}
        answer = self.cluster.ask("PUT", f"{BUDGETS}/{name}/status", {**made, "status": full})
        self.assertEqual(answer.code, 200)

    def evict(self, query: str = "", name: str = "p", **more: Any) -> Answer:
        return self.cluster.post(f"{POD}/eviction{query}", {"metadata": {"name": name}, **more})

    def cause(self, answer: Answer) -> str:
        message: str = answer.body["details"]["causes"][0]["message"]
        return message

    def test_without_budget(self) -> None:
        """The pod starts to end, and its status says why."""
        self.running()
        self.assertEqual(self.evict().code, 201)
        pod = self.cluster.get(POD).body
        self.assertEqual(pod["metadata"]["deletionGracePeriodSeconds"], 30)
        self.assertEqual(pod["status"]["conditions"][-1]["reason"], "EvictionByEvictionAPI")

    def test_budget_is_counted(self) -> None:
        """An allowed disruption is taken from the budget, which remembers the pod and its manager."""
        self.running()
        self.budget({"disruptionsAllowed": 1, "currentHealthy": 2})
        self.cluster.reactor.advance(60)
        self.assertEqual(self.evict(deleteOptions={"gracePeriodSeconds": 7}).code, 201)
        budget = self.cluster.get(f"{BUDGETS}/b").body
        status = budget["status"]
        self.assertEqual((status["disruptionsAllowed"], list(status["disruptedPods"])), (0, ["p"]))
        self.assertEqual(status["conditions"][0]["reason"], "InsufficientPods")
        self.assertEqual(budget["metadata"]["managedFields"][-1]["manager"], "kube-apiserver")
        self.assertEqual(self.cluster.get(POD).body["metadata"]["deletionGracePeriodSeconds"], 7)

    def test_dry_run_counts_nothing(self) -> None:
        """A dry run asks the budget and leaves all as it is."""
        self.running()
        self.budget({"disruptionsAllowed": 1})
        self.assertEqual(self.evict("?dryRun=All").code, 201)
        self.assertEqual(self.cluster.get(f"{BUDGETS}/b").body["status"]["disruptionsAllowed"], 1)
        self.assertNotIn("deletionTimestamp", self.cluster.get(POD).body["metadata"])

    def test_spent_budget(self) -> None:
        """429 with the budget's numbers, and no time after which to try again."""
        self.running()
        self.budget({})
        answer = self.evict()
        self.assertEqual((answer.code, answer.body["reason"]), (429, "TooManyRequests"))
        self.assertEqual(answer.headers, {})
        self.assertEqual(self.cause(answer), "The disruption budget b needs 1 healthy pods and has 1 currently")

    def test_budget_not_yet_observed(self) -> None:
        """429 for ten seconds while the budget's controller lags behind."""
        self.running()
        self.budget({"observedGeneration": 0, "disruptionsAllowed": 5})
        answer = self.evict()
        self.assertEqual((answer.code, answer.headers["Retry-After"]), (429, "10"))
        self.assertEqual(answer.body["details"]["retryAfterSeconds"], 10)
        self.assertIn("still being processed", self.cause(answer))

    def test_failed_sync(self) -> None:
        """A budget whose controller failed says so."""
        self.running()
        self.budget({"conditions": [{"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed",
                                     "message": "oh", "lastTransitionTime": "2026-01-01T00:00:00Z"}]})
        self.assertIn("failed sync: oh", self.cause(self.evict()))

    def test_pending_pod_needs_no_budget(self) -> None:
        """A pod that does not run yet goes at once."""
        self.cluster.make_pod("p", metadata={"labels": {"app": "db"}})
        self.budget({})
        self.assertEqual(self.evict().code, 201)
        self.assertEqual(self.cluster.get(POD).code, 404)

    def test_unhealthy_pod_of_healthy_application(self) -> None:
        """A pod that is not ready is not counted when enough others are."""
        self.running(UNREADY)
        self.budget({})
        self.assertEqual(self.evict().code, 201)
        self.assertNotIn("disruptedPods", self.cluster.get(f"{BUDGETS}/b").body["status"])

    def test_unhealthy_pod_of_disrupted_application(self) -> None:
        """It is guarded when the application lacks pods, unless the budget always allows it."""
        self.running(UNREADY)
        self.budget({"currentHealthy": 0})
        self.assertEqual(self.evict().code, 429)

    def test_always_allow(self) -> None:
        """``AlwaysAllow`` lets unhealthy pods go."""
        self.running(UNREADY)
        self.budget({"currentHealthy": 0}, unhealthyPodEvictionPolicy="AlwaysAllow")
        self.assertEqual(self.evict().code, 201)

    def test_two_budgets(self) -> None:
        """Several budgets over one pod are not supported: 500."""
        self.running()
        self.budget({}, "one")
        self.budget({}, "two")
        self.assertEqual(self.evict().code, 500)

    def test_precondition(self) -> None:
        """Another uid in the DeleteOptions: 409, and the pod stays."""
        self.running()
        self.assertEqual(self.evict(deleteOptions={"preconditions": {"uid": "other"}}).code, 409)
        self.assertNotIn("deletionTimestamp", self.cluster.get(POD).body["metadata"])

    def test_older_version_is_accepted(self) -> None:
        """Clients may send a policy/v1beta1 Eviction."""
        self.running()
        self.assertEqual(self.evict(apiVersion="policy/v1beta1", kind="Eviction").code, 201)

    def test_refused(self) -> None:
        """Wrong name 400, missing pod 404, an unsafe option 422."""
        self.assertEqual(self.evict(name="q").code, 400)
        self.assertEqual(self.evict().code, 404)
        unsafe = {"ignoreStoreReadErrorWithClusterBreakingPotential": True}
        self.assertEqual(self.evict(deleteOptions=unsafe).code, 422)
