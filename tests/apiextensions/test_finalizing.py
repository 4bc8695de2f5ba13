"""How a definition that is deleted is finished."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError, not_found
from kube_twisted.api.gvk import GroupResource
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.finalizing import Finalizer
from kube_twisted.registry.apiextensions.conditions import CLEANUP_FINALIZER, find
from kube_twisted.server.queue import RetryAfter, WorkFailed
from kube_twisted.util.clock import Clock
from tests.apiextensions.widgets import definition


class Item:
    """One object."""

    namespace = "default"

    def __init__(self, name: str) -> None:
        self.name = name


class FakeStore:
    """Objects by name; those that are held stay when they are deleted, those that are gone were there before."""

    def __init__(self, names: str, held: str = "", gone: str = "") -> None:
        self.items = {name: Item(name) for name in names}
        self.held, self.gone = held, gone
        self.deleted: list[str] = []
        self.cache = self

    async def read_revision(self) -> int:
        return 1

    def select(self, _selection: object) -> tuple[list[Item], bool, int]:
        return list(self.items.values()), False, 0

    def __len__(self) -> int:
        return len(self.items)

    async def delete(self, _write: object, name: str, _validate: object) -> None:
        self.deleted.append(name)
        if name in self.gone:
            del self.items[name]
            raise not_found(GroupResource("example.com", "widgets"), name)
        if name not in self.held:
            del self.items[name]


class FinalizerTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.written: list[dict[str, Any]] = []

    async def store_of(self, _definition: Definition) -> Any:
        return self.current

    async def write_status(self, crd: dict[str, Any]) -> dict[str, Any]:
        self.written.append(deepcopy(crd))
        return crd

    def finalize(self, store: FakeStore, established: str = "True", *finalizers: str, **more: Any) -> None:
        crd = definition(**more)
        crd["metadata"]["finalizers"] = [*finalizers, CLEANUP_FINALIZER]
        crd["status"] = {"conditions": [{"type": "Established", "status": established, "reason": "r", "message": "m"}]}

        self.current = store
        work = Finalizer(self.store_of, self.write_status, Clock(FakeReactor())).finalize(crd)
        try:
            work.send(None)
        except StopIteration:
            return

    def told(self) -> list[tuple[str, str, list[str]]]:
        """Status and reason of the condition, and the finalizers, at each write."""
        found = [(find(one, "Terminating"), one["metadata"]["finalizers"]) for one in self.written]
        return [(one["status"], one["reason"], finalizers) for one, finalizers in found if one is not None]

    def test_objects(self) -> None:
        """It is marked, its objects are deleted, and then it is let go; others' finalizers stay."""
        store = FakeStore("abc")
        self.finalize(store, "True", "example.com/mine")
        self.assertEqual(store.deleted, ["a", "b", "c"])
        self.assertEqual(self.told(), [
            ("True", "InstanceDeletionInProgress", ["example.com/mine", CLEANUP_FINALIZER]),
            ("False", "InstanceDeletionCompleted", ["example.com/mine"])])

    def test_held(self) -> None:
        """While an object stays, it is looked at again later."""
        store = FakeStore("abc", held="b")
        self.assertRaises(RetryAfter, self.finalize, store)
        self.assertEqual((store.deleted, [*store.items]), (["a", "b", "c"], ["b"]))
        self.assertEqual([one[1] for one in self.told()], ["InstanceDeletionInProgress"])

    def test_gone(self) -> None:
        """An object that somebody else has deleted meanwhile is no problem."""
        self.finalize(FakeStore("ab", gone="a"))
        self.assertEqual(self.told()[-1][1], "InstanceDeletionCompleted")

    def test_never_established(self) -> None:
        """One that never was at work has no objects: nothing is looked for."""
        store = FakeStore("a")
        self.finalize(store, "False")
        self.assertEqual((store.deleted, self.told()), ([], [("False", "NeverEstablished", [])]))

    def test_marked_already(self) -> None:
        """What is marked already is not written again before all is gone."""
        store = FakeStore("a", held="a")
        self.assertRaises(RetryAfter, self.finalize, store)
        crd = self.written.pop()
        self.assertRaises(RetryAfter, self.again, store, crd)
        self.assertEqual(self.written, [])

    def again(self, store: FakeStore, crd: dict[str, Any]) -> None:
        self.current = store
        Finalizer(self.store_of, self.write_status, Clock(FakeReactor())).finalize(crd).send(None)

    def test_failure(self) -> None:
        """What can't be deleted is told, once, and tried again; then it is in progress again."""
        store = FakeStore("abc", held="a")
        delete = store.delete

        async def fail(write: object, name: str, validate: object) -> None:
            if name == "b":
                raise StatusError(500, "InternalError", "on fire")
            await delete(write, name, validate)

        self.patch(store, "delete", fail)
        self.assertRaises(WorkFailed, self.finalize, store)
        self.assertEqual(store.deleted, ["a", "c"])
        found = find(self.written[-1], "Terminating")
        assert found is not None
        self.assertEqual((found["status"], found["reason"], found["message"]), (
            "True", "InstanceDeletionFailed", "could not issue all deletes: on fire"))
        crd = deepcopy(self.written[-1])
        self.assertRaises(WorkFailed, self.again, store, crd)
        self.assertEqual([one[1] for one in self.told()], ["InstanceDeletionInProgress", "InstanceDeletionFailed"])
        self.patch(store, "delete", delete)
        self.assertRaises(RetryAfter, self.again, store, crd)
        self.assertEqual([one[1] for one in self.told()][2:], ["InstanceDeletionInProgress"])

    def test_unreadable(self) -> None:
        """Objects that can't be read are told too."""
        async def store_of(_definition: Definition) -> Any:
            raise StatusError(500, "InternalError", "the store is damaged")

        self.patch(self, "store_of", store_of)
        self.assertRaises(WorkFailed, self.finalize, FakeStore("a"))
        found = find(self.written[-1], "Terminating")
        assert found is not None
        self.assertEqual(found["message"], "could not list instances: the store is damaged")

    def test_built_in(self) -> None:
        """Built-in objects that are stored in the same place are not deleted."""
        store = FakeStore("a")
        for group, plural in (("apiextensions.k8s.io", "customresourcedefinitions"),
                              ("apiregistration.k8s.io", "apiservices")):
            self.finalize(store, "True", group=group, plural=plural)
        self.assertEqual((store.deleted, self.told()), ([], [("False", "OverlappingBuiltInResource", [])] * 2))
