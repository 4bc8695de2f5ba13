"""The etcd backend against clusters that fail in part, that have certificates, and that forget."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from twisted.internet import reactor
from twisted.internet.defer import gatherResults
from twisted.trial.unittest import TestCase

from kube_twisted.config.etcd import Endpoint, EtcdSettings
from kube_twisted.server import certificates
from kube_twisted.server.certificates import KeyPair
from kube_twisted.storage.etcd.client import EtcdClient
from kube_twisted.storage.etcd.compactor import EtcdCompactor
from kube_twisted.storage.etcd.connection import Connection
from kube_twisted.storage.etcd.endpoints import Credentials, Dialer
from kube_twisted.storage.etcd.errors import not_connected
from kube_twisted.storage.etcd.keys import Keys
from kube_twisted.storage.etcd.messages import RANGE, RangeRequest
from kube_twisted.storage.etcd.store import EtcdStore
from kube_twisted.storage.interfaces import (
    CompactedError,
    Create,
    Delete,
    Event,
    EventType,
    StoreFailed,
    StoreUnusable,
    Update,
)
from kube_twisted.util.clock import Clock
from tests.etcd import MISSING, Etcd, find_etcd, free_ports

PODS = "/registry/pods/"


def note(revisions: list[int], events: Sequence[Event]) -> None:
    revisions += [event.revision for event in events]


CREATED, UPDATED, DELETED = EventType


class Gate(Dialer):
    """A way to etcd that can be closed."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self.is_open = True

    async def connect(self, endpoint: Endpoint, lost: Callable[[Connection, str], None]) -> Connection:
        if not self.is_open:
            raise not_connected("the gate is closed")
        return await super().connect(endpoint, lost)


class EtcdCase(TestCase):
    """Makes members and stores, and ends them."""

    skip = None if find_etcd() else MISSING
    timeout = 60

    def setUp(self) -> None:
        self.clock = Clock(reactor)  # type: ignore[arg-type]
        self.members: list[Etcd] = []

    def member(self, *arguments: Any, **options: Any) -> Etcd:
        made = Etcd(Path(self.mktemp()), *arguments, **options)
        self.addCleanup(made.remove)
        self.members.append(made)
        return made

    def store(self, settings: EtcdSettings | None = None) -> EtcdStore:
        """A store over all members, not started."""
        if settings is None:
            settings = EtcdSettings(tuple(Endpoint("127.0.0.1", one.client_port) for one in self.members))
        self.gate = Gate(reactor, self.clock, settings)
        self.client = EtcdClient(self.gate, settings.endpoints, self.clock)
        store = EtcdStore(self.client, Keys(settings.prefix), self.clock)
        self.addCleanup(store.stop)
        return store

    async def started(self, settings: EtcdSettings | None = None) -> EtcdStore:
        store = self.store(settings)
        await store.start()
        return store

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self.clock.sleep(0.01)


class ForgottenTests(EtcdCase):
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
        member.remove()
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


class ThreeMembersTests(EtcdCase):
    """A cluster that can do without one member."""

    async def setUp(self) -> None:
        super().setUp()
        ports = free_ports(6)
        pairs = [ports[index:index + 2] for index in (0, 2, 4)]
        cluster = ",".join(f"m{pair[1]}=http://127.0.0.1:{pair[1]}" for pair in pairs)
        for pair in pairs:
            self.member(name=f"m{pair[1]}", ports=pair, cluster=cluster).start(wait=False)
        for one in self.members:
            one.wait()
        self.store_ = await self.started()
        self.seen: list[int] = []
        await self.store_.watch(PODS, 1, self.note)

    def note(self, events: Sequence[Event]) -> None:
        self.seen += [event.revision for event in events]

    async def write(self, name: str) -> int:
        """Write until it is done, as a client would."""
        while True:
            try:
                return await self.store_.transact([Create(PODS + name, b"")])
            except StoreFailed:
                await self.clock.sleep(0.05)

    async def test_members_killed(self) -> None:
        """Whichever member is killed, leader or not, the store goes on, and sees each change once."""
        for number, member in enumerate(self.members):
            await self.write(f"a{number}")
            member.kill()
            await self.write(f"b{number}")
            self.assertEqual(await self.store_.read_revision(), self.store_.current_revision)
            member.start()
        page = await self.store_.list_entries(PODS)
        self.assertEqual(self.seen, sorted(entry.revision for entry in page.entries))
        self.assertEqual(len(self.seen), 6)

    async def test_member_frozen(self) -> None:
        """A member that answers no more is left for another one."""
        await self.write("a")
        self.members[0].signal(signal.SIGSTOP)
        self.client.give_up()  # as after a question that nobody answers in time
        await self.write("b")
        self.assertEqual(await self.store_.read_revision(), 3)
        self.assertEqual(self.seen, [2, 3])

    async def test_majority_lost(self) -> None:
        """Without a majority nothing is read or written, and the store says so; it recovers with the members."""
        await self.write("a")
        for member in self.members[1:]:
            member.kill()
        await self.until(lambda: self.store_.problem() is not None)
        await self.assertFailure(self.store_.transact([Create(PODS + "b", b"")]), StoreFailed)
        for member in self.members[1:]:
            member.start(wait=False)
        await self.until(lambda: self.store_.problem() is None)
        await self.write("c")
        page = await self.store_.list_entries(PODS)
        self.assertEqual(self.seen, sorted(entry.revision for entry in page.entries))


