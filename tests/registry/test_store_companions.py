"""What a store writes in the same transaction as an object: the mechanism, with a store of numbered ConfigMaps."""

from __future__ import annotations

from typing import Any

import orjson
from twisted.internet.task import Clock as FakeReactor
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupResource, GroupVersionKind
from kube_twisted.registry.core.configmap import STRATEGY
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, WriteContext
from kube_twisted.registry.write import ChoiceTaken, Write, accept_create, accept_update
from kube_twisted.storage.cached import Encoding
from kube_twisted.storage.interfaces import Create, Delete, Operation
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

_NUMBERS = "/registry/numbers/"
_KIND = GroupVersionKind("", "v1", "ConfigMap")


class NumberedStore(Store):
    """Each object has a number of its own: that of ``data.n``, or else the next one.

    :ivar before_commit: called with the number of the attempt, once its number is chosen.
    """

    next = 0
    attempts = 0
    taken: set[str] = set()

    def before_commit(self, attempt: int) -> None:
        """Nothing happens in between."""

    def allocate(self, write: Write, new: Obj, old: Obj | None) -> None:
        data = new.setdefault("data", {})
        if "n" not in data:
            NumberedStore.next += 1
            data["n"] = str(NumberedStore.next)
            write.choices.append(lambda: data.pop("n"))

    def operations_for(self, write: Write, new: Obj | None, old: Obj | None) -> list[Operation]:
        self.attempts += 1
        self.before_commit(self.attempts)
        after, before = (one["data"]["n"] if one is not None else None for one in (new, old))
        if after == before:
            return []
        if after in self.taken:
            raise ChoiceTaken(after)
        operations: list[Operation] = [Create(_NUMBERS + after, b"")] if after is not None else []
        return operations + ([Delete(_NUMBERS + before, self.revision(before))] if before is not None else [])

    def revision(self, number: str) -> int:
        history: Any = self.cache.store
        entry = history._history.live(_NUMBERS + number)
        return entry.revision if entry is not None else 0


class CompanionTests(SynchronousTestCase):
    def setUp(self) -> None:
        NumberedStore.next = 0
        clock = Clock(FakeReactor())
        self.storage = MemoryStore(clock)
        self.result(self.storage.start())
        cache = WatchCache(self.storage, "/registry/configmaps/", True, Encoding("ConfigMap", "v1"))
        self.store = NumberedStore(GroupResource("", "configmaps"), _KIND, True, STRATEGY, cache, clock)
        self.result(self.store.start())
        self.addCleanup(self.store.stop)

    def result(self, work: Any) -> Any:
        return self.successResultOf(to_deferred(work))

    def write(self, dry_run: bool = False) -> Write:
        return Write(WriteContext("2026-01-01T00:00:00Z", "ns", dry_run=dry_run))

    def create(self, name: str = "", dry_run: bool = False, **data: str) -> Any:
        meta = {"name": name} if name else {"generateName": "x-"}
        obj: Obj = {"kind": "ConfigMap", "apiVersion": "v1", "metadata": meta, "data": data}
        return to_deferred(self.store.create(self.write(dry_run), obj, accept_create))

    def update(self, name: str, data: Obj, dry_run: bool = False, **meta: Any) -> Any:
        async def changed(old: Obj | None) -> Obj:
            assert old is not None
            new: Obj = orjson.loads(orjson.dumps({**old, "data": data}))
            new["metadata"].update(meta)
            return new

        return to_deferred(self.store.update(self.write(dry_run), name, changed, accept_create, accept_update))

    def delete(self, name: str) -> Any:
        return to_deferred(self.store.delete(self.write(), name, accept_create))

    def numbers(self) -> list[str]:
        page = self.result(self.storage.list_entries(_NUMBERS))
        return [entry.key.removeprefix(_NUMBERS) for entry in page.entries]

    def number(self, created: Any) -> str:
        number: str = self.successResultOf(created).parse()["data"]["n"]
        return number

    def test_one_transaction(self) -> None:
        """Creation, change and deletion each are one revision, the companion's as well."""
        first = self.storage.current_revision
        self.result(self.create("a"))
        self.result(self.update("a", {"n": "7"}))
        self.assertEqual(self.numbers(), ["7"])
        self.result(self.delete("a"))
        self.assertEqual((self.numbers(), self.storage.current_revision), ([], first + 3))

    def test_last_finalizer(self) -> None:
        """An object held back by a finalizer keeps its companion until it goes."""
        self.result(self.create("a"))
        self.result(self.update("a", {"n": "1"}, finalizers=["example.com/wait"]))
        self.result(self.delete("a"))
        self.assertEqual(self.numbers(), ["1"])
        self.result(self.update("a", {"n": "1"}, finalizers=[]))
        self.assertEqual(self.numbers(), [])

    def test_dry_run(self) -> None:
        """Writes neither."""
        self.assertEqual(self.number(self.create("a", dry_run=True)), "1")
        self.result(self.create("b", n="5"))
        self.result(self.update("b", {"n": "6"}, dry_run=True))
        self.assertEqual(self.numbers(), ["5"])

    def test_choice_is_taken_before_the_write(self) -> None:
        """What was chosen is chosen anew when another write was faster; what was asked for stays asked for."""
        self.store.taken = {"1", "2"}
        self.assertEqual(self.number(self.create("a")), "3")
        error = self.failureResultOf(self.create("b", n="2"), StatusError).value
        self.assertEqual(error.code, 409)

    def test_choice_is_taken_in_between(self) -> None:
        """So it is when that shows in the transaction only."""
        def other_server(attempt: int) -> None:
            if attempt == 1:
                self.result(self.storage.transact([Create(_NUMBERS + "1", b"")]))
            else:
                self.store.taken = {"1"}

        self.patch(self.store, "before_commit", other_server)
        self.assertEqual(self.number(self.create("a")), "2")
        self.assertEqual(self.numbers(), ["1", "2"])

    def test_update_chooses_anew(self) -> None:
        """An update starts over from the object as it is then."""
        self.result(self.create("a", n="7"))
        self.store.taken = {"1"}
        item, created = self.result(self.update("a", {}))
        self.assertEqual((item.parse()["data"]["n"], created, self.numbers()), ("2", False, ["2"]))

    def test_companion_has_changed(self) -> None:
        """A companion that is not what it was is looked at again, without starting over."""
        self.result(self.create("a", n="7"))
        attempts = self.store.attempts
        stale = iter([1])
        revision = self.store.revision
        self.patch(self.store, "revision", lambda number: next(stale, 0) or revision(number))
        self.result(self.delete("a"))
        self.assertEqual((self.numbers(), self.store.attempts - attempts), ([], 2))

    def test_name_is_taken(self) -> None:
        """The object's own conflict is the one that counts; its companion stays unwritten."""
        self.result(self.create("a"))
        self.assertEqual(self.failureResultOf(self.create("a"), StatusError).value.reason, "AlreadyExists")
        self.assertEqual(self.numbers(), ["1"])

    def test_generated_name(self) -> None:
        """Companions know the name that the object gets in the end."""
        names = [self.successResultOf(self.create()).name for _ in range(3)]
        self.assertEqual((len(set(names)), self.numbers()), (3, ["1", "2", "3"]))

    def test_never_free(self) -> None:
        """A write that is overtaken again and again is a conflict."""
        self.patch(self.store, "revision", lambda number: 10 ** 6)
        self.result(self.create("a"))
        self.assertEqual(self.failureResultOf(self.delete("a"), StatusError).value.code, 409)
        self.assertEqual(self.numbers(), ["1"])
