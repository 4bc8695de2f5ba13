"""Events that the server writes about objects."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import service_unavailable
from kube_twisted.controlplane.events import EventRecorder
from tests.inprocess import NAMESPACE, ClusterTestCase

_EVENTS = "/apis/events.k8s.io/v1/events"


class EventRecorderTests(ClusterTestCase):
    """A recorder of warnings about a ConfigMap."""

    def setUp(self) -> None:
        super().setUp()
        self.object = self.config_map("c")
        server = self.cluster.server
        self.recorder = EventRecorder(server.client, server.clock, "some-controller", "some-controller-host")

    def warn(self, obj: Any = None, note: str = "it is bad") -> None:
        self.cluster.result(self.recorder.warn(obj or self.object, "Bad", "Looking", note))

    def events(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.ask("GET", _EVENTS)["items"]
        return items

    def test_event(self) -> None:
        """It says what, about whom, and who tells."""
        self.warn()
        [event] = self.events()
        self.assertEqual({key: event[key] for key in ("reason", "action", "note", "type", "reportingController")}, {
            "reason": "Bad", "action": "Looking", "note": "it is bad", "type": "Warning",
            "reportingController": "some-controller"})
        self.assertEqual((event["regarding"]["kind"], event["regarding"]["uid"], event["metadata"]["namespace"]),
                         ("ConfigMap", self.object["metadata"]["uid"], "default"))

    def test_series(self) -> None:
        """The same thing again is counted; another text is another Event."""
        self.warn()
        self.warn()
        self.warn(note="it is worse")
        self.assertEqual(sorted(event.get("series", {}).get("count", 1) for event in self.events()), [1, 2])

    def test_new_series(self) -> None:
        """After a long time, or when the Event is gone, it is told anew."""
        self.warn()
        self.clock.advance(1801)
        self.warn()
        self.assertEqual(len(self.events()), 2)
        self.ask("DELETE", f"{NAMESPACE}/events")
        self.warn()
        self.assertEqual([event.get("series") for event in self.events()], [None])

    def test_without_namespace(self) -> None:
        """Events about objects of the cluster are in ``default``; a name that an Event can't have is no obstacle."""
        cluster_wide = {**self.object, "metadata": {"name": "fd00::1", "uid": "u"}}
        self.warn(cluster_wide)
        [event] = self.events()
        self.assertTrue(event["metadata"]["name"].startswith("event-"))
        self.assertEqual(event["metadata"]["namespace"], "default")

    def test_refused(self) -> None:
        """An Event that can't be written disturbs nobody."""
        self.patch(self.recorder, "_client", Refusing())
        self.warn()
        self.assertEqual(self.events(), [])


class Refusing:
    """A server that takes nothing."""

    async def call(self, *_: Any) -> None:
        raise service_unavailable("no")
