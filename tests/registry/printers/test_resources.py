"""What Tables say about the kinds of storage.k8s.io, scheduling.k8s.io and resource.k8s.io."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import AGE, CREATED, cell, cells, named

STORAGE, SCHEDULING, RESOURCE = "storage.k8s.io", "scheduling.k8s.io", "resource.k8s.io"


class StorageTests(SynchronousTestCase):
    def test_storage_class(self) -> None:
        """A class shows how it makes volumes; what is not set is the default."""
        obj = named("c", provisioner="example.com/disk", reclaimPolicy="Retain", allowVolumeExpansion=True,
                    volumeBindingMode="WaitForFirstConsumer")
        self.assertEqual(cells(STORAGE, "storageclasses", obj),
                         ["c", "example.com/disk", "Retain", "WaitForFirstConsumer", True, AGE])
        self.assertEqual(cells(STORAGE, "storageclasses", named("c")),
                         ["c", "", "Delete", "Immediate", False, AGE])

    def test_default_storage_class(self) -> None:
        """The default class is marked, by either annotation."""
        for prefix in ("storageclass.kubernetes.io", "storageclass.beta.kubernetes.io"):
            obj = named("c", metadata={"annotations": {f"{prefix}/is-default-class": "true"}})
            self.assertEqual(cell(STORAGE, "storageclasses", "Name", obj), "c (default)")

    def test_volume_attributes_class(self) -> None:
        """A class of attributes shows its driver."""
        self.assertEqual(cells(STORAGE, "volumeattributesclasses", named("v", driverName="d")),
                         ["v", "d", AGE])

    def test_volume_attachment(self) -> None:
        """An attachment shows what is attached where."""
        obj = named("va", spec={"attacher": "d.example", "nodeName": "n",
                                "source": {"persistentVolumeName": "pv"}},
                    status={"attached": True})
        self.assertEqual(cells(STORAGE, "volumeattachments", obj), ["va", "d.example", "pv", "n", True, AGE])
        self.assertEqual(cells(STORAGE, "volumeattachments", named("va")), ["va", "", "", "", False, AGE])

    def test_csi_node(self) -> None:
        """A node shows how many drivers it has; no list at all is none."""
        self.assertEqual(cells(STORAGE, "csinodes", named("n", spec={"drivers": [{}, {}]})), ["n", 2, AGE])
        self.assertEqual(cells(STORAGE, "csinodes", named("n", spec={"drivers": None})), ["n", 0, AGE])

    def test_csi_driver(self) -> None:
        """A driver shows what it asks for; attaching is the only thing that is on by default."""
        obj = named("d", spec={"attachRequired": False, "podInfoOnMount": True, "storageCapacity": True,
                               "tokenRequests": [{"audience": "a"}, {"audience": "b"}],
                               "requiresRepublish": True,
                               "volumeLifecycleModes": ["Ephemeral", "Persistent"]})
        self.assertEqual(cells(STORAGE, "csidrivers", obj),
                         ["d", False, True, True, "a,b", True, "Ephemeral,Persistent", AGE])
        self.assertEqual(cells(STORAGE, "csidrivers", named("d")),
                         ["d", True, False, False, "<unset>", False, "<none>", AGE])


class SchedulingTests(SynchronousTestCase):
    def test_priority_class(self) -> None:
        """A class shows its value and what it may do."""
        obj = named("p", value=500, globalDefault=True, preemptionPolicy="Never")
        self.assertEqual(cells(SCHEDULING, "priorityclasses", obj), ["p", 500, True, AGE, "Never"])
        self.assertEqual(cells(SCHEDULING, "priorityclasses", named("p")), ["p", 0, False, AGE, ""])

    def test_workload(self) -> None:
        """A workload has nothing but a name and an age."""
        self.assertEqual(cells(SCHEDULING, "workloads", named("w")), ["w", AGE])

    def test_pod_group(self) -> None:
        """A group shows its policy, its workload, and how its scheduling went."""
        obj = named("g", spec={"schedulingPolicy": {"gang": {"minCount": 2}},
                               "podGroupTemplateRef": {"workload": {"workloadName": "w"}}})
        self.assertEqual(cells(SCHEDULING, "podgroups", obj), ["g", "Gang", "w", "Pending", AGE])
        basic = named("g", spec={"schedulingPolicy": {"basic": {}}})
        self.assertEqual(cells(SCHEDULING, "podgroups", basic), ["g", "Basic", "<none>", "Pending", AGE])

    def test_pod_group_status(self) -> None:
        """A disruption outweighs how scheduling went."""
        scheduled, failed = ({"type": "PodGroupScheduled", "status": one} for one in ("True", "False"))
        disrupted = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
        for conditions, status in (([scheduled], "Scheduled"), ([failed], "Unschedulable"),
                                   ([scheduled, disrupted], "PreemptionByScheduler")):
            obj = named("g", status={"conditions": conditions})
            self.assertEqual(cell(SCHEDULING, "podgroups", "Status", obj), status)


class ResourceTests(SynchronousTestCase):
    def test_named_only(self) -> None:
        """Device classes and claim templates have nothing but a name and an age."""
        for resource in ("deviceclasses", "resourceclaimtemplates"):
            self.assertEqual(cells(RESOURCE, resource, named("n")), ["n", AGE])

    def test_claim(self) -> None:
        """A claim is pending until it is allocated, then may be reserved; deletion comes first."""
        allocated: dict[str, Any] = {"allocation": {}}
        deleted = {"deletionTimestamp": CREATED}
        for obj, state in ((named("c"), "pending"),
                           (named("c", status=allocated), "allocated"),
                           (named("c", status={**allocated, "reservedFor": [{}]}), "allocated,reserved"),
                           (named("c", metadata=deleted), "deleted"),
                           (named("c", metadata=deleted, status=allocated), "deleted,allocated")):
            self.assertEqual(cells(RESOURCE, "resourceclaims", obj), ["c", state, AGE])

    def test_slice(self) -> None:
        """A slice shows where its devices are, and whose."""
        obj = named("s", spec={"nodeName": "n1", "driver": "gpu.example.com", "pool": {"name": "p"}})
        self.assertEqual(cells(RESOURCE, "resourceslices", obj), ["s", "n1", "gpu.example.com", "p", AGE])

    def test_taint_rule(self) -> None:
        """A rule shows its taint; its time is empty until it is set."""
        taint = {"key": "k", "value": "v", "effect": "NoExecute", "timeAdded": "2026-05-01T11:00:00Z"}
        self.assertEqual(cells(RESOURCE, "devicetaintrules", named("t", spec={"taint": taint})),
                         ["t", "k", "v", "NoExecute", "60m", AGE])
        del taint["timeAdded"]
        self.assertEqual(cell(RESOURCE, "devicetaintrules", "TimeAdded", named("t", spec={"taint": taint})),
                         "")


class PoolStatusTests(SynchronousTestCase):
    def request(self, status: dict[str, Any] | None = None) -> list[Any]:
        obj = named("r", spec={"driver": "d"}, **({} if status is None else {"status": status}))
        return cells(RESOURCE, "resourcepoolstatusrequests", obj)

    def test_pending(self) -> None:
        """Without a status nothing is known."""
        self.assertEqual(self.request(), ["r", "d", "-", "-", "-", "-", "-", 0, "Pending", "<none>"])

    def test_complete(self) -> None:
        """Devices are summed over the pools; a cut list of pools is told."""
        pools = [{"totalDevices": 4, "availableDevices": 2, "allocatedDevices": 1, "unavailableDevices": 1},
                 {"totalDevices": 3, "availableDevices": 3}, {"validationError": "broken"}]
        complete = {"type": "Complete", "status": "True", "lastTransitionTime": "2026-05-01T11:00:00Z"}
        self.assertEqual(self.request({"pools": pools, "poolCount": 3, "conditions": [complete]}),
                         ["r", "d", "7", "5", "1", "1", "1", 3, "Complete", "60m"])
        self.assertEqual(self.request({"pools": pools, "poolCount": 9, "conditions": [complete]})[7:9],
                         [9, "Complete (3/9 pools)"])

    def test_failed(self) -> None:
        """A failed request has no numbers and was not completed."""
        failed = {"type": "Failed", "status": "True", "lastTransitionTime": "2026-05-01T11:00:00Z"}
        self.assertEqual(self.request({"pools": [{"totalDevices": 4}], "conditions": [failed]}),
                         ["r", "d", "-", "-", "-", "-", "-", 0, "Failed", "<none>"])
