"""The etcd backend against clusters that fail in part, and that have certificates."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from pathlib import Path

from kube_twisted.config.etcd import Endpoint, EtcdSettings
from kube_twisted.server import certificates
from kube_twisted.server.certificates import KeyPair
from kube_twisted.storage.etcd.endpoints import Credentials
from kube_twisted.storage.interfaces import Create, Event, StoreFailed, StoreUnusable
from tests.etcd import Ports
from tests.sockets.support.etcd_store import PODS, EtcdStoreCase


class ThreeMembersTests(EtcdStoreCase):
    """A cluster that can do without one member."""

    async def setUp(self) -> None:
        super().setUp()
        ports = Ports(6)
        self.addCleanup(ports.give_back)
        pairs = [ports.numbers[index:index + 2] for index in (0, 2, 4)]
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
            revision = await self.store_.read_revision()
            self.assertEqual(await self.write(f"b{number}"), revision + 1)
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


class TLSTests(EtcdStoreCase):
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


