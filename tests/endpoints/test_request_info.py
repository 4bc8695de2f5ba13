"""What a path and a method mean."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request_info import BadRequestPath, is_watch, resolve


class ResolveTests(SynchronousTestCase):
    """Paths of the API."""

    def test_paths(self) -> None:
        """Verb, group, version, namespace, resource, name and subresource of the usual paths."""
        rows = (
            ("GET", "/api/v1/pods", ("list", "", "v1", "", "pods", "", "")),
            ("GET", "/api/v1/namespaces/ns/pods", ("list", "", "v1", "ns", "pods", "", "")),
            ("POST", "/api/v1/namespaces/ns/pods", ("create", "", "v1", "ns", "pods", "", "")),
            ("DELETE", "/api/v1/namespaces/ns/pods", ("deletecollection", "", "v1", "ns", "pods", "", "")),
            ("GET", "/api/v1/namespaces/ns/pods/p", ("get", "", "v1", "ns", "pods", "p", "")),
            ("HEAD", "/api/v1/namespaces/ns/pods/p", ("get", "", "v1", "ns", "pods", "p", "")),
            ("PUT", "/apis/apps/v1/namespaces/ns/deployments/d",
             ("update", "apps", "v1", "ns", "deployments", "d", "")),
            ("PATCH", "/apis/apps/v1/namespaces/ns/deployments/d/scale",
             ("patch", "apps", "v1", "ns", "deployments", "d", "scale")),
            ("DELETE", "/api/v1/nodes/n", ("delete", "", "v1", "", "nodes", "n", "")),
            ("BREW", "/api/v1/nodes/n", ("", "", "v1", "", "nodes", "n", "")),
        )
        for method, path, expected in rows:
            info = resolve(method, path)
            self.assertEqual((info.verb, info.group, info.version, info.namespace, info.resource, info.name,
                              info.subresource), expected, path)
            self.assertTrue(info.is_resource)

    def test_namespaces(self) -> None:
        """A namespace is an object, has two subresources, and what else follows it is a resource in it."""
        rows = (
            ("/api/v1/namespaces", ("", "namespaces", "", "")),
            ("/api/v1/namespaces/ns", ("ns", "namespaces", "ns", "")),
            ("/api/v1/namespaces/ns/status", ("ns", "namespaces", "ns", "status")),
            ("/api/v1/namespaces/ns/finalize", ("ns", "namespaces", "ns", "finalize")),
            ("/api/v1/namespaces/ns/other", ("ns", "other", "", "")),
        )
        for path, expected in rows:
            info = resolve("GET", path)
            self.assertEqual((info.namespace, info.resource, info.name, info.subresource), expected, path)

    def test_other_paths(self) -> None:
        """Paths that are about no resource: the verb is the method."""
        for path, prefix in (("/", ""), ("/healthz", ""), ("/api", ""), ("/api/v1", "/api"), ("/apis/apps", "/apis"),
                             ("/apis/apps/v1/", "/apis"), ("/apisx/a/b/c", "")):
            info = resolve("GET", path)
            self.assertEqual((info.is_resource, info.verb), (False, "get"), path)
            if prefix:
                self.assertEqual(info.prefix, prefix, path)

    def test_encoded(self) -> None:
        """The path is decoded before it is split: an encoded slash parts segments too."""
        info = resolve("GET", "/api/v1/namespaces/a%20b/pods/x%2Fy")
        self.assertEqual((info.namespace, info.name, info.subresource), ("a b", "x", "y"))

    def test_the_rest(self) -> None:
        """What follows a subresource is kept for whoever proxies."""
        info = resolve("GET", "/api/v1/namespaces/ns/services/s/proxy/a/b")
        self.assertEqual((info.subresource, info.parts[3:]), ("proxy", ("a", "b")))

    def test_old_watch_paths(self) -> None:
        """The paths below ``/watch/``, of before watches had a parameter."""
        info = resolve("GET", "/api/v1/watch/namespaces/ns/pods/p")
        self.assertEqual((info.verb, info.watch_path, info.namespace, info.resource, info.name),
                         ("watch", True, "ns", "pods", "p"))

    def test_nothing_behind_it(self) -> None:
        """A ``/watch`` or ``/proxy`` prefix alone means nothing."""
        for path in ("/api/v1/watch", "/apis/apps/v1/proxy/"):
            error = self.assertRaises(BadRequestPath, resolve, "GET", path)
            self.assertEqual(str(error), f"unable to determine kind and namespace from url, {path}")


class IsWatchTests(SynchronousTestCase):
    def test_values(self) -> None:
        """Everything but 0 and false is a watch, also nothing at all."""
        for value, expected in (("1", True), ("true", True), ("", True), ("x", True), ("0", False), ("False", False)):
            self.assertEqual(is_watch({"watch": [value]}), expected, value)
        self.assertFalse(is_watch({}))
