"""The index page and /version."""

from __future__ import annotations

import json

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.discovery.index import install_index
from kube_twisted.endpoints.discovery.version import install_version, release, version_info
from kube_twisted.server.layer import LayerTree
from tests.endpoints.discovery.fakes import ask


class IndexTests(SynchronousTestCase):
    """The list of paths."""

    def test_sorted_and_single(self) -> None:
        """Both pages list every path once, in order, without themselves."""
        tree = LayerTree("front")
        paths = ["/version", "/api", "/apis", "/api", "/"]
        install_index(tree, lambda: paths)
        for page in ("/", "/index.html"):
            response = ask(tree, page)
            self.assertEqual((response.code, response.content_type), (200, "application/json"))
            self.assertEqual(json.loads(response.body), {"paths": ["/api", "/apis", "/version"]})

    def test_follows_changes(self) -> None:
        """A path that is added later is listed."""
        tree = LayerTree("front")
        install_index(tree, lambda: tree.paths)
        install_version(tree, "1.36")
        self.assertEqual(json.loads(ask(tree, "/").body), {"paths": ["/version"]})


class VersionTests(SynchronousTestCase):
    """Which Kubernetes this is."""

    def test_document(self) -> None:
        """Major and minor are the emulated version's; gitVersion also says that it is not the original."""
        tree = LayerTree("front")
        install_version(tree, "1.36")
        response = ask(tree, "/version")
        document = json.loads(response.body)
        self.assertEqual((document["major"], document["minor"], document["compiler"]), ("1", "36", "gc"))
        self.assertTrue(document["gitVersion"].startswith("v1.36.2+kube-twisted."))
        self.assertEqual(ask(tree, "/version/").body, response.body)

    def test_all_members_are_texts(self) -> None:
        """Typed clients read every member as a string."""
        self.assertEqual({type(value) for value in version_info("1.36").values()}, {str})
        self.assertEqual(version_info("1.36")["minCompatibilityMinor"], "35")

    def test_release(self) -> None:
        """A version that no patch release is known of is its first release."""
        self.assertEqual((release("1.36"), release("1.37")), ("1.36.2", "1.37.0"))

    def test_other_methods(self) -> None:
        """Only GET is allowed, not even HEAD."""
        tree = LayerTree("front")
        install_version(tree, "1.36")
        self.assertEqual(self.assertRaises(StatusError, ask, tree, "/version", "HEAD").code, 405)

    def test_refusals(self) -> None:
        """406 for those who don't name JSON, 404 below."""
        tree = LayerTree("front")
        install_version(tree, "1.36")
        for path, accept, code in (("/version", "application/yaml", 406), ("/version", "application/*", 406),
                                   ("/version/x", "*/*", 404)):
            self.assertEqual(self.assertRaises(StatusError, ask, tree, path, accept=accept).code, code)
