"""Persistent volumes and claims."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.core import persistentvolume, persistentvolumeclaim
from tests.registry.resources import CONTEXT, StrategyTestCase

VOLUME: dict[str, Any] = {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                          "hostPath": {"path": "/data"}}
CLAIM: dict[str, Any] = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}


class PersistentVolumeTests(StrategyTestCase):
    api = "v1/PersistentVolume"
    strategy = persistentvolume.STRATEGY

    def test_defaults(self) -> None:
        """A volume is kept, holds files, and is pending until something binds it."""
        made = self.created(spec=VOLUME)
        self.assertEqual(made["spec"]["persistentVolumeReclaimPolicy"], "Retain")
        self.assertEqual(made["spec"]["volumeMode"], "Filesystem")
        self.assertEqual(made["status"]["phase"], "Pending")
        self.assertEqual(made["spec"]["hostPath"], {"path": "/data", "type": ""})

    def test_required(self) -> None:
        """Capacity, access modes and one source are needed."""
        self.assertEqual(self.errors(spec={}), [
            "spec.accessModes: Required value", "spec.capacity: Required value",
            'spec.capacity: Unsupported value: null: supported values: "storage"',
            "spec: Required value: must specify a volume type"])

    def test_one_source(self) -> None:
        """A volume has one source."""
        errors = self.errors(spec=VOLUME | {"nfs": {"server": "s", "path": "/"}})
        self.assertEqual(len(errors), 1)
        self.assertIn("Forbidden: may not specify more than 1 volume type", errors[0])

    def test_single_pod_mode(self) -> None:
        """A mode for a single pod is of CSI volumes and excludes others."""
        errors = self.errors(spec=VOLUME | {"accessModes": ["ReadWriteOnce", "ReadWriteOncePod"]})
        self.assertEqual(errors, ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access "
                                  "modes"])

    def test_source_is_fixed(self) -> None:
        """Where the data is never changes; its size may."""
        old = self.created(spec=VOLUME)
        self.assertEqual(self.update_errors(old, spec=VOLUME | {"capacity": {"storage": "2Gi"}}), [])
        errors = self.update_errors(old, spec=VOLUME | {"hostPath": {"path": "/other"}})
        self.assertTrue(errors[0].startswith("spec.persistentvolumesource: Forbidden: "
                                             "spec.persistentvolumesource is immutable after creation"))

    def test_source_is_shown_whole(self) -> None:
        """The difference shows every field of a source, as the original's internal form has it."""
        old = self.created(spec=VOLUME)
        errors = self.update_errors(old, spec=VOLUME | {"csi": {"driver": "d", "volumeHandle": "h"}})
        self.assertIn('+ "CSI": {\n+  "Driver": "d",\n+  "VolumeHandle": "h",\n+  "ReadOnly": false,\n'
                      '+  "FSType": "",\n', errors[-1])

    def test_affinity_is_fixed(self) -> None:
        """Only labels that have newer names may be renamed."""
        def volume(key: str) -> dict[str, Any]:
            term = {"matchExpressions": [{"key": key, "operator": "In", "values": ["a"]}]}
            return VOLUME | {"nodeAffinity": {"required": {"nodeSelectorTerms": [term]}}}

        old = self.created(spec=volume("failure-domain.beta.kubernetes.io/zone"))
        self.assertEqual(self.update_errors(old, spec=volume("topology.kubernetes.io/zone")), [])
        errors = self.update_errors(old, spec=volume("topology.kubernetes.io/region"))
        self.assertEqual(len(errors), 1)
        self.assertIn('nodeAffinity: Invalid value: {"Required":{"NodeSelectorTerms":[{"MatchExpressions":'
                      '[{"Key":"topology.kubernetes.io/region"', errors[0])

    def test_recycle_is_deprecated(self) -> None:
        """Recycling warns."""
        made = self.created(spec=VOLUME | {"persistentVolumeReclaimPolicy": "Recycle"})
        self.assertEqual(self.strategy.warnings_on_create(CONTEXT, made), [
            "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the "
            "recommended approach is to use dynamic provisioning."])


class PersistentVolumeClaimTests(StrategyTestCase):
    api = "v1/PersistentVolumeClaim"
    strategy = persistentvolumeclaim.STRATEGY

    def test_defaults(self) -> None:
        """A claim is for files, and pending once it is read from the store: admission sees no phase."""
        made = self.created(spec=CLAIM)
        self.assertEqual((made["spec"]["volumeMode"], made["status"]), ("Filesystem", {}))
        self.strategy.default_as_read(made)
        self.assertEqual(made["status"], {"phase": "Pending"})

    def test_required(self) -> None:
        """Access modes and a size are needed; a size is positive."""
        self.assertEqual(self.errors(spec={}), ["spec.accessModes: Required value: at least 1 access mode is "
                                                "required", "spec.resources[storage]: Required value"])
        nothing = CLAIM | {"resources": {"requests": {"storage": "0"}}}
        self.assertEqual(self.errors(spec=nothing),
                         ['spec.resources[storage]: Invalid value: "0": must be greater than zero'])

    def test_growth(self) -> None:
        """A bound claim grows and never shrinks."""
        old = self.created(spec=CLAIM | {"volumeName": "v"})
        old["status"] = {"phase": "Bound", "capacity": {"storage": "1Gi"}}
        bigger = CLAIM | {"volumeName": "v", "resources": {"requests": {"storage": "2Gi"}}}
        smaller = CLAIM | {"volumeName": "v", "resources": {"requests": {"storage": "1Mi"}}}
        self.assertEqual(self.update_errors(old, spec=bigger), [])
        errors = self.update_errors(old, spec=smaller)
        self.assertEqual(errors, ["spec.resources.requests.storage: Forbidden: field can not be less than "
                                  "status.capacity"])

    def test_spec_is_fixed(self) -> None:
        """Nothing else of a claim changes, and the answer shows the difference."""
        old = self.created(spec=CLAIM)
        errors = self.update_errors(old, spec=CLAIM | {"accessModes": ["ReadOnlyMany"]})
        self.assertEqual(len(errors), 1)
        self.assertIn("spec: Forbidden: spec is immutable after creation except resources.requests and "
                      "volumeAttributesClassName for bound claims", errors[0])
        self.assertIn('"ReadOnlyMany"', errors[0])

    def test_selector_is_shown_in_order(self) -> None:
        """Labels come before expressions in the difference."""
        one = {"key": "k", "operator": "Exists"}
        errors = self.update_errors(self.created(spec=CLAIM), spec=CLAIM | {
            "selector": {"matchExpressions": [one], "matchLabels": {"a": "b"}}})
        self.assertIn('+ "Selector": {\n+  "matchLabels": {\n+   "a": "b"\n+  },\n+  "matchExpressions": [',
                      errors[0])

    def test_data_sources_mirror(self) -> None:
        """The older data source and the newer one say the same."""
        source = {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}
        made = self.created(spec=CLAIM | {"dataSource": source})
        self.assertEqual(made["spec"]["dataSourceRef"], source)
        made = self.created(spec=CLAIM | {"dataSourceRef": source})
        self.assertEqual(made["spec"]["dataSource"], source)
