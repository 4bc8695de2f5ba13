"""Which requests a FlowSchema is about."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.flowcontrol.matching import Digest, read_schema
from tests.flowcontrol.objects import EVERYTHING, Obj, account, asks, asks_path, group, schema, user


class SubjectTests(SynchronousTestCase):
    def _matches(self, subject: Obj, digest: Digest) -> bool:
        return read_schema(schema("s", subject)).matches(digest)

    def test_users(self) -> None:
        """A user is matched by the whole name; ``*`` is every user."""
        self.assertTrue(self._matches(user("ann"), asks("ann")))
        self.assertFalse(self._matches(user("ann"), asks("anna")))
        self.assertTrue(self._matches(user("*"), asks("anybody")))

    def test_groups(self) -> None:
        """One group of the user is enough; ``*`` is every group, and users without any."""
        self.assertTrue(self._matches(group("b"), asks("ann", "a", "b")))
        self.assertFalse(self._matches(group("b"), asks("ann", "a")))
        self.assertTrue(self._matches(group("*"), asks("ann")))

    def test_service_accounts(self) -> None:
        """A service account is one by name, or with ``*`` all of a namespace, and of no namespace that begins so."""
        self.assertTrue(self._matches(account("ns", "web"), asks("system:serviceaccount:ns:web")))
        self.assertFalse(self._matches(account("ns", "web"), asks("system:serviceaccount:ns:db")))
        self.assertTrue(self._matches(account("ns", "*"), asks("system:serviceaccount:ns:db")))
        self.assertFalse(self._matches(account("ns", "*"), asks("system:serviceaccount:ns2:db")))


class ResourceRuleTests(SynchronousTestCase):
    def _matches(self, digest: Digest, **rule: object) -> bool:
        return read_schema(schema("s", user("*"), resources=[{**EVERYTHING, **rule}], paths=[])).matches(digest)

    def test_verbs_groups_resources(self) -> None:
        """All three must fit."""
        self.assertTrue(self._matches(asks(), verbs=["get"], apiGroups=[""], resources=["pods"]))
        self.assertFalse(self._matches(asks(verb="list"), verbs=["get"]))
        self.assertFalse(self._matches(asks(api_group="apps"), apiGroups=[""]))
        self.assertFalse(self._matches(asks(resource="nodes"), resources=["pods"]))

    def test_subresources(self) -> None:
        """A subresource is named with its resource; the resource alone does not stand for it."""
        self.assertTrue(self._matches(asks(subresource="status"), resources=["pods/status"]))
        self.assertFalse(self._matches(asks(subresource="status"), resources=["pods"]))

    def test_namespaces(self) -> None:
        """Requests without a namespace need clusterScope; others one of the namespaces."""
        self.assertFalse(self._matches(asks(namespace=""), clusterScope=False))
        self.assertTrue(self._matches(asks(namespace=""), clusterScope=True, namespaces=[]))
        self.assertTrue(self._matches(asks(namespace="a"), namespaces=["a", "b"]))
        self.assertFalse(self._matches(asks(namespace="c"), namespaces=["a", "b"]))

    def test_no_paths(self) -> None:
        """Rules about resources say nothing about paths."""
        self.assertFalse(self._matches(asks_path("/healthz")))


class PathRuleTests(SynchronousTestCase):
    def _matches(self, path: str, *rules: str) -> bool:
        rule = {"verbs": ["get"], "nonResourceURLs": list(rules)}
        return read_schema(schema("s", user("*"), resources=[], paths=[rule])).matches(asks_path(path))

    def test_paths(self) -> None:
        """A path matches itself, what is below it, and with ``/*`` the same."""
        self.assertTrue(self._matches("/healthz", "/healthz"))
        self.assertTrue(self._matches("/healthz/etcd", "/healthz"))
        self.assertTrue(self._matches("/healthz/etcd", "/healthz/*"))
        self.assertFalse(self._matches("/healthzz", "/healthz"))
        self.assertTrue(self._matches("/anything", "/nope", "*"))

    def test_verbs(self) -> None:
        """The verb must fit as well."""
        rule = {"verbs": ["post"], "nonResourceURLs": ["*"]}
        self.assertFalse(read_schema(schema("s", user("*"), paths=[rule])).matches(asks_path("/healthz")))


class FlowTests(SynchronousTestCase):
    def test_distinguishers(self) -> None:
        """Flows of a schema are told apart by user, by namespace, or not at all."""
        request = asks("ann", namespace="ns")
        for by, name in (("ByUser", "ann"), ("ByNamespace", "ns"), ("", "")):
            self.assertEqual(read_schema(schema("s", user("*"), by=by)).flow_of(request), name)
