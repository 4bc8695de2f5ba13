"""The generic store: what happens when somebody else writes in between, and what is written at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupResource, GroupVersionKind
from kube_twisted.registry.core.configmap import STRATEGY
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.write import Write, accept_create
from kube_twisted.storage.cached import CachedObject, Encoding
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

NOW = "2026-01-01T00:00:00Z"


class StoreTestCase(SynchronousTestCase):
    """Has a store of ConfigMaps with one object, ``a``."""

    def setUp(self) -> None:
        clock = Clock(FakeReactor())
        self.storage = MemoryStore(clock)
        self.wait(self.storage.start())
        cache = WatchCache(self.storage, "/registry/configmaps/", True, Encoding("ConfigMap", "v1"))
        self.store = Store(GroupResource("", "configmaps"), GroupVersionKind("", "v1", "ConfigMap"), True, STRATEGY,
                           cache, clock)
        self.wait(cache.start())
        self.addCleanup(cache.stop)
        self.create("a")

    def wait(self, work: Awaitable[Any]) -> Any:
        return self.successResultOf(to_deferred(work))

    def refusal(self, work: Awaitable[Any]) -> StatusError:
        error: StatusError = self.failureResultOf(to_deferred(work), StatusError).value
        return error

    def write(self, **options: Any) -> Write:
        return Write(WriteContext(NOW, "ns", dry_run=bool(options.get("dryRun"))), options)

    def create(self, name: str, **metadata: Any) -> CachedObject:
        obj: Obj = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": name, **metadata}}
        item: CachedObject = self.wait(self.store.create(self.write(), obj, accept_create))
        return item

    def setting(self, key: str) -> Callable[[Obj | None], Awaitable[Obj]]:
        """Sets one key of the data of whatever is there."""
        async def transform(old: Obj | None) -> Obj:
            assert old is not None
            new: Obj = orjson.loads(orjson.dumps(old))
            new.setdefault("data", {})[key] = "1"
            return new

        return transform

    def update(self, transform: Callable[[Obj | None], Awaitable[Obj]],
               validate: Callable[[Obj, Obj], Awaitable[None]]) -> Awaitable[tuple[CachedObject, bool]]:
        return self.store.update(self.write(), "a", transform, accept_create, validate)

    def data(self) -> dict[str, str]:
        data: dict[str, str] = self.store.lookup("ns", "a").parse().get("data", {})
        return data


class RaceTests(StoreTestCase):
    """Somebody else writes between reading and writing."""

    def setUp(self) -> None:
        super().setUp()
        self.rivals = 0

    async def rival(self, _obj: Obj, _old: Obj | None = None) -> None:
        """Another writer gets in between, as often as ``rivals`` says; validation is the last that happens before."""
        if self.rivals:
            self.rivals -= 1
            await self.store.update(self.write(), "a", self.setting(f"rival{self.rivals}"), accept_create, self.nobody)

    async def nobody(self, _obj: Obj, _old: Obj) -> None:
        """Nothing happens in between."""

    def test_update(self) -> None:
        """A change that does not insist on a version is made again on what the other one wrote."""
        self.rivals = 3
        self.wait(self.update(self.setting("mine"), self.rival))
        self.assertEqual(self.data(), {"mine": "1", "rival0": "1", "rival1": "1", "rival2": "1"})

    def test_update_with_a_version(self) -> None:
        """One that does is refused."""
        self.rivals = 1
        seen = self.store.lookup("ns", "a").parse()["metadata"]["resourceVersion"]

        async def insisting(old: Obj | None) -> Obj:
            new = await self.setting("mine")(old)
            new["metadata"]["resourceVersion"] = seen
            return new

        self.assertEqual(self.refusal(self.update(insisting, self.rival)).reason, "Conflict")
        self.assertEqual(self.data(), {"rival0": "1"})

    def test_update_without_end(self) -> None:
        """Who never gets through is told so."""
        self.rivals = 1000
        self.assertEqual(self.refusal(self.update(self.setting("mine"), self.rival)).reason, "Conflict")
        self.assertNotIn("mine", self.data())

    def test_deleted_meanwhile(self) -> None:
        """What is deleted in between is not found."""
        async def deleting(_obj: Obj, _old: Obj) -> None:
            await self.store.delete(self.write(), "a", accept_create)

        self.assertEqual(self.refusal(self.update(self.setting("mine"), deleting)).code, 404)

    def test_delete(self) -> None:
        """A deletion looks again at what the other one wrote: here it finds a finalizer."""
        async def finalizer(old: Obj | None) -> Obj:
            new = await self.setting("x")(old)
            new["metadata"]["finalizers"] = ["example.com/x"]
            return new

        async def protecting(_obj: Obj) -> None:
            if not self.data():
                await self.update(finalizer, self.nobody)

        item, gone = self.wait(self.store.delete(self.write(), "a", protecting))
        self.assertFalse(gone)
        self.assertEqual(item.parse()["metadata"]["finalizers"], ["example.com/x"])
        self.assertIn("deletionTimestamp", self.store.lookup("ns", "a").parse()["metadata"])

    def test_delete_twice(self) -> None:
        """Of two deletions at once the second finds nothing."""
        async def deleting(_obj: Obj) -> None:
            await self.store.delete(self.write(), "a", accept_create)

        self.assertEqual(self.refusal(self.store.delete(self.write(), "a", deleting)).code, 404)

    def test_delete_with_a_version(self) -> None:
        """A precondition is held against what the other one wrote."""
        self.rivals = 1
        version = self.store.lookup("ns", "a").parse()["metadata"]["resourceVersion"]
        error = self.refusal(self.store.delete(self.write(preconditions={"resourceVersion": version}), "a", self.rival))
        self.assertEqual(error.reason, "Conflict")

    def test_create(self) -> None:
        """Of two creations at once the second is refused, and the first stays."""
        async def creating(_obj: Obj) -> None:
            await self.store.create(self.write(), {"metadata": {"name": "b"}, "data": {"first": "1"}}, accept_create)

        work = self.store.create(self.write(), {"metadata": {"name": "b"}}, creating)
        self.assertEqual(self.refusal(work).reason, "AlreadyExists")
        self.assertEqual(self.store.lookup("ns", "b").parse()["data"], {"first": "1"})


class WritingTests(StoreTestCase):
    """What goes to the store."""

    async def accept(self, _obj: Obj, _old: Obj) -> None:
        """Any change is fine."""

    def test_nothing_changed(self) -> None:
        """A change that changes nothing is not written."""
        async def same(old: Obj | None) -> Obj:
            assert old is not None
            return orjson.loads(orjson.dumps(old))

        before = self.storage.current_revision
        item, created = self.wait(self.update(same, self.accept))
        self.assertEqual((item.revision, created, self.storage.current_revision), (before, False, before))

    def test_failed_validation(self) -> None:
        """What is not valid is not written."""
        async def bad(old: Obj | None) -> Obj:
            return {**(await self.setting("x")(old)), "data": {"not a key": ""}}

        before = self.storage.current_revision
        self.assertEqual(self.refusal(self.update(bad, self.accept)).code, 422)
        self.assertEqual(self.storage.current_revision, before)

    def test_other_stores(self) -> None:
        """What another server of the same store writes is seen, and not overwritten blindly."""
        self.wait(self.update(self.setting("x"), self.accept))
        entry = self.wait(self.storage.get("/registry/configmaps/ns/a"))
        self.assertNotIn(b"resourceVersion", entry.value)
        self.assertEqual(orjson.loads(entry.value)["data"], {"x": "1"})

    def test_dry_run(self) -> None:
        """A dry run of a deletion answers as if, with and without finalizers."""
        self.create("b", finalizers=["example.com/x"])
        before = self.storage.current_revision
        for name, expected in (("a", True), ("b", False)):
            _, gone = self.wait(self.store.delete(self.write(dryRun=["All"]), name, accept_create))
            self.assertEqual(gone, expected)
        self.assertEqual(self.storage.current_revision, before)

    def test_many_finalizers(self) -> None:
        """Deletion keeps the finalizers that are there, in their order."""
        self.create("b", finalizers=["example.com/z", "example.com/a"])
        item, _ = self.wait(self.store.delete(self.write(propagationPolicy="Foreground"), "b", accept_create))
        self.assertEqual(item.parse()["metadata"]["finalizers"],
                         ["example.com/z", "example.com/a", "foregroundDeletion"])
