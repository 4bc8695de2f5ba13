"""Pruning, defaults and validation of objects, also of those that were stored under another schema."""

from __future__ import annotations

from typing import Any

from tests.apiextensions.widgets import (
    JSON_PATCH,
    WIDGETS,
    CustomCase,
    integer,
    obj,
    text,
    version,
    widget,
)
from tests.inprocess import JSON

PATH = f"{WIDGETS}/a"
OLD = obj(spec=obj(color=text(), size=integer(), parts={"type": "array", "items": obj(name=text(), weight=integer())}))
NEW = obj(spec=obj(color=text(default="red"), shape=text(default="round"), parts={
    "type": "array", "items": obj(name=text(), weight=integer(default=1))}))


class ChangedSchemaTests(CustomCase):
    """An object of :data:`OLD`, seen under :data:`NEW`: a field and its defaults came, another went."""

    def setUp(self) -> None:
        super().setUp()
        self.define(version(schema=OLD))
        self.made = self.widget(spec={"size": 3, "parts": [{"name": "x"}, {"name": "y", "weight": 2}]})
        self.redefine(version(schema=NEW))
        self.expected = {"color": "red", "shape": "round",
                         "parts": [{"name": "x", "weight": 1}, {"name": "y", "weight": 2}]}

    def test_get(self) -> None:
        """Reading shows new defaults, and no fields that were dropped; the stored version is the same."""
        found = self.ask("GET", PATH)
        self.assertEqual(found["spec"], self.expected)
        self.assertEqual(found["metadata"]["resourceVersion"], self.made["metadata"]["resourceVersion"])

    def test_list_and_watch(self) -> None:
        """So do lists and the first events of watches."""
        (listed,) = self.ask("GET", WIDGETS)["items"]
        (event,) = self.watch(WIDGETS).take()
        self.assertEqual([listed["spec"], event["object"]["spec"]], [self.expected] * 2)

    def test_past(self) -> None:
        """So do events from before the change that a watch is resumed from, and lists of the past."""
        before = self.made["metadata"]["resourceVersion"]
        self.merge(PATH, {"spec": {"color": "blue"}})
        (event,) = self.watch(f"{WIDGETS}?resourceVersion={before}").take()
        self.assertEqual(event["object"]["spec"], {**self.expected, "color": "blue"})
        (listed,) = self.ask("GET", f"{WIDGETS}?resourceVersion={before}&resourceVersionMatch=Exact")["items"]
        self.assertEqual(listed["spec"], self.expected)
        (event,) = self.watch(f"{WIDGETS}?resourceVersion={int(before) - 1}").take()[:1]
        self.assertEqual((event["type"], event["object"]["spec"]), ("ADDED", self.expected))

    def test_patch(self) -> None:
        """Patches are made to the object as it is read."""
        found = self.ask("PATCH", PATH, [{"op": "test", "path": "/spec/shape", "value": "round"},
                                         {"op": "replace", "path": "/spec/shape", "value": "flat"}], JSON_PATCH)
        self.assertEqual(found["spec"], {**self.expected, "shape": "flat"})
        self.assertEqual(found["metadata"]["generation"], 2)

    def test_rewritten(self) -> None:
        """Writing what was read stores it in its new form, once, though nothing of it changes."""
        again = self.ask("PUT", PATH, self.ask("GET", PATH))
        self.assertEqual((again["spec"], again["metadata"]["generation"]), (self.expected, 1))
        self.assertNotEqual(again["metadata"]["resourceVersion"], self.made["metadata"]["resourceVersion"])
        self.assertEqual(self.ask("PUT", PATH, again), again)
        self.redefine(version(schema=OLD))
        self.assertEqual(self.ask("GET", PATH)["spec"], {"color": "red", "parts": self.expected["parts"]})

    def test_back(self) -> None:
        """What nobody has written since is there again when its schema is."""
        self.redefine(version(schema=OLD))
        self.assertEqual(self.ask("GET", PATH), self.made)

    def test_delete(self) -> None:
        """Deletion and its event show the object as it is read."""
        watching = self.watch(WIDGETS)
        self.ask("DELETE", PATH)
        self.assertEqual([one["object"]["spec"] for one in watching.take()], [self.expected] * 2)


class StricterSchemaTests(CustomCase):
    """An object that is not valid under the new schema."""

    def setUp(self) -> None:
        super().setUp()
        self.define()
        self.widget(spec={"color": "mauve", "size": 1})
        spec = obj(color=text(enum=["red", "blue"]), size=integer(maximum=10))
        self.redefine(version(schema=obj(spec={**spec, "required": ["color"]}, status=obj(phase=text()))))

    def test_read(self) -> None:
        """It can still be read."""
        self.assertEqual(self.ask("GET", PATH)["spec"]["color"], "mauve")

    def test_ratcheting(self) -> None:
        """It may be changed elsewhere, but not to another wrong value (KEP-4008)."""
        self.assertEqual(self.merge(PATH, {"spec": {"size": 2}})["spec"], {"color": "mauve", "size": 2})
        error = self.refused("PATCH", PATH, {"spec": {"color": "pink"}}, "application/merge-patch+json")
        self.assertEqual((error.code, error.message), (
            422, 'Widget.example.com "a" is invalid: spec.color: Unsupported value: "pink": '
                 'supported values: "red", "blue"'))

    def test_metadata(self) -> None:
        """Finalizers and labels can be changed; it can be deleted."""
        self.merge(PATH, {"metadata": {"labels": {"a": "b"}, "finalizers": ["example.com/hold"]}})
        self.ask("DELETE", PATH)
        self.merge(PATH, {"metadata": {"finalizers": None}})
        self.assertTrue(self.missing(PATH))


