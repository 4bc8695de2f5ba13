"""Two servers on one store, or one server after another: definitions are the store's, not a server's."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred

from kube_twisted.api.errors import StatusError
from kube_twisted.config import load_config
from kube_twisted.controlplane import completed
from kube_twisted.util.deferreds import to_deferred
from tests.apiextensions.widgets import (
    API,
    DEFINITIONS,
    WIDGET_CRD,
    WIDGETS,
    CustomCase,
    definition,
    obj,
    text,
    version,
    widget,
)
from tests.controlplane.test_shared_store import OpenBackend, SecondServer
from tests.inprocess import keys_directory


class TwoServersCase(CustomCase):
    def start_other(self) -> SecondServer:
        """Another server on the store of the first one."""
        self.patch(completed, "open_backend", lambda *_: OpenBackend(self.cluster.server.backend))
        reactor = self.cluster.reactor
        other = SecondServer(completed.complete(load_config(None, {
            "storage.backend": "memory", "controllers": [], "server.bindAddress": "127.0.0.1",
            "dataDirectory": str(keys_directory())}), reactor), reactor)
        self.cluster.result(other.start())
        self.addCleanup(lambda: self.cluster.result(other.stop()))
        self.client = other.client.named("test")
        return other

    def ask_other(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Any:
        return self.cluster.result(self.client.call(method, path, body, content_type))


class NextServerTests(TwoServersCase):
    """A server that starts on a store with definitions in it."""

    def test_served(self) -> None:
        """It serves them from the start, with the objects that there are."""
        self.define(version(), version("v2", storage=False))
        made = self.widget(spec={"size": 1})
        self.start_other()
        self.assertEqual(self.ask_other("GET", f"{WIDGETS}/a"), made)
        self.assertEqual([one["version"] for one in self.ask_other("GET", API)["versions"]], ["v2", "v1"])
        self.assertIn("apis/example.com/v2", self.ask_other("GET", "/openapi/v3")["paths"])

    def test_nothing_written(self) -> None:
        """A start on settled definitions writes nothing to them."""
        self.define()
        before = self.ask("GET", WIDGET_CRD)["metadata"]["resourceVersion"]
        self.start_other()
        self.cluster.run(1)
        self.assertEqual(self.ask("GET", WIDGET_CRD)["metadata"]["resourceVersion"], before)

    def test_deletion_goes_on(self) -> None:
        """A deletion that was begun before is finished."""
        self.define()
        self.widget(metadata={"finalizers": ["example.com/hold"]})
        self.ask("DELETE", WIDGET_CRD)
        self.cluster.run(1)
        self.cluster.result(self.cluster.server._definitions.stop())
        self.start_other()
        self.ask_other("PATCH", f"{WIDGETS}/a", {"metadata": {"finalizers": None}}, "application/merge-patch+json")
        self.cluster.run(2)
        self.assertRaises(StatusError, self.ask_other, "GET", WIDGET_CRD)
        self.assertTrue(self.missing(WIDGET_CRD))


class TwoServersTests(TwoServersCase):
    """Two servers at the same time."""

    def setUp(self) -> None:
        super().setUp()
        self.start_other()

    def test_definition(self) -> None:
        """What is defined at one is served by the other, and settled once."""
        made = self.define()
        self.assertEqual(self.ask_other("GET", WIDGETS)["items"], [])
        found = self.ask_other("GET", made)
        self.assertEqual([one["status"] for one in found["status"]["conditions"]], ["True", "True"])
        self.widget("a")
        watching = self.watch(WIDGETS)
        self.ask_other("POST", WIDGETS, widget("b"))
        self.assertEqual(watching.names(), [("ADDED", "a"), ("ADDED", "b")])

    def test_same_names(self) -> None:
        """Of definitions that want the same kind at the same time, made at different servers, one gets it."""
        begun: list[Deferred[Any]] = [to_deferred(client.call("POST", DEFINITIONS, definition(plural=plural)))
                                      for plural, client in (("widgets", self.cluster.client),
                                                             ("gizmos", self.client))]
        for one in begun:
            self.cluster.result(one)
        self.cluster.run(1)
        established = [self.conditions(f"{DEFINITIONS}/{one}.example.com")["Established"][0]
                       for one in ("widgets", "gizmos")]
        self.assertEqual(sorted(established), ["False", "True"])

    def test_change(self) -> None:
        """A changed schema is in force at both."""
        self.define()
        self.widget(spec={"color": "red"})
        self.ask_other("GET", WIDGETS)
        self.redefine(version(schema=obj(spec=obj(shape=text(default="round")))))
        for ask in self.ask, self.ask_other:
            self.assertEqual(ask("GET", f"{WIDGETS}/a")["spec"], {"shape": "round"})

    def test_deletion(self) -> None:
        """A definition that is deleted at one is gone at both, and its objects with it."""
        self.define()
        self.widget()
        self.ask_other("POST", WIDGETS, widget("b"))
        self.ask_other("DELETE", WIDGET_CRD)
        self.cluster.run(2)
        self.assertTrue(self.missing(WIDGET_CRD))
        self.assertTrue(self.missing(WIDGETS))
        self.assertRaises(StatusError, self.ask_other, "GET", WIDGETS)

    def test_conflict(self) -> None:
        """A stale write at one is refused though the change was made at the other."""
        self.define()
        made = self.widget(spec={"size": 1})
        self.ask_other("PUT", f"{WIDGETS}/a", {**made, "spec": {"size": 2}})
        self.assertEqual(self.refused("PUT", f"{WIDGETS}/a", {**made, "spec": {"size": 3}}).reason, "Conflict")
