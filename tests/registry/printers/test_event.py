"""What Tables say about Events."""

from __future__ import annotations

from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from tests.registry.printers.printing import cell, cells, named

POD = {"kind": "Pod", "name": "p", "namespace": "ns"}


def event(**fields: Any) -> dict[str, Any]:
    return named("e1", **{"type": "Normal", "reason": "Started", "involvedObject": POD, **fields})


class EventTests(SynchronousTestCase):
    def test_counted_event(self) -> None:
        """An event of the older kind has its own count, times and source; the message is trimmed."""
        obj = event(firstTimestamp="2026-05-01T10:00:00Z", lastTimestamp="2026-05-01T11:59:00Z", count=3,
                    source={"component": "kubelet", "host": "n1"}, message=" Started container\n",
                    involvedObject={**POD, "fieldPath": "spec.containers{app}"})
        self.assertEqual(cells("", "events", obj),
                         ["60s", "Normal", "Started", "pod/p", "spec.containers{app}", "kubelet, n1",
                          "Started container", "120m", 3, "e1"])

    def test_series(self) -> None:
        """Of a series, its last time and count are shown; who reports it stands in for the source."""
        obj = event(eventTime="2026-05-01T11:00:00.000000Z", reportingComponent="example.com/ctl",
                    reportingInstance="ctl-1",
                    series={"count": 4, "lastObservedTime": "2026-05-01T11:59:30.500000Z"})
        made = cells("events.k8s.io", "events", obj)
        self.assertEqual((made[0], made[5], made[7], made[8]), ("29s", "example.com/ctl, ctl-1", "60m", 4))

    def test_single_event(self) -> None:
        """An event that happened once was last seen when first seen, and counts one."""
        obj = event(eventTime="2026-05-01T11:00:00.000000Z", count=0)
        made = cells("", "events", obj)
        self.assertEqual((made[0], made[7], made[8]), ("60m", "60m", 1))

    def test_nothing_known(self) -> None:
        """Times that are not there are unknown."""
        made = cells("", "events", named("e1"))
        self.assertEqual(made, ["<unknown>", "", "", "", "", "", "", "<unknown>", 1, "e1"])

    def test_object_without_name(self) -> None:
        """The object is named by its kind in small letters, with its name when it has one."""
        self.assertEqual(cell("", "events", "Object", event(involvedObject={"kind": "Node"})), "node")
