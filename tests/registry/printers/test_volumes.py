"""What Tables say about PersistentVolumes and PersistentVolumeClaims."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, CREATED, cell, cells, named

BETA_CLASS = {"annotations": {"volume.beta.kubernetes.io/storage-class": "old"}}


class PersistentVolumeTests(SynchronousTestCase):
    def test_bound(self) -> None:
        """Access modes are short, in one order, each once; the claim is named with its namespace."""
        obj = named("pv", spec={
            "capacity": {"storage": "2Gi"}, "accessModes": ["ReadWriteMany", "ReadOnlyMany", "ReadWriteMany"],
            "persistentVolumeReclaimPolicy": "Delete", "claimRef": {"namespace": "ns", "name": "c"},
            "storageClassName": "fast", "volumeMode": "Block", "volumeAttributesClassName": "gold",
        }, status={"phase": "Bound", "reason": "why"})
        self.assertEqual(cells("", "persistentvolumes", obj),
                         ["pv", "2Gi", "ROX,RWX", "Delete", "Bound", "ns/c", "fast", "gold", "why", AGE,
                          "Block"])

    def test_bare(self) -> None:
        """What is not set has a value of its own per column."""
        self.assertEqual(cells("", "persistentvolumes", named("pv")),
                         ["pv", "0", "", "", "", "", "", "<unset>", "", AGE, "<unset>"])

    def test_deleting(self) -> None:
        """A volume that is being deleted is terminating, whatever its phase."""
        obj = named(metadata={"deletionTimestamp": CREATED}, status={"phase": "Bound"})
        self.assertEqual(cell("", "persistentvolumes", "Status", obj), "Terminating")

    def test_class_annotation(self) -> None:
        """The annotation that came before the field wins over it."""
        obj = named(metadata=BETA_CLASS, spec={"storageClassName": "new"})
        self.assertEqual(cell("", "persistentvolumes", "StorageClass", obj), "old")
        self.assertEqual(cell("", "persistentvolumeclaims", "StorageClass", obj), "old")


class PersistentVolumeClaimTests(SynchronousTestCase):
    def test_bound(self) -> None:
        """A bound claim shows what it got."""
        obj = named("c", spec={"volumeName": "pv-1", "storageClassName": "other", "volumeMode": "Filesystem"},
                    status={"phase": "Bound", "capacity": {"storage": "1Gi"},
                            "accessModes": ["ReadWriteOncePod"]})
        self.assertEqual(cells("", "persistentvolumeclaims", obj),
                         ["c", "Bound", "pv-1", "1Gi", "RWOP", "other", "<unset>", AGE, "Filesystem"])

    def test_volume_not_yet_bound(self) -> None:
        """A claim that names its volume has a capacity of 0 until it got one."""
        obj = named("c", spec={"volumeName": "pv-x"}, status={"phase": "Pending"})
        self.assertEqual(cells("", "persistentvolumeclaims", obj)[1:5], ["Pending", "pv-x", "0", ""])

    def test_without_volume(self) -> None:
        """Without a volume, capacity and access modes are empty, also if a status has them."""
        obj = named("c", status={"phase": "Lost", "capacity": {"storage": "1Gi"},
                                 "accessModes": ["ReadWriteOnce"]})
        self.assertEqual(cells("", "persistentvolumeclaims", obj)[1:5], ["Lost", "", "", ""])
