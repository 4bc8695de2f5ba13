"""Tests against a whole server in this process: requests with any headers, and watches whose events are collected."""

from __future__ import annotations

import atexit
import functools
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import quote

import orjson
from attrs import frozen
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import Request, Response, StreamingResponse
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.testing.cluster import InProcessCluster

JSON = "application/json"
#: Watch frames wait for a batch; after so many seconds they are there.
_BATCH = 0.01
#: After so many seconds the server has written what it writes by itself at its start.
_SETTLED = 0.05
NAMESPACE = "/api/v1/namespaces/default"
CONFIG_MAPS = f"{NAMESPACE}/configmaps"


@functools.cache
def keys_directory() -> Path:
    """Where all clusters of a test run keep their keys and their compiled schema: making them takes long."""
    directory = Path(tempfile.mkdtemp(prefix="kube-twisted-tests-"))
    atexit.register(rmtree, directory, ignore_errors=True)
    return directory


@functools.cache
def settled_objects(overrides: tuple[tuple[str, str], ...]) -> MemoryStore:
    """What is there once a server has written what it writes at its first start."""
    cluster = InProcessCluster({key: orjson.loads(value) for key, value in overrides}, keys_directory())
    cluster.start()
    try:
        cluster.run(_SETTLED)
        return cluster.objects()
    finally:
        cluster.stop()


@frozen
class SentTransport:
    """The transport of a request that comes over no connection."""

    sent: Mapping[str, str]
    body: bytes
    peer_certificates: tuple[bytes, ...] = ()
    remote_address: str = "192.0.2.1"

    def header(self, name: str) -> str | None:
        return self.sent.get(name)

    def headers(self, name: str) -> list[str]:
        return [self.sent[name]] if name in self.sent else []

    def any_header(self, prefix: str) -> bool:
        return any(name.startswith(prefix) for name in self.sent)

    def all_headers(self) -> dict[str, list[str]]:
        return {name: [value] for name, value in self.sent.items()}

    def read_body(self) -> bytes:
        return self.body


@frozen
class Answer:
    """What came back."""

    request: Request
    response: Response

    @property
    def code(self) -> int:
        return self.response.code

    @property
    def body(self) -> bytes:
        return self.response.body

    @property
    def json(self) -> Any:
        return orjson.loads(self.response.body)

    @property
    def content_type(self) -> str:
        return self.response.content_type

    @property
    def warnings(self) -> list[str]:
        return self.request.warnings

    @property
    def headers(self) -> dict[str, str]:
        """Headers of its own, besides those that all answers have."""
        return dict(self.response.headers or ())


class Watching:
    """A watch, seen from its client.

    :ivar ended: whether the server ended it.
    """

    def __init__(self, advance: Callable[[float], None]) -> None:
        self._advance = advance
        self._raw = b""
        self._gone: Callable[[], None] = self._nothing
        self._pause: Callable[[], None] = self._nothing
        self._resume: Callable[[], None] = self._nothing
        self.ended = False
        self.writes = 0

    def _nothing(self) -> None:
        """Nobody wants to know."""

    def write(self, data: bytes) -> None:
        self._raw += data
        self.writes += 1

    def finish(self) -> None:
        self.ended = True

    def abort(self) -> None:
        self.ended = True

    def on_gone(self, callback: Callable[[], None]) -> None:
        self._gone = callback

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self._pause, self._resume = pause, resume

    # -- the client's side ----------------------------------------------------------------------------------------

    def take_bytes(self) -> bytes:
        """What has come since the last look."""
        self._advance(_BATCH)
        raw, self._raw = self._raw, b""
        return raw

    def take(self) -> list[dict[str, Any]]:
        """The events since the last look."""
        return [orjson.loads(line) for line in self.take_bytes().splitlines()]

    def names(self) -> list[tuple[str, str]]:
        """Type and object name of the events since the last look."""
        return [(event["type"], event["object"]["metadata"].get("name", "")) for event in self.take()]

    def leave(self) -> None:
        """The connection is lost."""
        self._gone()

    def read_slowly(self) -> None:
        """The client stops reading, and buffers fill."""
        self._pause()

    def read_on(self) -> None:
        self._resume()


class ClusterTestCase(SynchronousTestCase):
    """Has a fresh server, without controllers.

    :cvar overrides: settings by dotted key.
    :cvar first_start: whether the server finds nothing at all; else what it writes at its first start is there.
    """

    overrides: Mapping[str, Any] = {}
    first_start = False

    def setUp(self) -> None:
        settings = tuple((key, orjson.dumps(value).decode()) for key, value in self.overrides.items())
        objects = None if self.first_start else settled_objects(settings)
        self.cluster = InProcessCluster(self.overrides, keys_directory(), objects)
        self.cluster.start()
        self.addCleanup(self.cluster.stop)
        self.cluster.run(_SETTLED)
        self.clock = self.cluster.clock

    # -- asking ---------------------------------------------------------------------------------------------------

    def ask(self, method: str, path: str, body: Any = None, content_type: str = JSON) -> dict[str, Any]:
        """The JSON of an answer; StatusError for a refusal."""
        return self.cluster.ask(method, path, body, content_type)

    def refused(self, method: str, path: str, body: Any = None, content_type: str = JSON) -> StatusError:
        """The error that the server answers."""
        return self.assertRaises(StatusError, self.ask, method, path, body, content_type)

    def send(self, method: str, path: str, body: bytes = b"", /, **headers: str) -> Answer:
        """Send bytes; underscores of header names stand for dashes."""
        path, _, query = path.partition("?")
        sent = {"authorization": f"Bearer {self.cluster.server.completed.loopback_token}", "user-agent": "test/1.0",
                **{name.replace("_", "-"): value for name, value in headers.items()}}
        request = Request(method, path, query, SentTransport(sent, body))
        return Answer(request, self.cluster.result(self.cluster.server.handler(request)))

    def watch(self, path: str, /, **headers: str) -> Watching:
        """Open a watch; the path has its query, ``watch=1`` is added."""
        answer = self.send("GET", path + ("&" if "?" in path else "?") + "watch=1", **headers)
        if not isinstance(answer.response, StreamingResponse):
            self.fail(f"{answer.code}: {answer.body!r}")
        watching = Watching(self.clock.advance)
        answer.response.begin(watching)
        return watching

    # -- common objects -------------------------------------------------------------------------------------------

    def config_map(self, name: str, /, labels: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
        """Create a ConfigMap; ``more`` is its metadata."""
        metadata = {"name": name, **({"labels": dict(labels)} if labels else {}), **more}
        return self.ask("POST", CONFIG_MAPS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata})

    def merge(self, path: str, change: Any) -> dict[str, Any]:
        """Send a merge patch."""
        return self.ask("PATCH", path, change, "application/merge-patch+json")

    def revision(self) -> int:
        """The newest revision of the store."""
        return int(self.cluster.server.backend.store.current_revision)

    def compact(self, revision: int = 0) -> None:
        """Have the store forget what was before a revision, or all of the past."""
        self.cluster.result(self.cluster.server.backend.store.compact(revision or self.revision()))


def query(**parameters: str | int) -> str:
    """A query string."""
    return "&".join(f"{name}={quote(str(value), safe='')}" for name, value in parameters.items())