class TLSTests(EtcdCase):
    """A member with certificates, which asks for those of its clients."""

    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.mktemp())
        self.folder.mkdir()
        self.authority = certificates.new_authority("etcd-ca", self.clock.now())
        self.write("ca", self.authority)
        self.write("server", certificates.new_serving(self.authority, ("127.0.0.1",), self.clock.now()))
        self.write("client", certificates.new_client(self.authority, "kube", [], self.clock.now()))
        self.member("--cert-file", str(self.folder / "server.crt"), "--key-file", str(self.folder / "server.key"),
                    "--trusted-ca-file", str(self.folder / "ca.crt"), "--client-cert-auth", scheme="https").start()

    def write(self, name: str, pair: KeyPair) -> None:
        (self.folder / f"{name}.crt").write_bytes(pair.certificate_pem())
        (self.folder / f"{name}.key").write_bytes(pair.key_pem())

    def settings(self, authority: str = "ca", client: str | None = "client") -> EtcdSettings:
        files = (self.folder / f"{client}.crt", self.folder / f"{client}.key") if client else (None, None)
        return EtcdSettings((Endpoint("127.0.0.1", self.members[0].client_port, is_tls=True),), "/registry",
                            self.folder / f"{authority}.crt", *files)

    async def unusable(self, settings: EtcdSettings) -> str:
        return str(await self.assertFailure(self.store(settings).start(), StoreUnusable))

    async def test_certificates(self) -> None:
        """With the right ones it reads and writes, also what is larger than a window of HTTP/2."""
        store = await self.started(self.settings())
        for number in range(4):
            await store.transact([Create(f"{PODS}{number}", b"x" * 1_400_000)])
        page = await store.list_entries(PODS)
        self.assertEqual([len(entry.value) for entry in page.entries], [1_400_000] * 4)

    async def test_unknown_authority(self) -> None:
        """A member whose authority is unknown is refused, and the error says why."""
        self.write("other", certificates.new_authority("other", self.clock.now()))
        self.assertEqual(await self.unusable(self.settings("other")), (
            'etcd cannot be used: rpc error: code = Unavailable desc = connection error: desc = "transport: '
            "authentication handshake failed: tls: failed to verify certificate: x509: certificate signed by unknown "
            'authority"'))

    async def test_no_certificate(self) -> None:
        """A member that wants a certificate and gets none ends the connection."""
        self.assertIn("remote error: tls: ", await self.unusable(self.settings(client=None)))

    def test_unreadable(self) -> None:
        """A file that is missing, or no PEM, is named."""
        missing = self.assertRaises(StoreUnusable, Credentials.read, self.settings("missing"))
        self.assertEqual(str(missing), f"{self.folder / 'missing.crt'}: No such file or directory")
        (self.folder / "junk.crt").write_bytes(b"junk")
        junk = self.assertRaises(StoreUnusable, Credentials.read, self.settings("junk"))
        self.assertIn("junk.crt: holds not the PEM", str(junk))


