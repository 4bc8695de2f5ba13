"""PATCH: JSON patch, merge patch and strategic merge patch."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import Deferred, gatherResults

from kube_twisted.util.deferreds import to_deferred
from tests.inprocess import CONFIG_MAPS, NAMESPACE, ClusterTestCase

JSON_PATCH = "application/json-patch+json"
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"


class PatchTests(ClusterTestCase):
    def setUp(self) -> None:
        super().setUp()
        self.made = self.config_map("a", {"app": "web"})
        self.path = f"{CONFIG_MAPS}/a"

    def test_merge(self) -> None:
        """A merge patch sets what it names, and takes out what it sets to null."""
        change = {"data": {"x": "y"}, "metadata": {"labels": {"app": None, "b": "c"}}}
        changed = self.ask("PATCH", self.path, change, MERGE)
        self.assertEqual((changed["data"], changed["metadata"]["labels"]), ({"x": "y"}, {"b": "c"}))

    def test_json(self) -> None:
        """A JSON patch does one operation after the other, or nothing."""
        changed = self.ask("PATCH", self.path, [{"op": "add", "path": "/data", "value": {"x": "y"}},
                                                {"op": "test", "path": "/metadata/labels/app", "value": "web"},
                                                {"op": "remove", "path": "/metadata/labels/app"}], JSON_PATCH)
        self.assertEqual((changed["data"], "labels" in changed["metadata"]), ({"x": "y"}, False))
        error = self.refused("PATCH", self.path, [{"op": "add", "path": "/data/z", "value": "1"},
                                                  {"op": "test", "path": "/data/x", "value": "no"}], JSON_PATCH)
        self.assertEqual(error.code, 422)
        self.assertEqual(self.ask("GET", self.path), changed)

    def test_strategic(self) -> None:
        """A strategic merge patch merges lists by their keys."""
        self.ask("POST", f"{NAMESPACE}/services", {"metadata": {"name": "s"}, "spec": {"ports": [
            {"name": "a", "port": 80}, {"name": "b", "port": 81}]}})
        changed = self.ask("PATCH", f"{NAMESPACE}/services/s", {"spec": {"ports": [
            {"port": 81, "targetPort": 8081}, {"port": 80, "$patch": "delete"}]}}, STRATEGIC)
        self.assertEqual([(one["port"], one["targetPort"]) for one in changed["spec"]["ports"]], [(81, 8081)])

    def test_version_in_the_patch(self) -> None:
        """A version in the patch is a precondition; without one a patch meets whatever is there."""
        self.ask("PATCH", self.path, {"data": {"x": "1"}}, MERGE)
        stale = {"metadata": {"resourceVersion": self.made["metadata"]["resourceVersion"]}, "data": {"x": "2"}}
        self.assertEqual(self.refused("PATCH", self.path, stale, MERGE).code, 409)
        self.assertEqual(self.ask("PATCH", self.path, {"data": {"y": "2"}}, MERGE)["data"], {"x": "1", "y": "2"})

    def test_version_taken_out(self) -> None:
        """A patched object without apiVersion is not recognised: it seems to have no name."""
        error = self.refused("PATCH", self.path, {"apiVersion": None}, MERGE)
        self.assertEqual((error.code, error.message), (
            400, "the name of the object (a based on URL) was undeterminable: name must be provided"))
        error = self.refused("PATCH", f"{self.path}?fieldValidation=Strict",
                             [{"op": "remove", "path": "/apiVersion"}], JSON_PATCH)
        self.assertEqual(error.code, 422)
        self.assertIn('strict decoding error: unknown field "metadata"', error.message)

    def test_another_kind(self) -> None:
        """A patched object of another kind is read as that, and can't become one of the path's."""
        error = self.refused("PATCH", self.path, {"kind": "Service"}, MERGE)
        self.assertEqual(error.code, 422)
        self.assertTrue(error.message.endswith(": converting (v1.Service) to (core.ConfigMap): unknown conversion"),
                        error.message)
        error = self.refused("PATCH", self.path, {"kind": "Pod", "spec": {"containers": 5}}, MERGE)
        self.assertTrue(error.message.endswith(": json: cannot unmarshal number into Go struct field "
                                               "PodSpec.spec.containers of type []v1.Container"), error.message)
        self.assertIn('patch: Invalid value: "{\\"apiVersion\\":\\"v1\\",\\"kind\\":\\"Pod\\",\\"metadata\\":'
                      '{\\"name\\":', error.message)

    def test_strategic_outcome(self) -> None:
        """What a strategic merge makes is of the path's kind whatever it says; what does not fit shows the patch."""
        changed = self.ask("PATCH", self.path, {"kind": "Secret", "data": {"x": "1"}}, STRATEGIC)
        self.assertEqual((changed["kind"], changed["data"]), ("ConfigMap", {"x": "1"}))
        error = self.refused("PATCH", self.path, {"data": {"x": 1}}, STRATEGIC)
        self.assertEqual((error.code, error.message), (
            422, ' "" is invalid: patch: Invalid value: "map[data:map[x:1]]": cannot convert int64 to string'))
        error = self.refused("PATCH", f"{self.path}?fieldValidation=Strict", {"z": 1, "b": {}}, STRATEGIC)
        self.assertEqual((error.code, error.message), (
            422, ' "" is invalid: patch: Invalid value: "map[b:map[] z:1]": strict decoding error: unknown field "b", '
            'unknown field "z"'))

    def test_missing(self) -> None:
        """What isn't there can't be patched."""
        for content_type in (MERGE, STRATEGIC, JSON_PATCH):
            for body in (b"{}", b"[", b"3"):
                answer = self.send("PATCH", f"{CONFIG_MAPS}/z", body, content_type=content_type)
                self.assertEqual(answer.code, 404, f"{body!r} {content_type}")

    def test_ignored_shapes(self) -> None:
        """Without field validation patches are read by other rules: what they hold is looked at when it is used."""
        kind = "json: cannot unmarshal %s into Go value of type jsonpatch.%s"
        rows: tuple[tuple[bytes, str, int, str], ...] = (
            (b"{}", JSON_PATCH, 400, kind % ("object", "Patch")),
            (b"[1]", JSON_PATCH, 400, kind % ("number", "Operation")),
            (b'[{"op":1,"path":"/data"}]', JSON_PATCH, 422, "the server rejected our request due to an error"),
            (b'[{"op":"add","path":1}]', JSON_PATCH, 422, "the server rejected our request due to an error"),
            (b"[null]", JSON_PATCH, 422, "the server rejected our request due to an error"),
            (b"[1, null]", MERGE, 422, 'patch: Invalid value: "[1,null]"'), (b'"x"', MERGE, 400, "Invalid JSON Patch"),
            (b"{", MERGE, 400, "Invalid JSON Patch"), (b"null", MERGE, 400, "Invalid JSON Patch"))
        for body, content_type, code, message in rows:
            answer = self.send("PATCH", f"{self.path}?fieldValidation=Ignore", body, content_type=content_type)
            self.assertEqual(answer.code, code, f"{body!r} {answer.body!r}")
            self.assertIn(message, answer.json["message"])

    def test_bad_patches(self) -> None:
        """Bodies that are no patch, and patches whose outcome is no object."""
        rows: tuple[tuple[bytes, str, int], ...] = (
            (b"{", MERGE, 400), (b"{", JSON_PATCH, 400), (b"{", STRATEGIC, 400), (b"{}", JSON_PATCH, 400),
            (b'{"data":{"x":1}}', MERGE, 422), (b'{"data":1}', STRATEGIC, 422),
            (b'{"metadata":{"name":"b"}}', MERGE, 400), (b'[{"op":"remove","path":"/metadata"}]', JSON_PATCH, 400),
            (b'[{"op":"nope","path":"/x"}]', JSON_PATCH, 422),
            (b'{"kind":"Pod"}', MERGE, 422), (b'{"metadata":{"name":null}}', MERGE, 400))
        for body, content_type, code in rows:
            answer = self.send("PATCH", self.path, body, content_type=content_type)
            self.assertEqual(answer.code, code, f"{body!r} {content_type} {answer.body!r}")
        self.assertEqual(self.ask("GET", self.path), self.made)

    def test_unknown_fields(self) -> None:
        """Unknown fields of a patch are judged like those of an object."""
        body = b'{"nope":1}'
        for directive, code, warned in (("Strict", 422, False), ("Warn", 200, True), ("Ignore", 200, False)):
            answer = self.send("PATCH", f"{self.path}?fieldValidation={directive}", body, content_type=MERGE)
            self.assertEqual((answer.code, bool(answer.warnings)), (code, warned), directive)

    def test_nothing_changed(self) -> None:
        """A patch that changes nothing writes nothing."""
        before = self.revision()
        self.assertEqual(self.ask("PATCH", self.path, {"metadata": {"labels": {"app": "web"}}}, MERGE), self.made)
        self.assertEqual(self.revision(), before)

    def test_many_writers(self) -> None:
        """Patches that come at once all take effect: each is tried again on what the others made."""
        client = self.cluster.client
        work: list[Deferred[Any]] = [to_deferred(client.call("PATCH", self.path, {"data": {f"x{number}": "y"}}, MERGE))
                                     for number in range(20)]
        self.cluster.result(gatherResults(work))
        self.assertEqual(len(self.ask("GET", self.path)["data"]), 20)
