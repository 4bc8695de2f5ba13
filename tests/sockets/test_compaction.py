"""A server that forgets its past quickly: what clients with old versions and old continue tokens are told."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.https import Answer

_PATIENCE = 60.0
EXPIRED_CONTINUE = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list "
    "without the continue parameter, or use the continue token in this response to retrieve the remainder of the "
    "results. Continuing with the provided token results in an inconsistent list - objects that were created, "
    "modified, or deleted between the time the first chunk was returned and now may show up in the list.")


class CompactionTests(ServerTestCase):
    settings = {"storage": {"compactionInterval": "1s"}}

    def setUp(self) -> None:
        super().setUp()
        self.config_maps = f"{self.path}/configmaps"
        for name in "abcde":
            self.create(self.config_maps, {"metadata": {"name": name}})

    def get(self, **query: Any) -> Answer:
        return self.client.request("GET", f"{self.config_maps}?{urlencode(query)}")

    def until(self, status: int, ask: Callable[[], Answer]) -> Any:
        """Change something and ask, again and again, until the status comes; the answer then."""
        end = time.monotonic() + _PATIENCE
        while (answer := ask()).status != status:
            self.assertLess(time.monotonic(), end, answer)
            self.client.request("PUT", f"{self.config_maps}/e", {"metadata": {"name": "e"},
                                                                 "data": {"time": str(time.monotonic())}})
            time.sleep(0.1)
        return answer.json()

    def names(self, page: Any) -> list[str]:
        return [item["metadata"]["name"] for item in page["items"]]

    def test_continue(self) -> None:
        """A token that is too old is 410 with a fresh one, which leads on through what is there now."""
        page = self.get(limit=2).json()
        self.assertEqual((self.names(page), page["metadata"]["remainingItemCount"]), (["a", "b"], 3))
        token = page["metadata"]["continue"]
        gone = self.until(410, lambda: self.get(**{"limit": 2, "continue": token}))
        self.assertEqual((gone["reason"], gone["message"]), ("Expired", EXPIRED_CONTINUE))
        self.create(self.config_maps, {"metadata": {"name": "bb"}})
        fresh = gone["metadata"]["continue"]
        self.assertNotEqual(fresh, token)
        page = self.get(**{"limit": 2, "continue": fresh}).json()
        self.assertEqual(self.names(page), ["bb", "c"])
        page = self.get(**{"limit": 9, "continue": page["metadata"]["continue"]}).json()
        self.assertEqual((self.names(page), "continue" in page["metadata"]), (["d", "e"], False))

    def test_exact(self) -> None:
        """A list as of a version that is gone is 410 and has no token."""
        version = self.get().json()["metadata"]["resourceVersion"]
        exactly = {"resourceVersion": version, "resourceVersionMatch": "Exact"}
        self.assertEqual(self.names(self.get(**exactly).json()), list("abcde"))
        gone = self.until(410, lambda: self.get(**exactly))
        self.assertEqual((gone["reason"], gone["metadata"]), ("Expired", {}))
        self.assertEqual(self.names(self.get(resourceVersion=version).json()), list("abcde"))

    def test_watch(self) -> None:
        """After a restart, a watch from a version that is gone gets an error event, and ends."""
        version = self.get().json()["metadata"]["resourceVersion"]
        exactly = {"resourceVersion": version, "resourceVersionMatch": "Exact"}
        self.until(410, lambda: self.get(**exactly))
        self.server.terminate()
        self.server.start()
        client = self.server.client()
        events = list(client.watch(f"{self.config_maps}?watch=true&resourceVersion=1&timeoutSeconds=5"))
        self.assertEqual([(event["type"], event["object"]["code"]) for event in events], [("ERROR", 410)])
        self.assertRegex(events[0]["object"]["message"], r"\Atoo old resource version: 1 \(\d+\)\Z")
