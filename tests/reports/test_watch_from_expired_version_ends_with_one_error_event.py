"""kubernetes#104171: a watch from a version that is gone must say so, or its client comes back for ever.

Clients crashed on error events that did not have this shape (zalando/kopf PR 8, lightkube#108).
"""

from __future__ import annotations

from tests.inprocess import CONFIG_MAPS, ClusterTestCase


class ExpiredWatchTests(ClusterTestCase):
    def test_one_error_event(self) -> None:
        """200, then one ERROR event with a Status of code 410 and empty metadata, then the end."""
        version = self.config_map("a")["metadata"]["resourceVersion"]
        self.forget(CONFIG_MAPS, "configmaps")
        watching = self.watch(f"{CONFIG_MAPS}?resourceVersion={version}")
        event, = watching.take()
        self.assertTrue(watching.ended)
        self.assertEqual(event["type"], "ERROR")
        message = event["object"].pop("message")
        self.assertTrue(message.startswith("too old resource version: "), message)
        self.assertEqual(event["object"], {"kind": "Status", "apiVersion": "v1", "metadata": {},
                                           "status": "Failure", "reason": "Expired", "code": 410})

    def test_events(self) -> None:
        """The same for Events, which the report is about."""
        path = "/api/v1/namespaces/default/events"
        event = {"metadata": {"name": "e"}, "involvedObject": {"namespace": "default"}, "type": "Normal"}
        version = self.ask("POST", path, event)["metadata"]["resourceVersion"]
        self.forget(path, "events", {"message": "x"})
        watching = self.watch(f"{path}?resourceVersion={version}")
        self.assertEqual([(one["type"], one["object"]["code"]) for one in watching.take()], [("ERROR", 410)])
        self.assertTrue(watching.ended)

    def forget(self, path: str, resource: str, change: dict[str, str] | None = None) -> None:
        """Let the past go out of the window, and out of the store."""
        name = self.ask("GET", path)["items"][0]["metadata"]["name"]
        cache = self.cluster.server.stores.store("", resource).cache
        for number in range(cache._events.maxlen + 1):
            self.merge(f"{path}/{name}", {**(change or {}), "metadata": {"labels": {"x": str(number)}}})
        self.compact()
