"""A test case whose tests share one running server, each in a namespace of its own."""

from __future__ import annotations

import atexit
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from twisted.trial.unittest import SynchronousTestCase

from tests.sockets.support.https import Client
from tests.sockets.support.process import ServerFailed, ServerProcess


class SharedServer:
    """The server of the test case class that runs now: started by its first test, ended by the next class's.

    One at a time, because trial knows no end of a class. The last one ends with the interpreter.
    """

    def __init__(self) -> None:
        self._owner: type | None = None
        self._server: ServerProcess | None = None
        self._failed: dict[type, ServerFailed] = {}
        atexit.register(self.end)

    def of(self, owner: type[ServerTestCase]) -> ServerProcess:
        """The owner's server, running; started anew when it has ended.

        :raises ServerFailed: when it does not start; a second attempt would only take as long.
        """
        if owner in self._failed:
            raise self._failed[owner]
        if self._owner is not owner or self._server is None or not self._server.running:
            self.end()
            folder = Path(tempfile.mkdtemp(prefix=f"{owner.__name__}-", dir="."))
            self._owner, self._server = owner, ServerProcess(folder, owner.settings, owner.controllers)
            try:
                self._server.start()
            except ServerFailed as failure:
                self._failed[owner] = failure
                raise
        return self._server

    def end(self) -> None:
        server, self._server, self._owner = self._server, None, None
        if server is not None and server.running:
            server.terminate()


_shared = SharedServer()


class ServerTestCase(SynchronousTestCase):
    """Its tests find ``server``, a ``client`` of the administrator's and an empty ``namespace``.

    :ivar path: the path of the namespace, below which its core objects are.
    :cvar settings: the server's configuration.
    :cvar controllers: the controllers that it runs.
    :cvar shares_with: the class whose server it uses, rather than one of its own; their tests have different names.
    """

    shares_with: ClassVar[type[ServerTestCase] | None] = None
    settings: ClassVar[Mapping[str, Any]] = {}
    controllers: ClassVar[Sequence[str]] = ()

    def setUp(self) -> None:
        self.server = self.start_server()
        self.client: Client = self.server.client()
        self.addCleanup(self.client.close)
        self.namespace = re.sub("[^a-z0-9]+", "-", self._testMethodName.lower()).strip("-")[:60]
        self.path = f"/api/v1/namespaces/{self.namespace}"
        self.create("/api/v1/namespaces", {"metadata": {"name": self.namespace}})
        if "serviceaccount" not in self.controllers:
            self.create(f"{self.path}/serviceaccounts", {"metadata": {"name": "default"}})

    def start_server(self) -> ServerProcess:
        """The class's server, running."""
        return _shared.of(self.shares_with or type(self))

    def create(self, path: str, body: Mapping[str, Any]) -> Any:
        """POST an object; what the server made of it."""
        answer = self.client.request("POST", path, body)
        if answer.status != 201:
            raise self.server.failure(f"POST {path}: {answer.status} {answer.body!r}")
        return answer.json()
