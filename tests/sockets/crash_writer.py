"""A client that creates, updates and deletes until its server dies, and knows what it was promised."""

from __future__ import annotations

import random
import threading
from http.client import HTTPException
from typing import Any

from attrs import define, field, frozen

from tests.sockets.support.https import Client

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
_MOST_OBJECTS = 30


@frozen
class Known:
    """An object as it was acknowledged.

    :ivar version: its resourceVersion.
    :ivar content: the number that all its fields tell.
    """

    version: int
    content: int


@frozen
class Attempt:
    """A write without an answer: done or not, nobody knows.

    :ivar content: what the object's fields would tell; None when it would be deleted.
    """

    name: str
    content: int | None


def body(name: str, content: int) -> dict[str, Any]:
    """An object whose every field tells the same number, in a size that fills some pages."""
    text = str(content)
    return {"metadata": {"name": name, "labels": {"content": text}, "annotations": {"content": text}},
            "data": {"first": text, "long": f"{text} " * 200, "last": text}}


def content_of(item: dict[str, Any]) -> int:
    """The number that an object tells. :class:`AssertionError` when its fields tell different ones."""
    number = int(item["data"]["first"])
    wanted = body(item["metadata"]["name"], number)
    found = {"metadata": {key: item["metadata"][key] for key in wanted["metadata"]}, "data": item["data"]}
    assert found == wanted, f"half-written: {item}"
    return number


@define
class Ledger:
    """What one client knows, over all its connections.

    :ivar objects: the objects that should be there.
    :ivar history: each acknowledged creation and update.
    :ivar open: the write that was under way when the server died.
    """

    name: str
    random: random.Random
    objects: dict[str, Known] = field(factory=dict)
    history: list[tuple[str, Known]] = field(factory=list)
    open: Attempt | None = None
    writes: int = 0
    errors: list[str] = field(factory=list)

    def write(self, client: Client) -> None:
        """One write."""
        self.writes += 1
        names = sorted(self.objects)
        choice = self.random.random()
        if not names or (choice < 0.4 and len(names) < _MOST_OBJECTS):
            self._put(client, "POST", CONFIG_MAPS, f"{self.name}-{self.writes}")
        elif choice < 0.8:
            name = self.random.choice(names)
            self._put(client, "PUT", f"{CONFIG_MAPS}/{name}", name)
        else:
            self._delete(client, self.random.choice(names))

    def _put(self, client: Client, method: str, path: str, name: str) -> None:
        self.open = Attempt(name, self.writes)
        answer = client.request(method, path, body(name, self.writes))
        if answer.status not in (200, 201):
            raise AssertionError(f"{method} {name}: {answer.status} {answer.body!r}")
        known = Known(int(answer.json()["metadata"]["resourceVersion"]), self.writes)
        self.objects[name] = known
        self.history.append((name, known))
        self.open = None

    def _delete(self, client: Client, name: str) -> None:
        self.open = Attempt(name, None)
        answer = client.request("DELETE", f"{CONFIG_MAPS}/{name}")
        if answer.status != 200:
            raise AssertionError(f"DELETE {name}: {answer.status} {answer.body!r}")
        del self.objects[name]
        self.open = None


class Writing(threading.Thread):
    """Writes for a ledger until the connection breaks."""

    def __init__(self, client: Client, ledger: Ledger) -> None:
        super().__init__()
        self._client = client
        self._ledger = ledger

    def run(self) -> None:
        try:
            while True:
                self._ledger.write(self._client)
        except (OSError, HTTPException):
            self._client.close()
        except AssertionError as error:
            self._ledger.errors.append(str(error))
