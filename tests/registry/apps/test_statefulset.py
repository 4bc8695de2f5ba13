"""Tests of the strategy of StatefulSets."""

from __future__ import annotations

import copy

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.registry.apps.statefulset import STATUS, STRATEGY
from tests.registry.apps.workloads import errors_of, update, workload
from tests.registry.podspec.pods import CONTEXT, Obj, container

CLAIM = {"metadata": {"name": "data"},
         "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}


class StatefulSetTests(SynchronousTestCase):
    """StatefulSets."""

    def test_defaults(self) -> None:
        """One pod after the other; claims stay; claim templates say what they are."""
        obj = workload(STRATEGY, volumeClaimTemplates=[CLAIM])
        spec = obj["spec"]
        self.assertEqual({key: spec[key] for key in spec if key not in ("selector", "template")}, {
            "replicas": 1, "podManagementPolicy": "OrderedReady", "revisionHistoryLimit": 10,
            "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
            "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
            "volumeClaimTemplates": [{"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                                      "metadata": {"name": "data"},
                                      "spec": CLAIM["spec"] | {"volumeMode": "Filesystem"},
                                      "status": {"phase": "Pending"}}]})
        self.assertEqual(obj["status"], {"replicas": 0, "availableReplicas": 0})

    def test_strategy_without_rolling_update(self) -> None:
        """Only a missing type makes a rolling update."""
        for given in ({"type": "RollingUpdate"}, {"type": "OnDelete"}):
            self.assertEqual(workload(STRATEGY, updateStrategy=given)["spec"]["updateStrategy"], given)

    def test_disabled_field(self) -> None:
        """maxUnavailable goes, unless it was there before."""
        strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 2}}
        obj = workload(STRATEGY, updateStrategy=strategy)
        self.assertEqual(obj["spec"]["updateStrategy"]["rollingUpdate"], {"partition": 0})
        old, new = copy.deepcopy(obj), copy.deepcopy(obj)
        for one in (old, new):
            one["spec"]["updateStrategy"]["rollingUpdate"]["maxUnavailable"] = 2
        self.assertEqual(update(STRATEGY, new, old), [])
        self.assertEqual(new["spec"]["updateStrategy"]["rollingUpdate"]["maxUnavailable"], 2)

    def test_name_is_a_label(self) -> None:
        """Pods are named after it, with a number."""
        self.assertEqual(STRATEGY.validate_name("a.b", False), ["must not contain dots"])

    def test_metadata_of_pods(self) -> None:
        """Labels and annotations of the template are looked at twice."""
        template = {"metadata": {"labels": {"app": "a"}, "annotations": {"Bad Key!": "x"}},
                    "spec": {"containers": [container()]}}
        errors = errors_of(STRATEGY, template=template)
        self.assertEqual([error.split(": ")[0] for error in errors], ["spec.template.annotations"] * 2)

    def test_policies(self) -> None:
        """Unknown policies are refused."""
        self.assertEqual(errors_of(STRATEGY, podManagementPolicy="Any", updateStrategy={"type": "Odd"},
                                   persistentVolumeClaimRetentionPolicy={"whenDeleted": "Keep"}), [
            "spec.podManagementPolicy: Invalid value: \"Any\": must be 'OrderedReady' or 'Parallel'",
            'spec.updateStrategy: Invalid value: {"Type":"Odd","RollingUpdate":null}: must be '
            "'RollingUpdate' or 'OnDelete'",
            'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported '
            'values: "Retain", "Delete"'])

    def test_numbers_and_service(self) -> None:
        """Counts are not negative, the Service has a label for a name."""
        found = errors_of(STRATEGY, ordinals={"start": -1}, serviceName="a.b",
                          updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": -1}})
        self.assertEqual(found, [
            "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal "
            "to 0",
            "spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0",
            'spec.serviceName: Invalid value: "a.b": must not contain dots'])

    def test_claims(self) -> None:
        """Claims are checked, and can be mounted."""
        one = container(volumeMounts=[{"name": "data", "mountPath": "/d"}])
        template = {"metadata": {"labels": {"app": "a"}}, "spec": {"containers": [one]}}
        self.assertEqual(errors_of(STRATEGY, template=template, volumeClaimTemplates=[CLAIM]), [])
        self.assertEqual(errors_of(STRATEGY, volumeClaimTemplates=[{"metadata": {"name": "d"}, "spec": {}}]),
                         [
            "spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is "
            "required",
            "spec.volumeClaimTemplates[0].spec.resources[storage]: Required value"])

    def test_fixed_fields(self) -> None:
        """Most of the spec never changes."""
        old = workload(STRATEGY)
        new: Obj = copy.deepcopy(old)
        new["spec"] |= {"replicas": 3, "minReadySeconds": 5, "ordinals": {"start": 1}}
        self.assertEqual(update(STRATEGY, new, old), [])
        new["spec"]["podManagementPolicy"] = "Parallel"
        self.assertEqual(update(STRATEGY, new, old), [
            "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', "
            "'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
            "and 'minReadySeconds' are forbidden"])

    def test_warnings(self) -> None:
        """A negative history, and fractions of bytes in claims."""
        claim = copy.deepcopy(CLAIM)
        claim["spec"]["resources"] = {"requests": {"storage": "500m"}}
        found = STRATEGY.warnings_on_create(CONTEXT, workload(STRATEGY, revisionHistoryLimit=-1,
                                                              volumeClaimTemplates=[claim]))
        self.assertEqual(found, [
            'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "500m" is '
            "invalid, must be an integer",
            "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is "
            "recommended"])

    def test_status(self) -> None:
        """Counts are at most that of all replicas, and of those that are ready."""
        old = workload(STRATEGY)
        new = copy.deepcopy(old) | {"status": {"replicas": 1, "currentReplicas": 2, "availableReplicas": 1}}
        self.assertEqual(update(STATUS, new, old), [
            "status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas",
            "status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas"])
