"""Tests of the strategies of Deployments and ReplicaSets."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.apps import deployment, replicaset
from tests.registry.apps.workloads import errors_of, update, workload


class DeploymentTests(SynchronousTestCase):
    """Deployments."""

    def test_defaults(self) -> None:
        """One replica, rolled out by quarters."""
        spec = workload(deployment.STRATEGY)["spec"]
        self.assertEqual({key: spec[key] for key in spec if key not in ("selector", "template")}, {
            "replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600,
            "strategy": {"type": "RollingUpdate",
                         "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}})
        self.assertEqual(workload(deployment.STRATEGY)["status"], {})

    def test_recreate(self) -> None:
        """Another strategy gets no rolling update, and may have none."""
        self.assertEqual(workload(deployment.STRATEGY, strategy={"type": "Recreate"})["spec"]["strategy"],
                         {"type": "Recreate"})
        self.assertEqual(errors_of(deployment.STRATEGY, strategy={"type": "Recreate", "rollingUpdate": {}}), [
            "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is "
            "'Recreate'"])

    def test_selector(self) -> None:
        """There is a selector, not an empty one."""
        mismatch = ('spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match '
                    "template `labels`")
        self.assertEqual(errors_of(deployment.STRATEGY, selector=None),
                         ["spec.selector: Required value", mismatch])
        self.assertEqual(errors_of(deployment.STRATEGY, selector={}),
                         ["spec.selector: Invalid value: {}: empty selector is invalid for deployment"])
        self.assertEqual(errors_of(deployment.STRATEGY,
                                   selector={"matchExpressions": [{"key": "a", "operator": "Is"}]}), [
            'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
            'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Is"}]}: invalid label '
            "selector"])

    def test_numbers(self) -> None:
        """Counts are not negative; the deadline is later than being ready."""
        self.assertEqual(errors_of(deployment.STRATEGY, replicas=-1, minReadySeconds=9,
                                   progressDeadlineSeconds=9,
                                   revisionHistoryLimit=-1), [
            "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
            "spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
            "spec.progressDeadlineSeconds: Invalid value: 9: must be greater than minReadySeconds"])

    def test_rolling_update(self) -> None:
        """Something moves at each step; percentages are ones."""
        path = "spec.strategy.rollingUpdate"
        for unavailable, surge, wanted in (
                (0, "0%", [f"{path}.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0"]),
                ("101%", 1, [f'{path}.maxUnavailable: Invalid value: "101%": must not be greater than 100%']),
                (1, "x", [f'{path}.maxSurge: Invalid value: "x": a valid percent string must be a numeric '
                          'string followed '
                           "by an ending '%' (e.g. '1%',  or '93%', regex used for validation is "
                           "'[0-9]+%')"])):
            rolling = {"maxUnavailable": unavailable, "maxSurge": surge}
            self.assertEqual(errors_of(deployment.STRATEGY,
                                       strategy={"type": "RollingUpdate", "rollingUpdate": rolling}),
                             wanted)

    def test_unknown_strategy(self) -> None:
        """An unknown strategy is shown in its internal form."""
        self.assertEqual(errors_of(deployment.STRATEGY, strategy={"type": "Slow"}), [
            'spec.strategy: Unsupported value: {"Type":"Slow","RollingUpdate":null}: supported values: '
            '"Recreate", "RollingUpdate"'])

    def test_selector_is_fixed(self) -> None:
        """A Deployment keeps its selector."""
        old = workload(deployment.STRATEGY)
        new = copy.deepcopy(old)
        new["spec"]["selector"] = {"matchLabels": {"app": "b"}}
        new["spec"]["template"]["metadata"]["labels"] = {"app": "b"}
        self.assertEqual(update(deployment.STRATEGY, new, old),
                         ['spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable'])

    def test_generation(self) -> None:
        """Annotations make a new generation, labels do not."""
        old = workload(deployment.STRATEGY)
        new = copy.deepcopy(old)
        new["metadata"]["labels"] = {"a": "b"}
        self.assertFalse(deployment.STRATEGY.generation_changed(new, old))
        new["metadata"]["annotations"] = {"a": "b"}
        self.assertTrue(deployment.STRATEGY.generation_changed(new, old))

    def test_status_keeps_labels(self) -> None:
        """The status endpoint leaves labels alone; collisions only grow."""
        old = workload(deployment.STRATEGY) | {"status": {"collisionCount": 2}}
        new = copy.deepcopy(old) | {"status": {"collisionCount": 1, "replicas": 1, "availableReplicas": 1}}
        new["metadata"]["labels"] = {"a": "b"}
        self.assertEqual(update(deployment.STATUS, new, old), [
            "status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas",
            "status.collisionCount: Invalid value: 1: cannot be decremented"])
        self.assertNotIn("labels", new["metadata"])


class RollbackAnnotationTests(SynchronousTestCase):
    """``deprecated.deployment.rollback.revision`` was a field once."""

    def annotations(self, text: str, **more: str) -> dict[str, str] | None:
        obj = workload(deployment.STRATEGY)
        obj["metadata"]["annotations"] = {"deprecated.deployment.rollback.revision": text, **more}
        deployment.STRATEGY.default(obj)
        found: dict[str, str] | None = obj["metadata"].get("annotations")
        return found

    def test_normalized(self) -> None:
        """It is written as numbers are; an empty one goes."""
        self.assertEqual(self.annotations("+007"), {"deprecated.deployment.rollback.revision": "7"})
        self.assertEqual(self.annotations("", a="b"), {"a": "b"})
        self.assertIsNone(self.annotations(""))

    def test_refused(self) -> None:
        """A text that is no number: 400."""
        error = self.assertRaises(StatusError, self.annotations, "last")
        self.assertEqual((error.code, error.message), (
            400, 'Deployment in version "v1" cannot be handled as a Deployment: failed to parse '
                 "annotation[deprecated.deployment.rollback.revision]=last as int64: strconv.ParseInt: parsing "
                 '"last": invalid syntax'))


class ReplicaSetTests(SynchronousTestCase):
    """ReplicaSets."""

    def test_defaults(self) -> None:
        """One replica, none of them there yet."""
        obj = workload(replicaset.STRATEGY)
        self.assertEqual((obj["spec"]["replicas"], obj["status"]), (1, {"replicas": 0}))

    def test_status(self) -> None:
        """Counts are at most that of all replicas."""
        old = workload(replicaset.STRATEGY)
        new = copy.deepcopy(old) | {"status": {"replicas": 1, "fullyLabeledReplicas": 2}}
        self.assertEqual(update(replicaset.STATUS, new, old), [
            "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas"])
