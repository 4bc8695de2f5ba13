"""Core events: free in form, unless they are of the new kind."""

from __future__ import annotations

from kube_twisted.registry.core import event
from tests.registry.resources import StrategyTestCase


class EventTests(StrategyTestCase):
    api = "v1/Event"
    strategy = event.STRATEGY

    def test_namespace(self) -> None:
        """An event is in the namespace of its object; those of cluster objects are in the default one."""
        metadata = {"name": "e", "namespace": "ns"}
        self.assertEqual(self.errors(metadata=metadata, involvedObject={"kind": "Pod", "namespace": "ns"}), [])
        self.assertEqual(self.errors(metadata=metadata, involvedObject={"kind": "Pod", "namespace": "other"}),
                         ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'])

    def test_finalizers(self) -> None:
        """Those of events need no domain."""
        self.assertFalse(self.strategy.strict_finalizers)

    def test_new_events(self) -> None:
        """An event with eventTime says who reports what about which action."""
        errors = self.errors(metadata={"name": "e", "namespace": "default"}, eventTime="2026-01-01T00:00:00.000000Z",
                             involvedObject={"kind": "Node", "name": "n"})
        self.assertEqual(errors[0], "reportingComponent: Required value")
        self.assertEqual(errors[-3:], ["reportingInstance: Required value", "action: Required value",
                                       "reason: Required value"])

    def test_selection(self) -> None:
        """Events are selected by what they are about, and by their source."""
        made = self.created(involvedObject={"kind": "Pod", "name": "p"}, source={"component": "c"},
                            reason="R", type="Normal")
        fields = self.strategy.selectable_fields(made)
        self.assertEqual({name: value for name, value in fields.items() if value},
                         {"involvedObject.kind": "Pod", "involvedObject.name": "p", "reason": "R",
                          "source": "c", "type": "Normal"})
        self.assertEqual(set(fields), self.strategy.field_labels)
