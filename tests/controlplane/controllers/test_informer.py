"""Informers, against a server in the process."""

from __future__ import annotations

import itertools
from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.informer import Handlers, Informer, Interest
from kube_twisted.server.loopback import EventStream
from tests.controlplane.controllers.case import CORE, MERGE, ControllerCase

SECRETS = f"{CORE}/namespaces/default/secrets"


class InformerTests(ControllerCase):
    """An informer of Secrets, of which there are none at first."""

    def setUp(self) -> None:
        super().setUp()
        self.told: list[str] = []
        self.objects: list[dict[str, Any]] = []

    def informer(self, selector: str = "", interest: Interest | None = None) -> Informer:
        informer = Informer(self.cluster.client, self.cluster.server.clock, f"{CORE}/secrets", selector, interest)
        informer.add(Handlers(self.changed, self.deleted, self.listed))
        informer.start()
        self.addCleanup(lambda: self.cluster.result(informer.stop()))
        self.cluster.run(0.1)
        return informer

    def changed(self, obj: dict[str, Any]) -> None:
        self.told.append("+" + obj["metadata"]["name"])
        self.objects.append(obj)

    def deleted(self, obj: dict[str, Any]) -> None:
        self.told.append("-" + obj["metadata"]["name"])

    def listed(self, uids: frozenset[str]) -> None:
        self.told.append(f"listed {len(uids)}")

    def make(self, name: str, **more: Any) -> None:
        self.ask("POST", SECRETS, {"metadata": {"name": name, **more}})
        self.cluster.run(0.1)

    def delete(self, name: str) -> None:
        self.ask("DELETE", f"{SECRETS}/{name}")
        self.cluster.run(0.1)

    def end_watches(self) -> None:
        self.cluster.server.watches.end_all()

    def test_list_and_watch(self) -> None:
        """Objects that are there are told, then that these were all, then every change."""
        self.make("a")
        informer = self.informer()
        self.assertTrue(informer.synced)
        self.make("b")
        self.ask("PATCH", f"{SECRETS}/a", {"stringData": {"k": "v"}}, MERGE)
        self.delete("b")
        self.assertEqual(self.told, ["+a", "listed 1", "+b", "+a", "-b"])

    def test_long_list(self) -> None:
        """A list of several pages tells each object once."""
        for number in range(300):
            self.ask("POST", SECRETS, {"metadata": {"name": f"n{number}"}})
        self.informer()
        self.assertEqual((len(set(self.told)), self.told[-1]), (301, "listed 300"))

    def test_selector(self) -> None:
        """Only what a selector selects is told."""
        self.informer("fieldSelector=metadata.name%3Db")
        self.make("a")
        self.make("b")
        self.assertEqual(self.told, ["listed 0", "+b"])

    def test_resume(self) -> None:
        """After the end of a watch the next one goes on where it ended, without a list."""
        self.informer()
        self.end_watches()
        self.make("a")
        self.cluster.run(1)
        self.assertEqual(self.told, ["listed 0", "+a"])

    def test_too_old(self) -> None:
        """When the changes since the end of a watch are forgotten, all is listed anew."""
        self.informer()
        self.make("a")
        self.patch(self.cluster.client, "watch", self.refusing_watch)
        self.end_watches()
        self.cluster.run(0.5)
        self.assertEqual(self.told, ["listed 0", "+a", "+a", "listed 1"])

    async def refusing_watch(self, _path: str, stream: EventStream) -> None:
        stream.write(b'{"type":"ERROR","object":{"code":410,"reason":"Expired","message":"too old"}}\n')

    def test_interest(self) -> None:
        """With an interest, lists bring metadata only, and uninteresting changes are not told, yet not repeated."""
        self.ask("POST", SECRETS, {"metadata": {"name": "first"}, "stringData": {"k": "v"}})
        informer = self.informer(interest=lambda event: b"wanted" in event)
        self.assertEqual((self.told, "data" in self.objects[0]), (["+first", "listed 1"], False))
        self.make("a")
        before = informer._version
        self.make("b", labels={"wanted": "yes"})
        self.make("c")
        self.assertEqual(self.told[2:], ["+b"])
        self.assertGreater(int(informer._version), int(before))

    def test_failing_handler(self) -> None:
        """A handler that fails is logged, and keeps the others from nothing."""
        informer = Informer(self.cluster.client, self.cluster.server.clock, f"{CORE}/secrets")
        informer.add(Handlers(lambda _: 1 / 0))  # type: ignore[arg-type]
        informer.add(Handlers(self.changed))
        informer.start()
        self.cluster.run(0.1)
        self.make("a")
        self.make("b")
        self.assertEqual(len(self.flushLoggedErrors(ZeroDivisionError)), 2)
        self.assertEqual(self.told, ["+a", "+b"])
        self.cluster.result(informer.stop())

    def test_server_fails(self) -> None:
        """A list that fails is tried again with longer and longer pauses."""
        calls: list[float] = []

        async def call(*_: Any, **__: Any) -> dict[str, Any]:
            calls.append(self.cluster.clock.seconds())
            raise StatusError(500, "InternalError", "no")

        client = self.cluster.client.named("other")
        self.patch(client, "call", call)
        informer = Informer(client, self.cluster.server.clock, f"{CORE}/secrets")
        informer.start()
        self.cluster.run(2)
        self.cluster.result(informer.stop())
        pauses = [round(after - before, 1) for before, after in itertools.pairwise(calls)]
        self.assertEqual(pauses[:4], [0.1, 0.2, 0.4, 0.8])

    def test_stop(self) -> None:
        """A stopped informer tells nothing and holds no watch."""
        informer = self.informer()
        self.cluster.result(informer.stop())
        self.make("a")
        self.assertEqual((self.told, self.cluster.server.watches.running), (["listed 0"], set()))
