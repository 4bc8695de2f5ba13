"""The controller of service accounts."""

from __future__ import annotations

from kube_twisted.api.errors import StatusError
from tests.controlplane.controllers.case import CORE, MERGE, NAMESPACES, ControllerCase


class ServiceAccountTests(ControllerCase):
    """The server with that controller alone."""

    controllers = ("serviceaccount",)

    def owners(self) -> list[str]:
        """The namespaces that have an account ``default``."""
        items = self.ask("GET", f"{CORE}/serviceaccounts?fieldSelector=metadata.name%3Ddefault")["items"]
        return [one["metadata"]["namespace"] for one in items]

    def test_system_namespaces(self) -> None:
        """The namespaces that are there from the start get their account."""
        self.assertEqual(self.owners(), ["default", "kube-node-lease", "kube-public", "kube-system"])

    def test_new_namespace(self) -> None:
        """A new namespace gets its account."""
        self.namespace("x")
        self.cluster.run(0.1)
        self.assertIn("x", self.owners())

    def test_deleted_account(self) -> None:
        """A deleted account is made again, as another one."""
        path = f"{NAMESPACES}/default/serviceaccounts/default"
        before = self.ask("GET", path)["metadata"]["uid"]
        self.ask("DELETE", path)
        self.cluster.run(0.1)
        self.assertNotEqual(self.ask("GET", path)["metadata"]["uid"], before)

    def test_changed_account(self) -> None:
        """What others write into an account stays."""
        path = f"{NAMESPACES}/default/serviceaccounts/default"
        self.ask("PATCH", path, {"imagePullSecrets": [{"name": "key"}]}, MERGE)
        self.cluster.run(0.1)
        self.assertEqual(self.ask("GET", path)["imagePullSecrets"], [{"name": "key"}])

    def test_terminating_namespace(self) -> None:
        """A namespace in deletion gets no account, and that is no failure."""
        path = self.namespace("x")
        self.cluster.run(0.1)
        self.ask("DELETE", path)
        self.ask("DELETE", f"{path}/serviceaccounts/default")
        self.cluster.run(5)
        self.assertNotIn("x", self.owners())

    def test_deleted_unseen(self) -> None:
        """An account whose deletion no watch has told is made again when all accounts are listed anew."""
        self.patch(self.cluster.server._controllers._informers._client, "watch", self.expired)
        self.cluster.server.watches.end_all()
        self.ask("DELETE", f"{NAMESPACES}/default/serviceaccounts/default")
        self.cluster.run(2)
        self.assertIn("default", self.owners())

    async def expired(self, *_: object) -> None:
        raise StatusError(410, "Expired", "too old resource version")
