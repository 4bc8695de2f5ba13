"""Which objects a list or watch is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.selection import Selection
from tests.storage.objects import cached


def is_web(labels: Mapping[str, str]) -> bool:
    return labels.get("app") == "web"


class SelectionTests(SynchronousTestCase):
    """Namespace, name, labels and fields all have to fit."""

    def test_everything(self) -> None:
        """Without conditions every object is meant; a namespace alone still means everything in it."""
        self.assertTrue(Selection().everything)
        self.assertTrue(Selection().matches(cached("a", namespace="any")))
        self.assertTrue(Selection("ns").everything)
        self.assertFalse(Selection("ns").matches(cached("a", namespace="other")))

    def test_name(self) -> None:
        """A name means one object, in any namespace unless one is given."""
        selection = Selection(name="a")
        self.assertFalse(selection.everything)
        self.assertEqual([selection.matches(cached(name)) for name in ("a", "b")], [True, False])
        self.assertFalse(Selection("other", "a").matches(cached("a")))

    def test_labels(self) -> None:
        """Labels are those of the object as it is."""
        selection = Selection(labels=is_web)
        self.assertTrue(selection.matches(cached("a", {"app": "web"})))
        self.assertFalse(selection.matches(cached("a", {"app": "db"})))
        self.assertFalse(selection.matches(cached("a")))

    def test_fields(self) -> None:
        """Fields are what the resource computes, and name and namespace of every object."""
        selection = Selection(fields=lambda fields: fields == {
            "status.phase": "Running", "metadata.name": "a", "metadata.namespace": "ns"},
            fields_of=lambda obj: {"status.phase": obj["phase"]})
        self.assertTrue(selection.matches(cached("a", phase="Running")))
        self.assertFalse(selection.matches(cached("a", phase="Failed")))
        self.assertFalse(selection.matches(cached("b", phase="Running")))

    def test_fields_without_any_of_its_own(self) -> None:
        """A resource without selectable fields has name and namespace."""
        selection = Selection(fields=lambda fields: fields["metadata.namespace"] == "ns")
        self.assertTrue(selection.matches(cached("a")))

    def test_fields_are_computed_once(self) -> None:
        """The fields of an object are computed once, for all watchers."""
        asked = []

        def fields_of(obj: dict[str, Any]) -> dict[str, str]:
            asked.append(obj["metadata"]["name"])
            return {}

        item = cached("a")
        for _ in range(3):
            Selection(fields=lambda fields: True, fields_of=fields_of).matches(item)
        self.assertEqual(asked, ["a"])

    def test_all_conditions(self) -> None:
        """One condition that does not hold is enough."""
        selection = Selection("ns", "a", is_web, lambda fields: fields["metadata.name"] == "a")
        self.assertTrue(selection.matches(cached("a", {"app": "web"})))
        for other in (cached("b", {"app": "web"}), cached("a"), cached("a", {"app": "web"}, "x")):
            self.assertFalse(selection.matches(other))
