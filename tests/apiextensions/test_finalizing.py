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
from kube_twisted.server.queue import RetryAfter
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

    async def write_status(self, crd: dict[str, Any]) -> dict[str, Any]:
        self.written.append(deepcopy(crd))
        return crd

    def finalize(self, store: FakeStore, established: str = "True", *finalizers: str) -> None:
        crd = definition()
        crd["metadata"]["finalizers"] = [*finalizers, CLEANUP_FINALIZER]
        crd["status"] = {"conditions": [{"type": "Established", "status": established, "reason": "r", "message": "m"}]}

        async def store_of(_definition: Definition) -> Any:
            return store

        clock = Clock(FakeReactor())
        work = Finalizer(store_of, self.write_status, clock).finalize(crd)
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

        async def store_of(_definition: Definition) -> Any:
            return store

        work = Finalizer(store_of, self.write_status, Clock(FakeReactor())).finalize(crd)
        self.assertRaises(RetryAfter, work.send, None)
        self.assertEqual(self.written, [])

    def test_other_failure(self) -> None:
        """Other failures are not swallowed."""
        store = FakeStore("a")

        async def fail(*_: object) -> None:
            raise StatusError(500, "InternalError", "on fire")

        self.patch(store, "delete", fail)
        self.assertRaises(StatusError, self.finalize, store)