class ValuesTests(CustomCase):
    """What happens to the values of one schema."""

    schema = obj(spec={"type": "object", "required": ["name"], "properties": {
        "name": text(minLength=2, maxLength=5, pattern="^[a-z]+$"), "count": integer(minimum=1, default=2),
        "ratio": {"type": "number"}, "maybe": text(nullable=True, default="yes"), "port": {
            "x-kubernetes-int-or-string": True}, "free": {
            "type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"known": text()}},
        "tags": {"type": "array", "x-kubernetes-list-type": "set", "items": text()},
        "map": {"type": "object", "additionalProperties": integer()},
        "pod": {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": obj(node=text())}}}})

    def setUp(self) -> None:
        super().setUp()
        self.define(version(schema=self.schema))

    def spec(self, **fields: Any) -> Any:
        """What becomes of a spec."""
        self.send("DELETE", PATH)
        return self.widget(spec={"name": "ab", **fields})["spec"]

    def complaints(self, **fields: Any) -> list[str]:
        error = self.refused("POST", WIDGETS, widget(spec={"name": "ab", **fields}))
        self.assertEqual((error.code, error.reason), (422, "Invalid"))
        assert error.details is not None
        return sorted(f"{one['field']}: {one['message']}" for one in error.details["causes"])

    def test_defaults(self) -> None:
        """Defaults are set for what is missing; a null that is not allowed is taken for missing, another one stays."""
        self.assertEqual(self.spec(), {"name": "ab", "count": 2, "maybe": "yes"})
        self.assertEqual(self.spec(count=None, maybe=None), {"name": "ab", "count": 2, "maybe": None})
        self.assertEqual(self.spec(ratio=None), {"name": "ab", "count": 2, "maybe": "yes"})

    def test_pruning(self) -> None:
        """Unknown fields are dropped, but not where they are to be kept."""
        self.assertEqual(self.spec(other=1, free={"known": "x", "other": {"deep": 1}}, map={"a": 1}), {
            "name": "ab", "count": 2, "maybe": "yes", "map": {"a": 1}, "free": {"known": "x", "other": {"deep": 1}}})

    def test_embedded(self) -> None:
        """Objects in objects are pruned, and must say what they are."""
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"node": "n"}}
        self.assertEqual(self.spec(pod={**pod, "other": 1, "spec": {"node": "n", "x": 1}})["pod"], pod)
        self.assertEqual(self.complaints(pod={"spec": {}}), [
            "spec.pod.apiVersion: Required value", "spec.pod.kind: Required value"])

    def test_messages(self) -> None:
        """Each complaint says where and why."""
        for fields, expected in (
            ({"name": "a"}, ['spec.name: Invalid value: "a": spec.name in body should be at least 2 chars long']),
            ({"name": "abcdef"}, ["spec.name: Too long: may not be more than 5 bytes"]),
            ({"name": "A1"}, ["spec.name: Invalid value: \"A1\": spec.name in body should match '^[a-z]+$'"]),
            ({"count": 0}, ["spec.count: Invalid value: 0: spec.count in body should be greater than or equal to 1"]),
            ({"count": "1"}, ['spec.count: Invalid value: "string": spec.count in body must be of type integer: '
                              '"string"']),
            ({"port": 1.5}, ["spec.port: Invalid value: \"number\": spec.port in body must be of type integer,string: "
                             "\"number\""]),
            ({"tags": ["a", "a"]}, ['spec.tags[1]: Duplicate value: "a"']),
            ({"map": {"x": "y"}}, ['spec.map.x: Invalid value: "string": spec.map.x in body must be of type integer: '
                                   '"string"']),
        ):
            self.assertEqual(self.complaints(**fields), expected, fields)

    def test_required(self) -> None:
        """What is required is asked for."""
        error = self.refused("POST", WIDGETS, widget(spec={}))
        self.assertEqual(error.message, 'Widget.example.com "a" is invalid: spec.name: Required value')

    def test_several(self) -> None:
        """All complaints come at once."""
        self.assertEqual(len(self.complaints(name="A", count=0, tags=["a", "a"])), 3)


class FieldValidationTests(CustomCase):
    """What clients may ask for when a field is not known."""

    def setUp(self) -> None:
        super().setUp()
        self.define()

    def test_create(self) -> None:
        """Strict refuses, Warn warns, and that is the default; Ignore says nothing. Fields are dropped in any case."""
        body = b'{"kind": "Widget", "apiVersion": "example.com/v1", "metadata": {"name": "a", "nope": 1}, ' \
               b'"spec": {"size": 1, "size": 2, "typo": 1}}'
        for query, expected in (("", ['unknown field "metadata.nope"', 'unknown field "spec.typo"',
                                      'duplicate field "spec.size"']), ("?fieldValidation=Ignore", [])):
            answer = self.send("POST", WIDGETS + query, body, content_type="application/json")
            self.assertEqual((answer.code, sorted(answer.warnings), answer.json["spec"]),
                             (201, sorted(expected), {"size": 2}))
            self.ask("DELETE", PATH)
        answer = self.send("POST", f"{WIDGETS}?fieldValidation=Strict", body, content_type="application/json")
        self.assertEqual((answer.code, answer.json["reason"]), (400, "BadRequest"))
        self.assertIn('strict decoding error: ', answer.json["message"])
        self.assertIn('unknown field "spec.typo"', answer.json["message"])

    def test_patch(self) -> None:
        """Patches are judged likewise, and apply patches always."""
        self.widget()
        change = {"spec": {"typo": 1}}
        error = self.refused("PATCH", f"{PATH}?fieldValidation=Strict", change, "application/merge-patch+json")
        self.assertIn('unknown field "spec.typo"', error.message)
        self.assertNotIn("typo", self.merge(PATH, change).get("spec", {}))
        error = self.refused("PATCH", f"{PATH}?fieldManager=m&fieldValidation=Ignore", widget(**change),
                             "application/apply-patch+yaml")
        self.assertIn("field not declared in schema", error.message)


class DepthTests(CustomCase):
    def test_nesting(self) -> None:
        """Objects may be nested in 240 levels; what is nested more deeply is refused, however it comes."""
        self.define(version(schema={**obj(), "x-kubernetes-preserve-unknown-fields": True}))

        def nested(levels: int) -> Any:
            value: Any = 1
            for level in range(levels):
                value = {"a": value} if level % 2 else [value]
            return value

        self.widget("a", spec=nested(240))
        for levels in (300, 900, 5000):
            deep = b"%s1%s" % (b'{"a":[' * (levels // 2), b"]}" * (levels // 2))
            whole = b'{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"b"},"spec":%s}'
            for method, path, body, type_ in (
                    ("POST", WIDGETS, whole, JSON), ("PATCH", PATH, b'{"spec":%s}', "application/merge-patch+json")):
                answer = self.send(method, path, body % deep, content_type=type_)
                self.assertEqual(answer.code, 400, (levels, method, answer.body))
                self.assertIn("exceeded max depth", answer.json["message"])
        self.assertEqual(self.ask("GET", PATH)["spec"], nested(240))


class ManyObjectsTests(CustomCase):
    def test_all_are_read(self) -> None:
        """More objects than are read in one go are all there, as the new schema has them."""
        self.define()
        for number in range(250):
            self.widget(f"w{number}", spec={"size": number})
        self.redefine(version(schema=obj(spec=obj(color=text(default="grey"), size=integer()))))
        items = self.ask("GET", WIDGETS)["items"]
        self.assertEqual(sorted(one["spec"]["size"] for one in items), list(range(250)))
        self.assertEqual({one["spec"]["color"] for one in items}, {"grey"})


class OwnershipTests(CustomCase):
    """Field ownership of objects that do not fit their schema."""

    def setUp(self) -> None:
        super().setUp()
        parts = {"type": "array", "items": obj(name=text())}
        self.define(version(schema=obj(spec=obj(parts=parts, color=text()))))

    def test_no_list(self) -> None:
        """What is no list where one belongs is refused as invalid, before and after there was one."""
        for wrong in (1, "x", {"a": 1}, True):
            error = self.refused("POST", WIDGETS, widget(spec={"parts": wrong}))
            self.assertEqual(error.code, 422, error.message)
            self.assertIn("spec.parts in body must be of type array", error.message)
        self.widget(spec={"parts": [{"name": "x"}]})
        error = self.refused("PATCH", PATH, {"spec": {"parts": 1}}, "application/merge-patch+json")
        self.assertEqual(error.code, 422, error.message)

    def test_other_schema(self) -> None:
        """An object that is stored otherwise than its schema has it now can be changed; its owners stay."""
        self.widget(spec={"color": "red", "parts": [{"name": "x"}]})
        owners = self.ask("GET", PATH)["metadata"]["managedFields"]
        self.redefine(version(schema=obj(spec=obj(
            parts=text(), color=text(), free={"type": "array", "items": text(), "x-kubernetes-list-type": "set"}))))
        self.assertEqual(self.merge(PATH, {"metadata": {"labels": {"a": "b"}}})["metadata"]["labels"], {"a": "b"})
        after = self.ask("GET", PATH)["metadata"]["managedFields"]
        self.assertEqual(after[0]["fieldsV1"]["f:spec"], owners[0]["fieldsV1"]["f:spec"])
