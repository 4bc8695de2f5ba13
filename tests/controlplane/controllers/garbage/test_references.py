"""Names of objects and of their owners."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.controlplane.controllers.discovery import Resource
from kube_twisted.controlplane.controllers.garbage.references import (
    AbsentOwners,
    Identity,
    Reference,
    another_name,
    seen,
)

PODS = Resource("", "v1", "pods", "Pod", True, frozenset(), True)


def identity(name: str, kind: str = "Pod", namespace: str = "ns", version: str = "v1", uid: str = "u") -> Identity:
    return Identity(kind, version, namespace, name, uid)


class SeenTests(SynchronousTestCase):
    """What is read from an object."""

    def test_plain(self) -> None:
        """Most objects are of no concern."""
        state = seen(PODS, {"metadata": {"name": "p", "namespace": "ns", "uid": "u"}})
        self.assertEqual((state.identity, state.matters), (identity("p"), False))

    def test_owners(self) -> None:
        """Owners are read with whether they wait."""
        reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "r", "uid": "o"}
        state = seen(PODS, {"metadata": {"name": "p", "uid": "u", "ownerReferences": [
            reference, {**reference, "uid": "p", "blockOwnerDeletion": True}]}})
        self.assertEqual(state.owners, (
            Reference("apps/v1", "ReplicaSet", "r", "o"), Reference("apps/v1", "ReplicaSet", "r", "p", True)))
        self.assertTrue(state.matters)

    def test_finalizers(self) -> None:
        """Finalizers count only once the object is deleted."""
        meta = {"name": "p", "uid": "u", "finalizers": ["foregroundDeletion"]}
        self.assertFalse(seen(PODS, {"metadata": meta}).foreground)
        deleted = seen(PODS, {"metadata": {**meta, "deletionTimestamp": "2026-01-01T00:00:00Z"}})
        self.assertEqual((deleted.deleting, deleted.foreground, deleted.orphaning), (True, True, False))


class AnotherNameTests(SynchronousTestCase):
    """Other objects that a uid might mean."""

    def test_next(self) -> None:
        """They are tried in turn, and after the last comes the first again."""
        names = [("ns", Reference("v1", "Pod", name, "u")) for name in "cab"]
        self.assertEqual(another_name(identity("a"), names), identity("b"))
        self.assertEqual(another_name(identity("c"), names), identity("a"))

    def test_none(self) -> None:
        """When all mean the same, there is no other."""
        self.assertIsNone(another_name(identity("a"), [("ns", Reference("v1", "Pod", "a", "u"))]))

    def test_cluster(self) -> None:
        """A kind that is known to be of the cluster has no namespace under any name."""
        names = [("ns", Reference("v1", "Node", name, "u")) for name in "ab"]
        self.assertEqual(another_name(identity("a", "Node", ""), names), identity("b", "Node", ""))


class AbsentOwnersTests(SynchronousTestCase):
    """The memory of owners that do not exist."""

    def test_forgets(self) -> None:
        """It keeps those that were used last."""
        absent = AbsentOwners(2)
        absent.add(identity("a"))
        absent.add(identity("b"))
        self.assertIn(identity("a"), absent)
        absent.add(identity("c"))
        self.assertEqual([identity(one) in absent for one in "abc"], [True, False, True])
