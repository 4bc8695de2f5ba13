"""From a path below a group-version to what answers it."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroupVersion, APIResource
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.request_info import resolve
from tests.inprocess import SentTransport

VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch")


def handler(name: str) -> Handler:
    async def answer(_request: Request) -> Response:
        return Response(200, name.encode())

    answer.__name__ = name
    return answer


def resource(name: str, namespaced: bool, verbs: tuple[str, ...]) -> APIResource:
    return APIResource(name, "X", namespaced, verbs, {verb: handler(verb) for verb in verbs})


class FindTests(SynchronousTestCase):
    def setUp(self) -> None:
        resources = (
            resource("pods", True, VERBS), resource("pods/status", True, ("get", "patch", "update")),
            resource("pods/exec", True, ("connect",)), resource("pods/eviction", True, ("create",)),
            resource("nodes", False, VERBS), resource("reviews", False, ("create",)),
            resource("namespaces", False, VERBS), resource("localreviews", True, ("create",)))
        self.version = APIGroupVersion(GroupVersion("", "v1"), {one.name: one for one in resources})

    def found(self, method: str, path: str) -> str:
        """The verb that answers, or the code of the refusal."""
        path, _, query = path.partition("?")
        request = Request(method, path, query, SentTransport({}, b""))
        request.info = resolve(method, path)
        try:
            return self.version.find(request).__name__
        except StatusError as error:
            return str(error.code)

    def test_table(self) -> None:
        """Methods and paths with the verb they mean, 404 where no such path is, 405 where no such method is."""
        rows = (
            ("GET", "/api/v1/namespaces/ns/pods", "list"), ("GET", "/api/v1/pods", "list"),
            ("POST", "/api/v1/pods", "405"), ("DELETE", "/api/v1/pods", "405"),
            ("POST", "/api/v1/namespaces/ns/pods", "create"),
            ("DELETE", "/api/v1/namespaces/ns/pods", "deletecollection"),
            ("PUT", "/api/v1/namespaces/ns/pods", "405"), ("HEAD", "/api/v1/namespaces/ns/pods", "405"),
            ("GET", "/api/v1/namespaces/ns/pods/p", "get"), ("PUT", "/api/v1/namespaces/ns/pods/p", "update"),
            ("PATCH", "/api/v1/namespaces/ns/pods/p", "patch"), ("DELETE", "/api/v1/namespaces/ns/pods/p", "delete"),
            ("POST", "/api/v1/namespaces/ns/pods/p", "405"), ("GET", "/api/v1/pods/p", "404"),
            ("PUT", "/api/v1/namespaces/ns/pods/p/status", "update"),
            ("DELETE", "/api/v1/namespaces/ns/pods/p/status", "405"),
            ("POST", "/api/v1/namespaces/ns/pods/p/eviction", "create"),
            ("GET", "/api/v1/namespaces/ns/pods/p/exec", "connect"),
            ("POST", "/api/v1/namespaces/ns/pods/p/exec", "connect"),
            ("GET", "/api/v1/namespaces/ns/pods/p/other", "404"),
            ("GET", "/api/v1/namespaces/ns/pods/p/status/x", "404"), ("GET", "/api/v1/others", "404"),
            ("GET", "/api/v1/nodes/n", "get"), ("GET", "/api/v1/namespaces/ns/nodes", "404"),
            ("POST", "/api/v1/nodes", "create"), ("POST", "/api/v1/reviews", "create"),
            ("GET", "/api/v1/reviews", "405"), ("GET", "/api/v1/reviews/r", "404"),
            ("PATCH", "/api/v1/namespaces/ns/localreviews/r", "404"), ("POST", "/api/v1/localreviews", "404"),
            ("GET", "/api/v1/namespaces/ns", "get"), ("DELETE", "/api/v1/namespaces", "deletecollection"),
            ("GET", "/api/v1/namespaces//pods", "list"), ("POST", "/api/v1/namespaces//pods", "create"),
            ("DELETE", "/api/v1/namespaces//pods", "400"), ("PUT", "/api/v1/namespaces//pods/p", "400"),
            ("POST", "/api/v1/namespaces//pods/p", "405"),
        )
        for method, path, expected in rows:
            self.assertEqual(self.found(method, path), expected, f"{method} {path}")

    def test_watch(self) -> None:
        """A list with ``watch`` is a watch, in one namespace and in all; a get of an object stays one."""
        self.assertEqual(self.found("GET", "/api/v1/pods?watch=1"), "watch")
        self.assertEqual(self.found("GET", "/api/v1/namespaces/ns/pods?watch=true"), "watch")
        self.assertEqual(self.found("GET", "/api/v1/namespaces/ns/pods?watch=false"), "list")
        self.assertEqual(self.found("GET", "/api/v1/namespaces/ns/pods/p?watch=1"), "get")

    def test_old_watch_paths(self) -> None:
        """The old watch paths take GET, and exist for what can be watched."""
        self.assertEqual(self.found("GET", "/api/v1/watch/namespaces/ns/pods/p"), "watch")
        self.assertEqual(self.found("POST", "/api/v1/watch/pods"), "405")
        self.assertEqual(self.found("GET", "/api/v1/watch/reviews"), "404")

    def test_old_proxy_paths(self) -> None:
        """Nothing is left of the old proxy paths; they are no other way to the objects."""
        for method, path in (("GET", "nodes/n"), ("GET", "namespaces/ns/pods/p"), ("DELETE", "nodes/n"),
                             ("POST", "namespaces/ns/pods"), ("GET", "namespaces/ns/pods/p/exec")):
            self.assertEqual(self.found(method, f"/api/v1/proxy/{path}"), "404", f"{method} {path}")
