"""Paths of one server layer: fixed ones, and group-versions that split the rest of a path themselves."""

from __future__ import annotations

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.layer import LayerTree
from tests.endpoints.discovery.fakes import ask


async def branch(request: Request) -> Response:
    return Response(200, b"below: " + request.path.encode())


async def exact(_request: Request, **parts: str) -> Response:
    return Response(200, b"exact: " + " ".join(parts.values()).encode())


class BranchTests(SynchronousTestCase):
    """A group-version's prefix and what is below it."""

    def setUp(self) -> None:
        self.tree = LayerTree("front")
        self.tree.mount("/apis/apps/v1", branch)
        self.tree.route("/apis/<group>/<version>", exact, slash=True)

    def test_below(self) -> None:
        """Everything below the prefix goes to the branch, with the path as it was sent."""
        for path in ("/apis/apps/v1/deployments", "/apis/apps/v1/namespaces/a%2Fb/deployments//x"):
            for _ in range(2):
                self.assertEqual(ask(self.tree, path).body, b"below: " + path.encode())

    def test_the_prefix_itself(self) -> None:
        """The prefix is a path like others, with and without a slash, also once the branch is remembered."""
        for path in ("/apis/apps/v1", "/apis/apps/v1/", "/apis/apps/v1/deployments", "/apis/apps/v1/"):
            expected = b"below: " + path.encode() if path.endswith("s") else b"exact: apps v1"
            self.assertEqual(ask(self.tree, path).body, expected)

    def test_wide_branch(self) -> None:
        """A branch of many group-versions answers for all that nobody else has, and is remembered for each."""
        async def custom(request: Request) -> Response:
            return Response(200, b"custom: " + request.path.encode())

        self.tree.mount("/apis", custom)
        for path in ("/apis/example.com/v1/widgets", "/apis/example.com", "/apis/example.com/v1/widgets/a"):
            for _ in range(2):
                self.assertEqual(ask(self.tree, path).body, b"custom: " + path.encode())
        self.assertEqual(ask(self.tree, "/apis/apps/v1/deployments").body, b"below: /apis/apps/v1/deployments")

    def test_slash(self) -> None:
        """Other paths end without a slash."""
        self.tree.route("/metrics", exact)
        self.assertIsNotNone(self.tree.resolve("/metrics"))
        self.assertIsNone(self.tree.resolve("/metrics/"))

    def test_other_group_versions(self) -> None:
        """Paths below other prefixes are left to the next server, until the prefix is mounted."""
        self.assertIsNone(self.tree.resolve("/apis/batch/v1/jobs"))
        self.tree.mount("/apis/batch/v1", branch)
        self.assertEqual(ask(self.tree, "/apis/batch/v1/jobs").body, b"below: /apis/batch/v1/jobs")
