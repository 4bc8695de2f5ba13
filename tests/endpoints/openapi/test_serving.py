"""The OpenAPI documents over HTTP: index, hashes, caching, compression."""

from __future__ import annotations

import gzip
import json
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.endpoints.openapi import Document, OpenAPIDocuments, install_openapi
from kube_twisted.endpoints.request import Response
from kube_twisted.server.layer import LayerTree
from tests.endpoints.discovery.fakes import ask, headers_of
from tests.endpoints.openapi.shared import installed
from tests.schema.shared_schema import shared_schema


class ServingTestCase(SynchronousTestCase):
    """Asks a tree on which three groups are installed."""

    def setUp(self) -> None:
        self.tree = LayerTree("front")
        self.groups = [APIGroup("", [installed("v1")]), APIGroup("apps", [installed("apps/v1")]),
                       APIGroup("autoscaling", [installed("autoscaling/v2"), installed("autoscaling/v1")])]
        self.documents: OpenAPIDocuments = install_openapi(
            self.tree, lambda: self.groups, shared_schema(), paths=lambda: ["/version", "/healthz"])

    def ask(self, path: str, method: str = "GET", **headers: str) -> Response:
        return ask(self.tree, path, method, **headers)

    def index(self) -> Any:
        return json.loads(self.ask("/openapi/v3").body)["paths"]

    def address(self, name: str) -> str:
        return str(self.index()[name]["serverRelativeURL"])


class IndexTests(ServingTestCase):
    """What /openapi/v3 lists."""

    def test_names(self) -> None:
        """Roots, groups, group-versions and those fixed paths that are there and described."""
        self.assertEqual(list(self.index()), [
            "api", "api/v1", "apis", "apis/apps", "apis/apps/v1", "apis/autoscaling", "apis/autoscaling/v1",
            "apis/autoscaling/v2", "version"])

    def test_addresses(self) -> None:
        """Each is given with its hash, and is found there."""
        for name, entry in self.index().items():
            self.assertTrue(entry["serverRelativeURL"].startswith(f"/openapi/v3/{name}?hash="))
            response = self.ask(entry["serverRelativeURL"])
            self.assertEqual((response.code, response.content_type), (200, "application/json"), name)
            self.assertEqual(json.loads(response.body)["openapi"], "3.0.0")

    def test_content_type(self) -> None:
        """The original's aggregator sends the index as text."""
        self.assertEqual(self.ask("/openapi/v3").content_type, "text/plain; charset=utf-8")

    def test_nothing_is_rendered_for_it(self) -> None:
        """Hashes are known without rendering: the index costs no definitions."""
        self.index()
        self.assertEqual(self.documents._kept, {})


class DocumentTests(ServingTestCase):
    """One document."""

    def test_small_documents(self) -> None:
        """The roots and groups have a document of one operation each."""
        for name, path, identity in (
            ("api", "/api/", "getCoreAPIVersions"), ("apis", "/apis/", "getAPIVersions"),
            ("apis/apps", "/apis/apps/", "getAppsAPIGroup"), ("version", "/version/", "getCodeVersion"),
        ):
            document = json.loads(self.ask(f"/openapi/v3/{name}").body)
            self.assertEqual(list(document["paths"]), [path])
            self.assertEqual(document["paths"][path]["get"]["operationId"], identity)

    def test_without_a_hash(self) -> None:
        """Who does not name a hash is told only the entity tag."""
        headers = headers_of(self.ask("/openapi/v3/apis/apps/v1"))
        self.assertNotIn("Cache-Control", headers)
        self.assertTrue(headers["Etag"].startswith('"'))

    def test_with_its_hash(self) -> None:
        """A document that is named by its hash never changes, and may be kept."""
        headers = headers_of(self.ask(self.address("apis/apps/v1")))
        self.assertEqual(headers["Cache-Control"], "public, immutable")
        self.assertTrue(headers["Expires"].endswith(" 1971 00:00:00 GMT"), headers["Expires"])

    def test_with_an_old_hash(self) -> None:
        """An old hash leads to the present one."""
        response = self.ask("/openapi/v3/apis/apps/v1?hash=0123")
        self.assertEqual((response.code, response.body), (301, b""))
        self.assertEqual(headers_of(response)["Location"], self.address("apis/apps/v1"))

    def test_unchanged(self) -> None:
        """Who has the document is told so with 304."""
        tag = headers_of(self.ask("/openapi/v3/api/v1"))["Etag"]
        for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            self.assertEqual(self.ask("/openapi/v3/api/v1", if_none_match=sent).code, 304, sent)
        self.assertEqual(self.ask("/openapi/v3/api/v1", if_none_match='"other"').code, 200)

    def test_compressed(self) -> None:
        """Who accepts gzip gets the document as it is kept; others get it unpacked."""
        plain = self.ask("/openapi/v3/api/v1")
        packed = self.ask("/openapi/v3/api/v1", accept_encoding="deflate, gzip;q=1.0")
        self.assertEqual(headers_of(packed)["Content-Encoding"], "gzip")
        self.assertNotIn("Content-Encoding", headers_of(plain))
        self.assertEqual(gzip.decompress(packed.body), plain.body)
        self.assertIs(self.ask("/openapi/v3/api/v1", accept_encoding="gzip").body, packed.body)

    def test_unknown(self) -> None:
        """A name that is not in the index is 404, with nothing in it."""
        response = self.ask("/openapi/v3/apis/nosuch/v1")
        self.assertEqual((response.code, response.body, response.content_type), (404, b"", ""))

    def test_not_acceptable(self) -> None:
        """Only JSON is served; other forms are 406."""
        protobuf = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf"
        self.assertEqual(self.ask("/openapi/v3/api/v1", accept=protobuf).code, 406)
        self.assertEqual(self.ask("/openapi/v3/api/v1", accept=f"{protobuf}, application/json").code, 200)


