"""kubernetes#74105: a CustomResourceDefinition was deleted, and the watches of its objects stayed open and mute."""

from __future__ import annotations

from tests.apiextensions.widgets import API, WIDGET_CRD, WIDGETS, CustomCase, version


class DeletedDefinitionTests(CustomCase):
    def setUp(self) -> None:
        super().setUp()
        self.define()

    def test_watches_end(self) -> None:
        """They tell of the objects that go with the definition, and then they end, in all namespaces and in one."""
        self.widget("a")
        watches = [self.watch(path) for path in (WIDGETS, f"{API}/v1/widgets")]
        self.assertEqual([one.names() for one in watches], [[("ADDED", "a")]] * 2)
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertEqual([one.names() for one in watches], [[("DELETED", "a")]] * 2)
        self.assertEqual([one.ended for one in watches], [True, True])

    def test_again(self) -> None:
        """The same definition, made again, serves new watches; nothing of the old one's objects is seen there."""
        self.widget("a")
        old = self.watch(WIDGETS)
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertTrue(self.missing(WIDGETS))
        self.define()
        new = self.watch(WIDGETS)
        self.widget("b")
        old.take()
        self.widget("c")
        self.assertEqual(new.names(), [("ADDED", "b"), ("ADDED", "c")])
        self.assertEqual(old.take(), [])

    def test_other_scope(self) -> None:
        """Made again, it may have another scope and other versions."""
        self.widget("a")
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.define(version("v2"), scope="Cluster")
        self.assertTrue(self.missing(WIDGETS))
        new = self.watch(f"{API}/v2/widgets")
        self.ask("POST", f"{API}/v2/widgets", {"apiVersion": "example.com/v2", "kind": "Widget",
                                               "metadata": {"name": "b"}})
        self.assertEqual(new.names(), [("ADDED", "b")])
