"""Server-side apply over the API (KEP-555)."""

from __future__ import annotations

from typing import Any

from tests.inprocess import CONFIG_MAPS, ClusterTestCase

APPLY = "application/apply-patch+yaml"


class ApplyTests(ClusterTestCase):
    path = f"{CONFIG_MAPS}/a"

    def body(self, data: dict[str, str], **metadata: Any) -> dict[str, Any]:
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", **metadata}, "data": data}

    def apply(self, data: dict[str, str], manager: str = "me", query: str = "") -> dict[str, Any]:
        return self.ask("PATCH", f"{self.path}?fieldManager={manager}{query}", self.body(data), APPLY)

    def test_creates(self) -> None:
        """An apply of what isn't there creates it: 201; the next one is 200."""
        body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1'}\n"
        for code in (201, 200):
            answer = self.send("PATCH", f"{self.path}?fieldManager=me", body, content_type=APPLY)
            self.assertEqual((answer.code, answer.json["data"]), (code, {"x": "1"}))

    def test_removes_what_is_no_longer_applied(self) -> None:
        """What a manager applied before and does not any more goes, unless another one owns it."""
        self.apply({"x": "1", "y": "1"})
        self.apply({"y": "1", "z": "1"}, "other")
        self.assertEqual(self.apply({"x": "1"})["data"], {"x": "1", "y": "1", "z": "1"})
        self.assertEqual(self.apply({}, "other")["data"], {"x": "1"})

    def test_conflict(self) -> None:
        """A value that another manager owns is 409 with the field; force takes it over."""
        self.apply({"x": "1"})
        error = self.refused("PATCH", f"{self.path}?fieldManager=other", self.body({"x": "2"}), APPLY)
        self.assertEqual((error.code, error.reason), (409, "Conflict"))
        self.assertEqual(error.details["causes"], [
            {"reason": "FieldManagerConflict", "message": 'conflict with "me"', "field": ".data.x"}])
        self.assertEqual(self.apply({"x": "2"}, "other", "&force=true")["data"], {"x": "2"})
        managers = self.ask("GET", self.path)["metadata"]["managedFields"]
        self.assertEqual([one["manager"] for one in managers if "f:x" in one["fieldsV1"].get("f:data", {})], ["other"])

    def test_again(self) -> None:
        """The same apply again writes nothing."""
        first = self.apply({"x": "1"})
        before = self.revision()
        self.clock.advance(60)
        self.assertEqual(self.apply({"x": "1"}), first)
        self.assertEqual(self.revision(), before)

    def test_messages(self) -> None:
        """What is no YAML, or no object, is refused as the original's reader does it."""
        rows = ((b"- a", "error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of "
                         "type map[string]interface {}"),
                (b"a: b: c", "error converting YAML to JSON: yaml: mapping values are not allowed in this context"))
        for body, message in rows:
            answer = self.send("PATCH", f"{self.path}?fieldManager=me", body, content_type=APPLY)
            self.assertEqual(answer.json["message"], f"error decoding YAML: {message}")

    def test_duplicates(self) -> None:
        """Fields that stand twice are a warning or, with Strict, refused: after conflicts."""
        body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  x: '1'\n  x: '2'\n"
        path = f"{self.path}?fieldManager=other"
        warned = self.send("PATCH", path, body, content_type=APPLY)
        self.assertEqual((warned.code, warned.json["data"]), (201, {"x": "2"}))
        self.assertEqual(warned.request.warnings, ['line 6: key "x" already set in map'])
        refused = self.send("PATCH", f"{path}&fieldValidation=Strict", body, content_type=APPLY)
        self.assertEqual((refused.code, refused.json["message"]), (
            400, "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n"
                 '  line 6: key "x" already set in map'))
        self.apply({"x": "3"}, query="&force=true")
        self.assertEqual(self.send("PATCH", f"{path}&fieldValidation=Strict", body, content_type=APPLY).code, 409)

    def test_bad_bodies(self) -> None:
        """What is no object of this kind, or under another name, is refused."""
        for body, code in ((b"- a", 400), (b"a: [", 400), (b"", 400), (b"apiVersion: v1\nkind: Pod\n", 400),
                           (b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}", 400)):
            answer = self.send("PATCH", f"{self.path}?fieldManager=me", body, content_type=APPLY)
            self.assertEqual(answer.code, code, f"{body!r} {answer.body!r}")

    def test_duplicate_fields(self) -> None:
        """A field that stands twice is a warning, or an error under Strict."""
        body = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1', x: '2'}\n"
        answer = self.send("PATCH", f"{self.path}?fieldManager=me", body, content_type=APPLY)
        self.assertEqual((answer.code, len(answer.warnings)), (201, 1))
        answer = self.send("PATCH", f"{self.path}?fieldManager=me&fieldValidation=Strict", body, content_type=APPLY)
        self.assertEqual(answer.code, 400)

    def test_uid_of_what_is_gone(self) -> None:
        """Who applies with the uid of an object that is gone does not mean a new one."""
        error = self.refused("PATCH", f"{self.path}?fieldManager=me", self.body({}, uid="u"), APPLY)
        self.assertEqual(error.code, 409)
        self.assertIn("uid mismatch", error.message)

    def test_live_object_without_owners(self) -> None:
        """An object whose list can't be owned, as an item has no key, refuses an apply in words."""
        path = "/api/v1/namespaces/default/serviceaccounts"
        self.ask("POST", path, {"metadata": {"name": "s"}, "secrets": [{"kind": "x"}]})
        body = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "s"}}
        error = self.refused("PATCH", f"{path}/s?fieldManager=me", body, APPLY)
        self.assertTrue(error.message.startswith("failed to create typed live object"), error.message)

    def test_dry_run(self) -> None:
        """A dry run shows what would come of it."""
        self.apply({"x": "1"})
        before = self.revision()
        self.assertEqual(self.apply({"y": "1"}, query="&dryRun=All")["data"], {"y": "1"})
        self.assertEqual(self.revision(), before)