class V2Tests(ServingTestCase):
    """/openapi/v2."""

    def test_everything(self) -> None:
        """One document holds the paths of all groups."""
        document = json.loads(self.ask("/openapi/v2").body)
        for path in ("/api/", "/api/v1/pods", "/apis/apps/v1/deployments", "/version/", "/apis/autoscaling/"):
            self.assertIn(path, document["paths"])

    def test_caching(self) -> None:
        """It has an entity tag as well."""
        tag = headers_of(self.ask("/openapi/v2"))["Etag"]
        self.assertEqual(self.ask("/openapi/v2", if_none_match=tag).code, 304)

    def test_protobuf(self) -> None:
        """The protobuf form has an old and a new name; the answer has the new one."""
        name = "application/com.github.proto-openapi.spec.v2{}v1.0+protobuf"
        for sign in "@.":
            response = self.ask("/openapi/v2", accept=name.format(sign))
            self.assertEqual((response.code, response.content_type), (200, name.format(".")))
            self.assertTrue(response.body.startswith(b"\n\x032.0"))
        self.assertEqual(headers_of(response)["Etag"], headers_of(self.ask("/openapi/v2"))["Etag"])

    def test_not_acceptable(self) -> None:
        """Other forms are not there: 406."""
        self.assertEqual(self.ask("/openapi/v2", accept="application/yaml").code, 406)


class ChangeTests(ServingTestCase):
    """Group-versions that come and go."""

    def test_invalidate(self) -> None:
        """A changed group-version has another hash, the others keep theirs; v2 changes too."""
        before, whole = self.index(), headers_of(self.ask("/openapi/v2"))["Etag"]
        del self.groups[1].versions[0].resources["deployments/scale"]
        self.assertEqual(self.index(), before)
        self.documents.invalidate()
        after = self.index()
        self.assertEqual([name for name in before if after[name] != before[name]], ["apis/apps/v1"])
        self.assertNotEqual(headers_of(self.ask("/openapi/v2"))["Etag"], whole)
        paths = json.loads(self.ask("/openapi/v3/apis/apps/v1").body)["paths"]
        self.assertNotIn("/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale", paths)

    def test_published(self) -> None:
        """Somebody else's document is served until it is withdrawn; a new hash has it rendered again."""
        rendered = []

        def render() -> bytes:
            rendered.append(1)
            return b'{"openapi":"3.0.0"}'

        name = "apis/x.example.com/v1"
        self.documents.publish(name, Document("AA", render))
        self.assertEqual(self.address(name), f"/openapi/v3/{name}?hash=AA")
        for _ in range(2):
            self.assertEqual(self.ask(f"/openapi/v3/{name}").body, b'{"openapi":"3.0.0"}')
        self.documents.publish(name, Document("BB", render))
        self.assertEqual(headers_of(self.ask(f"/openapi/v3/{name}"))["Etag"], '"BB"')
        self.assertEqual(len(rendered), 2)
        self.documents.withdraw(name)
        self.assertEqual(self.ask(f"/openapi/v3/{name}").code, 404)
