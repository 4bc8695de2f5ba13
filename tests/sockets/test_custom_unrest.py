"""A definition that changes all the time, while its objects are written and watched: nothing is lost, nothing fails."""

from __future__ import annotations

import threading
from http.client import HTTPException
from typing import Any

from tests.sockets.support.case import ServerTestCase
from tests.sockets.support.https import Client

DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
PATH = f"{DEFINITIONS}/widgets.example.com"
_MERGE = {"Content-Type": "application/merge-patch+json"}
_WRITERS, _ROUNDS, _CHANGES = 3, 40, 25


def versions(round_: int) -> list[dict[str, Any]]:
    """One schema a round; the storage version goes to and fro."""
    spec = {"size": {"type": "integer"}, f"field{round_ % 3}": {"type": "string", "default": "x"}}
    schema = {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}
    return [{"name": name, "served": True, "storage": storage, "schema": {"openAPIV3Schema": schema}}
            for name, storage in (("v1", round_ % 2 == 0), ("v2", round_ % 2 == 1))]


class UnrestTests(ServerTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.create(DEFINITIONS, {"metadata": {"name": "widgets.example.com"}, "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": "Widget"},
            "versions": versions(0)}})
        self.paths = [f"/apis/example.com/{version}/namespaces/{self.namespace}/widgets" for version in ("v1", "v2")]
        self.server.wait_for(lambda: self.client.request("GET", self.paths[0]).status == 200, "widgets are served")
        self.problems: list[str] = []
        self.ending = threading.Event()

    def test_unrest(self) -> None:
        """Writers in both versions see no failure but conflicts; a watch that is resumed misses nothing."""
        watched: list[dict[str, str]] = [{}, {}]
        followers = [self.begin(self.follow, path, seen) for path, seen in zip(self.paths, watched, strict=True)]
        workers = [self.begin(self.write, number) for number in range(_WRITERS)]
        workers.append(self.begin(self.change))
        for one in workers:
            one.join()
        self.ending.set()
        last = self.create(self.paths[0], self.widget("last", "v1", 0))
        for one in followers:
            one.join()
        self.assertEqual(self.problems, [])
        for path, seen in zip(self.paths, watched, strict=True):
            listed = {one["metadata"]["name"]: one["metadata"]["resourceVersion"]
                      for one in self.client.request("GET", path).json()["items"]}
            self.assertEqual(seen, listed)
        self.assertIn(last["metadata"]["name"], watched[0])
        self.assertNotIn("Traceback", self.server.output())

    def begin(self, work: Any, *arguments: Any) -> threading.Thread:
        def run() -> None:
            client = self.server.client()
            try:
                work(client, *arguments)
            except Exception as error:
                self.problems.append(repr(error))
            finally:
                client.close()

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    @staticmethod
    def widget(name: str, version: str, size: int) -> dict[str, Any]:
        return {"apiVersion": f"example.com/{version}", "kind": "Widget", "metadata": {"name": name},
                "spec": {"size": size}}

    def write(self, client: Client, number: int) -> None:
        """Make objects, change them all ways, delete some."""
        for round_ in range(_ROUNDS):
            name, path = f"w{number}-{round_}", self.paths[(number + round_) % 2]
            answer = client.request("POST", path, self.widget(name, path.split("/")[3], 1))
            self.check("POST", answer, 201)
            self.check("PATCH", client.request("PATCH", f"{path}/{name}", {"spec": {"size": 2}}, _MERGE), 200)
            found = client.request("GET", f"{path}/{name}")
            self.check("GET", found, 200)
            self.check("PUT", client.request("PUT", f"{path}/{name}", found.json()), 200, 409)
            if round_ % 3 == 0:
                self.check("DELETE", client.request("DELETE", f"{path}/{name}"), 200)

    def check(self, what: str, answer: Any, *expected: int) -> None:
        if answer.status not in expected:
            self.problems.append(f"{what}: {answer.status} {answer.body!r}")

    def change(self, client: Client) -> None:
        """Change the definition."""
        for round_ in range(1, _CHANGES):
            self.check("change", client.request("PATCH", PATH, {"spec": {"versions": versions(round_)}}, _MERGE), 200)
            self.ending.wait(0.03)

    def follow(self, client: Client, path: str, seen: dict[str, str]) -> None:
        """Keep up with the objects; resume when the watch ends."""
        version = client.request("GET", path).json()["metadata"]["resourceVersion"]
        while "last" not in seen:
            try:
                for event in client.watch(f"{path}?watch=1&resourceVersion={version}&timeoutSeconds=20"):
                    if event["type"] == "ERROR":
                        raise AssertionError(event)
                    meta = event["object"]["metadata"]
                    version = meta["resourceVersion"]
                    if event["type"] == "DELETED":
                        del seen[meta["name"]]
                    else:
                        seen[meta["name"]] = version
                    if meta["name"] == "last":
                        return
            except (HTTPException, OSError):
                client.close()
