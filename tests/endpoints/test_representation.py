"""Objects, lists and frames as clients want them: bytes that were stored, or something made of them."""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.endpoints.negotiation import Representation
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.registry.listing import ListResult
from kube_twisted.storage.cached import CachedObject
from tests.inprocess import CONFIG_MAPS, ClusterTestCase

METADATA = Representation(transform="PartialObjectMetadata")
YAML = "application/yaml"


class RefusedFormTests(ClusterTestCase):
    def test_wrong_form(self) -> None:
        """Metadata of a list are no metadata of an object: 406 in spite of other choices, after the work is done."""
        form = "application/json;as=%s;v=v1;g=meta.k8s.io, application/json"
        deployments = "/apis/apps/v1/namespaces/default/deployments"
        rows = (("GET", CONFIG_MAPS, b"", "", "is a list (*core.ConfigMapList)"),
                ("GET", deployments, b"", "", "is a list (*apps.DeploymentList)"),
                ("POST", CONFIG_MAPS, b'{"metadata":{"name":"b"}}', "List", "is not a list (*core.ConfigMap)"))
        for method, path, body, suffix, message in rows:
            answer = self.send(method, path, body, accept=form % f"PartialObjectMetadata{suffix}")
            self.assertEqual((answer.code, answer.json["message"]), (
                406, f"you requested PartialObjectMetadata{suffix}, but the requested object {message}"))
        self.assertEqual(self.ask("GET", f"{CONFIG_MAPS}/b")["metadata"]["name"], "b")


class EncoderTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.made = self.config_map("a", annotations={"note": "é"})
        store = self.cluster.server.stores.store("", "configmaps")
        self.item: CachedObject = store.lookup("default", "a")
        self.scope = self.scope_of("v1", "configmaps")

    def scope_of(self, version: str, resource: str) -> RequestScope:
        """The scope that an installed resource's handlers work on."""
        found = next(one for group in self.cluster.server.front.all_groups() for one in group.versions
                     if str(one.group_version) == version)
        handler: Any = found.resources[resource].handlers["get"]
        scope: RequestScope = handler.args[0]
        return scope

    def encoder(self, chosen: Representation | None = None) -> Encoder:
        return Encoder(self.scope, chosen or Representation())

    def test_bytes_as_they_are(self) -> None:
        """What is asked for as JSON is answered with the cached bytes, as a line."""
        self.assertEqual(self.encoder().object_response(self.item).body, self.item.body + b"\n")
        self.assertEqual(self.encoder().frame("ADDED", self.item),
                         b'{"type":"ADDED","object":' + self.item.body + b"}\n")

    def test_list(self) -> None:
        """A list is one JSON document, whatever is in it."""
        for items in ([], [self.item], [self.item, self.item]):
            body = self.encoder().list_response(ListResult(items, 7)).body
            document = orjson.loads(body)
            self.assertTrue(body.endswith(b"}\n"))
            expected = [{key: value for key, value in self.made.items() if key not in ("kind", "apiVersion")}
                        for _ in items]
            self.assertEqual(document, {"kind": "ConfigMapList", "apiVersion": "v1",
                                        "metadata": {"resourceVersion": "7"}, "items": expected})

    def test_pretty_is_the_same(self) -> None:
        """Indented JSON has the same content; it is the one form that ends without a new line, as the original's."""
        encoder = self.encoder(Representation(pretty=True))
        body = encoder.object_response(self.item).body
        self.assertEqual((orjson.loads(body), body.count(b"\n") > 5, body[-1:]), (self.made, True, b"}"))

    def test_metadata(self) -> None:
        """Metadata alone: of objects, of lists, of frames and of bookmarks."""
        encoder = self.encoder(METADATA)
        self.assertEqual(orjson.loads(encoder.object_response(self.item).body), {
            "kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": self.made["metadata"]})
        frame = orjson.loads(encoder.frame("MODIFIED", self.item))
        self.assertEqual((frame["type"], frame["object"]["kind"]), ("MODIFIED", "PartialObjectMetadata"))
        self.assertEqual(orjson.loads(encoder.bookmark(9))["object"]["metadata"]["resourceVersion"], "9")

    def test_codes(self) -> None:
        """The code of an answer is that of its verb."""
        self.assertEqual([self.encoder().object_response(self.item, code).code for code in (200, 201)], [200, 201])

    def test_yaml(self) -> None:
        """YAML of what would be JSON, and texts of any script."""
        answer = self.encoder(Representation(YAML)).object_response(self.item)
        self.assertEqual(answer.content_type, YAML)
        self.assertIn("note: é", answer.body.decode())

    def test_watch_and_list_agree(self) -> None:
        """A frame shows the object as a GET does, byte for byte."""
        watching = self.watch(CONFIG_MAPS)
        raw = watching.take_bytes()
        body = self.send("GET", f"{CONFIG_MAPS}/a").body.rstrip()
        self.assertIn(b'{"type":"ADDED","object":' + body + b"}\n", raw)
