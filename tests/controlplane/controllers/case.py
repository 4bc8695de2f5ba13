"""A server in the process with some of its controllers running."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.testing.cluster import InProcessCluster
from tests.inprocess import keys_directory

CORE = "/api/v1"
NAMESPACES = f"{CORE}/namespaces"
MERGE = "application/merge-patch+json"


class ControllerCase(SynchronousTestCase):
    """:cvar controllers: those that run."""

    controllers: ClassVar[Sequence[str]] = ()

    def setUp(self) -> None:
        self.cluster = InProcessCluster({"controllers": list(self.controllers)}, keys_directory())
        self.cluster.start()
        self.addCleanup(self.cluster.stop)
        self.cluster.run(0.1)

    def ask(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> dict[str, Any]:
        return self.cluster.ask(method, path, body, content_type)

    def find(self, path: str) -> dict[str, Any] | None:
        """The object at a path, None when there is none."""
        try:
            return self.ask("GET", path)
        except StatusError as error:
            self.assertEqual(error.code, 404)
            return None

    def namespace(self, name: str) -> str:
        """Make a namespace; gives its path."""
        self.ask("POST", NAMESPACES, {"metadata": {"name": name}})
        return f"{NAMESPACES}/{name}"
