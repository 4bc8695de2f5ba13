"""The graph of dependents: what it asks for, by what it is told."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.controllers.garbage.graph import Graph, Node, Wishes
from kube_twisted.controlplane.controllers.garbage.references import Identity, Reference, Seen


def identity(uid: str, namespace: str = "ns", name: str = "") -> Identity:
    return Identity("ConfigMap", "v1", namespace, name or uid, uid)


def reference(uid: str, blocks: bool = False, name: str = "") -> Reference:
    return Reference("v1", "ConfigMap", name or uid, uid, blocks)


class GraphTests(SynchronousTestCase):
    """A graph whose wishes are recorded."""

    def setUp(self) -> None:
        self.wishes: list[str] = []
        self.graph = Graph(Wishes(
            lambda uid: self.wishes.append(f"delete {uid}"), lambda uid: self.wishes.append(f"later {uid}"),
            lambda uid: self.wishes.append(f"orphan {uid}"),
            lambda node, uid: self.wishes.append(f"complain {node.identity.uid} {uid}")))

    def tell(self, uid: str, *owners: Reference, deleting: str = "", namespace: str = "ns", name: str = "") -> None:
        """An object is there; ``deleting`` is ``orphan``, ``foreground`` or ``plain``."""
        self.graph.changed(Seen(identity(uid, namespace, name), owners, bool(deleting), deleting == "orphan",
                                deleting == "foreground"))

    def wished(self) -> list[str]:
        """What was wished since the last time."""
        wishes, self.wishes[:] = sorted(self.wishes), []
        return wishes

    def node(self, uid: str) -> Node:
        return self.graph.nodes[uid]

    def family(self) -> None:
        """A dependent ``b`` of an owner ``a`` that waits for it."""
        self.tell("b", reference("a", blocks=True))
        self.tell("a")
        self.wished()

    def test_plain(self) -> None:
        """Objects without owners and dependents cost nothing."""
        self.tell("a")
        self.assertEqual((self.graph.nodes, self.wished()), ({}, []))

    def test_unseen_owner(self) -> None:
        """An owner that is named before it is seen is looked up."""
        self.tell("b", reference("a"))
        self.assertEqual((self.node("a").virtual, self.wished()), (True, ["delete a"]))
        self.tell("a")
        self.assertEqual((self.node("a").virtual, self.wished()), (False, []))

    def test_owner_gone(self) -> None:
        """When the owner is gone, its dependents are looked at, and it is known to be absent."""
        self.family()
        self.graph.deleted(identity("a"))
        self.assertEqual((self.wished(), identity("a") in self.graph.absent), (["delete b"], True))
        self.assertNotIn("a", self.graph.nodes)

    def test_dependent_gone(self) -> None:
        """When the last dependent is gone, the owner is forgotten as well."""
        self.family()
        self.graph.deleted(identity("b"))
        self.assertEqual((self.graph.nodes, self.wished()), ({}, []))

    def test_unknown_gone(self) -> None:
        """The end of an object that was of no concern is of none."""
        self.graph.deleted(identity("x"))
        self.graph.not_found(identity("x"))
        self.assertEqual(self.wished(), [])

    def test_foreground(self) -> None:
        """Foreground deletion looks at the dependents and the owner, once; and at the owner when one is gone."""
        self.family()
        for _ in range(2):
            self.tell("a", deleting="foreground")
        self.assertEqual((self.wished(), self.node("a").deleting_dependents), (["delete a", "delete b"], True))
        self.graph.deleted(identity("b"))
        self.assertEqual(self.wished(), ["delete a"])

    def test_orphan(self) -> None:
        """Orphaning deletion sets the dependents free, once."""
        self.family()
        for _ in range(2):
            self.tell("a", deleting="orphan")
        self.assertEqual(self.wished(), ["orphan a"])

    def test_waiting_without_dependents(self) -> None:
        """An owner that nobody names is let go, too."""
        self.tell("a", deleting="foreground")
        self.tell("b", deleting="orphan")
        self.assertEqual(self.wished(), ["delete a", "orphan b"])

    def test_unblocked(self) -> None:
        """An owner is looked at when a dependent no longer blocks it, or no longer names it."""
        self.family()
        self.assertEqual([one.identity.uid for one in self.node("a").blocking_dependents()], ["b"])
        self.tell("b", reference("a"))
        self.assertEqual((self.wished(), self.node("a").blocking_dependents()), (["delete a"], []))
        self.tell("b", reference("a", blocks=True))
        self.assertEqual(self.wished(), [])
        self.tell("b")
        self.assertEqual((self.wished(), self.graph.nodes), (["delete a"], {}))

    def test_changed_owner(self) -> None:
        """A new owner is looked up, the old one forgotten."""
        self.family()
        self.tell("b", reference("c"))
        self.assertEqual((self.wished(), sorted(self.graph.nodes)), (["delete a", "delete c"], ["b", "c"]))

    def test_other_namespace(self) -> None:
        """An owner in another namespace is complained about, whoever is seen first, and the dependent looked at."""
        self.family()
        self.tell("c", reference("a"), namespace="other")
        self.assertEqual(self.wished(), ["complain c a", "delete c"])
        self.tell("d", reference("e"), namespace="other")
        self.wished()
        self.tell("e")
        self.assertEqual(self.wished(), ["complain d e", "delete d"])

    def test_wrong_name(self) -> None:
        """A dependent that names its owner wrongly is looked at, whoever is seen first."""
        self.family()
        self.tell("c", reference("a", name="wrong"))
        self.assertEqual(self.wished(), ["delete c"])
        self.tell("d", reference("e", name="wrong"))
        self.wished()
        self.tell("e")
        self.assertEqual((self.wished(), self.node("e").identity), (["delete d"], identity("e")))

    def test_cluster_owner(self) -> None:
        """An owner of the cluster may have dependents anywhere."""
        self.tell("b", reference("a"))
        self.tell("a", namespace="")
        self.wished()
        self.tell("c", reference("a"), namespace="other")
        self.assertEqual(self.wished(), [])

    def test_not_found(self) -> None:
        """An owner that the server does not know is absent, and its dependents are looked at."""
        self.tell("b", reference("a"))
        self.wished()
        self.graph.not_found(identity("a"))
        self.assertEqual((self.wished(), identity("a") in self.graph.absent), (["delete b"], True))

    def test_another_name(self) -> None:
        """An owner that is not there under one name is looked up under the other that a dependent uses."""
        self.tell("b", reference("a", name="one"))
        self.tell("c", reference("a", name="two"))
        self.wished()
        self.graph.not_found(identity("a", name="one"))
        self.assertEqual((self.wished(), self.node("a").identity), (["delete b", "later a"], identity("a", name="two")))
        self.assertIn(identity("a", name="one"), self.graph.absent)

    def test_wrong_name_not_found(self) -> None:
        """That there is no object of a wrong name says nothing about the owner that was seen."""
        self.family()
        self.tell("c", reference("a", name="wrong"))
        self.wished()
        self.graph.not_found(identity("a", name="wrong"))
        self.assertEqual((self.wished(), self.node("a").virtual), (["delete c"], False))

    def test_listed(self) -> None:
        """What a list does not show may be gone: it is looked up, and not taken for gone before."""
        self.family()
        self.graph.listed(("", "ConfigMap"), frozenset({"b"}))
        self.assertEqual((self.wished(), self.node("a").virtual), (["delete a"], True))
        self.graph.listed(("", "Secret"), frozenset())
        self.assertEqual(self.wished(), [])

    def test_concerns(self) -> None:
        """Events of objects without owners, finalizers or dependents need not be read."""
        self.assertFalse(self.graph.concerns(b'{"metadata":{"uid":"a"}}'))
        self.assertTrue(self.graph.concerns(b'{"metadata":{"uid":"b","ownerReferences":[]}}'))
        self.assertTrue(self.graph.concerns(b'{"metadata":{"uid":"b","finalizers":[]}}'))
        self.family()
        self.assertTrue(self.graph.concerns(b'{"metadata":{"uid":"a"}}'))
        self.assertFalse(self.graph.concerns(b'{"metadata":{"uid":"z"}}'))
