"""One server of the delegation chain, and the end of the chain."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroupVersion, APIResource
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.generic import APIGroupInfo, GenericAPIServer, NotFound
from kube_twisted.server.health import HealthCheck
from tests.server.filters.requests import answer, outcome, request


def version(group: str, name: str, resource: str) -> APIGroupVersion:
    async def handle(_request: Request) -> Response:
        return Response(200, f"{group}/{name} {resource}".encode())

    handlers: dict[str, Handler] = {"list": handle, "get": handle}
    return APIGroupVersion(GroupVersion(group, name),
                           {resource: APIResource(resource, "X", False, ("get", "list"), handlers)})


async def nothing() -> None:
    """A hook that does nothing."""


class ChainTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.end = NotFound()
        self.back = GenericAPIServer("back", self.end)
        self.front = GenericAPIServer("front", self.back)
        self.end.front = self.front
        self.back.install_legacy_api_group("/api", APIGroupInfo("", [version("", "v1", "nodes")]))
        self.back.install_api_groups([APIGroupInfo("apps", [version("apps", "v1", "decks")])])
        self.front.install_api_groups([APIGroupInfo("apps", [
            version("apps", "v2", "decks"), version("apps", "v1", "x")])])

    def body(self, path: str) -> bytes:
        return answer(self.front.handle, request(path)).body

    def refusal(self, path: str) -> StatusError:
        return self.failureResultOf(outcome(self.front.handle, request(path)), StatusError).value

    def test_delegation(self) -> None:
        """The first server that knows a path answers it."""
        self.assertEqual(self.body("/api/v1/nodes"), b"/v1 nodes")
        self.assertEqual(self.body("/apis/apps/v2/decks"), b"apps/v2 decks")
        self.assertEqual(self.body("/apis/apps/v1/x"), b"apps/v1 x")

    def test_not_found(self) -> None:
        """A Status below /api and known groups, plain text elsewhere."""
        for path in ("/api/v1/nope", "/api/v9/nodes", "/apis/apps/v9/decks"):
            self.assertEqual(self.refusal(path).code, 404, path)
        for path in ("/nope", "/apis/example.com/v1/x"):
            self.assertEqual(self.body(path), b"404 page not found\n", path)

    def test_groups(self) -> None:
        """The server in front shows the groups of those behind it; of a version that both have, its own."""
        groups = {one.name: [str(version.group_version) for version in one.versions] for one in self.front.all_groups()}
        self.assertEqual(groups, {"apps": ["apps/v2", "apps/v1"], "": ["v1"]})
        self.assertEqual(list(self.front.all_groups()[0].versions[1].resources), ["x"])
        self.assertTrue(self.front.has_group_version(GroupVersion("", "v1")))
        self.assertFalse(self.front.has_group_version(GroupVersion("apps", "v3")))

    def test_what_is_taken_over(self) -> None:
        """Paths, checks and hooks of those behind come along: first to start is the last, first to stop the first."""
        for server in (self.back, self.front):
            name = server.name
            server.tree.route(f"/{name}", self.back.handle)
            server.checks.append(HealthCheck(name, lambda: None))
            server.post_start_hooks.append((name, nothing))
            server.pre_shutdown_hooks.append((name, nothing))
        self.assertEqual(self.front.all_paths(), ["/back", "/front"])
        self.assertEqual([one.name for one in self.front.all_checks()], ["back", "front"])
        self.assertEqual([name for name, _ in self.front.all_hooks()], ["back", "front"])
        self.assertEqual([name for name, _ in self.front.all_stop_hooks()], ["front", "back"])
