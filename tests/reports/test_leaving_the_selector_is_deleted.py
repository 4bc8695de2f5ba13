"""python-client#2228: a label was removed, and the watcher saw DELETED. That is right."""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase


class SelectorTests(ClusterTestCase):
    def test_leave_and_enter(self) -> None:
        """An object that loses its label is DELETED to that watcher, and ADDED when it gets it back."""
        self.config_map("a", {"app": "web"})
        watching = self.watch(f"{CONFIG_MAPS}?labelSelector=app%3Dweb")
        everybody = self.watch(CONFIG_MAPS)
        watching.take(), everybody.take()
        self.merge(f"{CONFIG_MAPS}/a", {"metadata": {"labels": {"app": None}}})
        self.merge(f"{CONFIG_MAPS}/a", {"metadata": {"labels": {"app": "web"}}})
        self.assertEqual(watching.names(), [("DELETED", "a"), ("ADDED", "a")])
        self.assertEqual(everybody.names(), [("MODIFIED", "a"), ("MODIFIED", "a")])
