"""What is made sure after admission."""

from __future__ import annotations

from twisted.trial import unittest

from kube_twisted.schema.apply.guards import keep_times, restore_invalid
from tests.schema.apply.kinds import LATER, entries, entry, thing

OWNED = {"f:data": {"f:a": {}}}


class RestoreTests(unittest.SynchronousTestCase):
    """Admission may not leave malformed entries."""

    def test_malformed(self) -> None:
        """Malformed entries are undone, with a warning."""
        obj = thing(metadata={"managedFields": [entry("x", OWNED, "Wrong")]})
        warning = restore_invalid([entry("a", OWNED)], obj)
        self.assertEqual(entries(obj), [entry("a", OWNED)])
        self.assertEqual(
            warning,
            ".metadata.managedFields was in an invalid state after admission; this could be "
            "caused by an outdated mutating admission controller; please fix your requests: "
            "operation must be `Apply` or `Update`",
        )

    def test_none_before(self) -> None:
        """Where there were none there are none again."""
        obj = thing(metadata={"managedFields": [entry("x", OWNED, "Wrong")]})
        restore_invalid(None, obj)
        self.assertEqual(obj, thing())

    def test_good(self) -> None:
        """Good entries stay as admission left them."""
        obj = thing(metadata={"managedFields": [entry("x", OWNED)]})
        self.assertIsNone(restore_invalid([], obj))
        self.assertEqual(entries(obj), [entry("x", OWNED)])

    def test_empty(self) -> None:
        """An empty list is none."""
        obj = thing(metadata={"managedFields": []})
        self.assertIsNone(restore_invalid([entry("a", OWNED)], obj))
        self.assertEqual(obj, thing())


class KeepTimesTests(unittest.SynchronousTestCase):
    """New times alone are no change."""

    def test_only_times(self) -> None:
        """Equal objects get the old times."""
        old = thing(metadata={"managedFields": [entry("a", OWNED)]})
        new = thing(metadata={"managedFields": [entry("a", OWNED, time=LATER)]})
        keep_times(old, new)
        self.assertEqual(new, old)

    def test_real_changes(self) -> None:
        """Other changes, in the object or in the entries, keep the new times."""
        old = thing(metadata={"managedFields": [entry("a", OWNED)]})
        for new in (
            thing(data={"a": "1"}, metadata={"managedFields": [entry("a", OWNED, time=LATER)]}),
            thing(metadata={"managedFields": [entry("b", OWNED, time=LATER)]}),
            thing(metadata={"managedFields": [entry("a", OWNED, time=LATER), entry("b", OWNED, time=LATER)]}),
        ):
            keep_times(old, new)
            self.assertEqual(entries(new)[0]["time"], LATER)
