"""The log of an etcd that is shared, compacted, and set back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from twisted.internet.defer import gatherResults

from kube_twisted.config.etcd import Endpoint, EtcdSettings
from kube_twisted.storage.etcd.compactor import EtcdCompactor
from kube_twisted.storage.etcd.messages import RANGE, RangeRequest
from kube_twisted.storage.etcd.store import EtcdStore
from kube_twisted.storage.interfaces import CompactedError, Create, Delete, Event, EventType, StoreFailed, Update
from tests.sockets.support.etcd_store import PODS, EtcdStoreCase

CREATED, UPDATED, DELETED = EventType


def note(revisions: list[int], events: Sequence[Event]) -> None:
    revisions += [event.revision for event in events]


class LogTests(EtcdStoreCase):
    """One member, which compacts."""

    async def setUp(self) -> None:
        super().setUp()
        self.member().start()

    async def cut_off(self) -> tuple[EtcdStore, list[Event], EtcdStore]:
        """A store that has seen three pods and is cut off then, what it sees, and another one that is not."""
        store = await self.started()
        gate, client = self.gate, self.client
        other = await self.started()
        seen: list[Event] = []
        await store.watch(PODS, 1, seen.extend)
        for name in "abc":
            await other.transact([Create(PODS + name, name.encode())])
        await self.until(lambda: len(seen) == 3)
        seen.clear()
        gate.is_open = False
        client.give_up()
        await self.until(lambda: store.problem() is not None)
        self.gate = gate
        return store, seen, other

    async def test_missed(self) -> None:
        """Changes that were made meanwhile come once, in order."""
        store, seen, other = await self.cut_off()
        await other.transact([Update(PODS + "a", b"2", 2), Create(PODS + "d", b"d")])
        await other.transact([Delete(PODS + "b", 3)])
        self.gate.is_open = True
        await self.until(lambda: store.problem() is None)
        self.assertEqual(await store.read_revision(), 6)
        key = PODS + "a"
        self.assertEqual(seen, [
            Event(UPDATED, key, b"2", 5, b"a", 2), Event(CREATED, PODS + "d", b"d", 5, None, 0),
            Event(DELETED, PODS + "b", b"b", 6, b"b", 3)])

    async def test_forgotten(self) -> None:
        """When etcd has forgotten them, what has changed is found by comparing; the values before are lost."""
        store, seen, other = await self.cut_off()
        await other.transact([Update(PODS + "a", b"2", 2), Create(PODS + "d", b"d")])
        await other.transact([Delete(PODS + "b", 3)])
        await other.transact([Delete(PODS + "c", 4)])
        await other.transact([Create(PODS + "c", b"2")])
        await other.transact([Update(PODS + "a", b"3", 5)])
        await other.compact(9)
        self.gate.is_open = True
        await self.until(lambda: len(seen) == 5)
        await store.transact([Create(PODS + "e", b"e")])
        self.assertEqual(seen, [
            Event(CREATED, PODS + "d", b"d", 5, None, 0), Event(DELETED, PODS + "c", b"", 7, b"", 4),
            Event(CREATED, PODS + "c", b"2", 8, None, 0), Event(UPDATED, PODS + "a", b"3", 9, b"", 2),
            Event(DELETED, PODS + "b", b"", 9, b"", 3), Event(CREATED, PODS + "e", b"e", 10, None, 0)])
        await self.assertFailure(store.watch(PODS, 8, seen.extend), CompactedError)

    async def test_compacted_by_another(self) -> None:
        """A store learns how far another one has compacted when it reads what is gone."""
        store, other = await self.started(), await self.started()
        for name in "abc":
            await store.transact([Create(PODS + name, b"")])
        await other.compact(3)
        for asked in (store.get(PODS + "a", 2), store.watch(PODS, 2, print)):
            error = await self.assertFailure(asked, CompactedError)
            self.assertEqual((error.compacted, error.current), (3, 4))
        self.assertEqual(store.compacted_revision, 3)

    async def test_restored(self) -> None:
        """An etcd that has gone back, as to an older backup, is neither read nor written any more."""
        store = await self.started()
        for name in "abc":
            await store.transact([Create(PODS + name, b"")])
        member, = self.members
        member.kill()
        member.wipe()
        member.start()
        await self.until(lambda: "restart" in (store.problem() or ""))
        text = "etcd is at revision 1, and was at 4: restart the server"
        self.assertEqual(store.problem(), f"error getting data from etcd: {text}")
        for asked in (store.read_revision(), store.transact([Create(PODS + "d", b"")])):
            self.assertEqual(str(await self.assertFailure(asked, StoreFailed)), text)

    async def test_many_pasts(self) -> None:
        """Watches that begin in the past at once share one reading of the log; who asks for too much fails alone."""
        store = await self.started()
        for number in range(6):
            await store.transact([Create(f"{PODS}{number % 2}/{number}", b"")])
        await store.compact(4)
        asked: list[str] = []
        stream = self.client.stream
        self.patch(self.client, "stream", lambda method, receiver: (asked.append(method.path), stream(
            method, receiver))[1])
        store._feed.compacted = 0  # as if another server had compacted
        seen: list[list[int]] = [[] for _ in range(12)]
        work = [store.watch(f"{PODS}{number % 2}/", 1 + number // 2, partial(note, seen[number]))
                for number in range(12)]
        gone = work[:6]
        for one in gone:
            self.assertEqual((await self.assertFailure(one, CompactedError)).compacted, 4)
        await gatherResults(work[6:])
        self.assertEqual(seen, [[]] * 6 + [[6], [5, 7], [6], [7], [], [7]])
        self.assertLess(len(asked), 5)

    async def test_compactors(self) -> None:
        """Of two servers one compacts in each round, to where the log was in the round before."""
        store = await self.started()
        await self.started()
        one, two = (EtcdCompactor(self.client, self.clock, 1.0) for _ in range(2))
        self.assertEqual([await one.compact(), await two.compact()], [0, 0])
        for name in "abc":
            await store.transact([Create(PODS + name, b"")])
        self.assertEqual([await one.compact(), await two.compact()], [2, 0])
        await store.read_revision()
        self.assertEqual(store.compacted_revision, 2)
        self.assertEqual([await two.compact(), await one.compact()], [6, 0])

    async def test_lease(self) -> None:
        """A key with a time to live has a lease of that length, which it shares with others of its time."""
        store = await self.started()
        await gatherResults([store.transact([Create(PODS + name, b"", ttl=3600)]) for name in "abc"])
        await store.transact([Create(PODS + "d", b"", ttl=15), Create(PODS + "e", b"")])
        answer = await self.client.call(RANGE, RangeRequest(PODS.encode(), b"0"))
        a, b, c, d, e = (one.lease for one in answer.kvs)
        self.assertTrue(a == b == c != d != 0, (a, b, c, d))
        self.assertEqual(e, 0)

    async def test_prefix(self) -> None:
        """Clusters with prefixes of their own do not see each other, but share revisions."""
        endpoints = (Endpoint("127.0.0.1", self.members[0].client_port),)
        east, west = [await self.started(EtcdSettings(endpoints, prefix)) for prefix in ("/east", "/we/st")]
        seen: list[Event] = []
        await west.watch(PODS, 1, seen.extend)
        await east.transact([Create(PODS + "a", b"")])
        await west.transact([Create(PODS + "b", b"")])
        self.assertEqual([event.key for event in seen], [PODS + "b"])
        pages = [await store.list_entries(PODS) for store in (east, west)]
        self.assertEqual([[one.key for one in page.entries] for page in pages], [[PODS + "a"], [PODS + "b"]])
        answer = await self.client.call(RANGE, RangeRequest(b"/", b"0"))
        self.assertEqual([one.key for one in answer.kvs], [b"/east/pods/a", b"/we/st/pods/b"])
