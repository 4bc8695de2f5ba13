"""``events.k8s.io`` events: complete, fixed but for their series; stored as core events."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry import events
from kube_twisted.registry.events.conversion import CONVERSIONS
from tests.registry.resources import CONTEXT, StrategyTestCase, decoded

EVENT: dict[str, Any] = {
    "metadata": {"name": "e", "namespace": "ns"}, "eventTime": "2026-01-01T00:00:00.000000Z",
    "reportingController": "example.com/c", "reportingInstance": "i", "action": "Run", "reason": "Started",
    "type": "Normal", "regarding": {"kind": "Pod", "namespace": "ns", "name": "p"}, "note": "text"}


class EventsTests(StrategyTestCase):
    api = "events.k8s.io/v1/Event"
    strategy = events.STRATEGIES["events"]

    def stored(self, **changes: Any) -> dict[str, Any]:
        return CONVERSIONS["events@v1"].to_hub(decoded(self.api, **EVENT | changes))

    def test_conversion(self) -> None:
        """Stored, the event has core's field names; read back, it is what was sent."""
        stored = self.stored()
        self.assertEqual((stored["apiVersion"], stored["message"], stored["involvedObject"]["name"]),
                         ("v1", "text", "p"))
        read = CONVERSIONS["events@v1"].from_hub(stored)
        self.assertEqual({key: read[key] for key in EVENT}, EVENT)
        self.assertEqual(read["apiVersion"], "events.k8s.io/v1")

    def test_series(self) -> None:
        """Only the series of an event changes."""
        series = {"count": 2, "lastObservedTime": "2026-01-01T00:00:01.000000Z"}
        old, new = self.stored(), self.stored(series=series)
        for obj in (old, new):
            obj["metadata"]["resourceVersion"] = "1"
        self.assertEqual(self.messages(new, old), [])
        self.assertEqual(self.messages(self.stored(reason="Other"), old),
                         ['reason: Invalid value: "Other": field is immutable'])
        self.assertEqual(self.messages(self.stored(related={"kind": "Pod"}), old), [
            'related: Invalid value: {"Kind":"Pod","Namespace":"","Name":"","UID":"","APIVersion":"",'
            '"ResourceVersion":"","FieldPath":""}: field is immutable'])

    def messages(self, new: dict[str, Any], old: dict[str, Any]) -> list[str]:
        return list(dict.fromkeys(str(one) for one in self.strategy.validate_update(CONTEXT, new, old)))
