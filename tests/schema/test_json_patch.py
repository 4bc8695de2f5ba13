"""JSON patch."""

from __future__ import annotations

import copy
from typing import Any

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.schema import json_patch

_DOCUMENT: dict[str, Any] = {"data": {"a": "1", "b": "2"}, "list": ["x", "y"], "a/b": {"m~n": 0}}


def op(name: str, path: str, **more: Any) -> dict[str, Any]:
    return {"op": name, "path": path, **more}


class JsonPatchTestCase(SynchronousTestCase):
    """Helps to patch :data:`_DOCUMENT`."""

    def patched(self, *operations: Any) -> Any:
        """The patched document; the arguments are checked to be as before."""
        document, patch = copy.deepcopy(_DOCUMENT), copy.deepcopy(list(operations))
        result = json_patch.apply(document, patch)
        self.assertEqual((document, patch), (_DOCUMENT, list(operations)))
        return result

    def refused(self, *operations: Any) -> None:
        """The patch does not apply: a 422 that does not say why."""
        error = self.assertRaises(StatusError, json_patch.apply, _DOCUMENT, list(operations))
        self.assertEqual(error.status(), {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "details": {},
            "message": "the server rejected our request due to an error in our request", "reason": "Invalid",
            "code": 422}, operations)


class OperationTests(JsonPatchTestCase):
    """What operations do."""

    def test_add(self) -> None:
        """Members are added or replaced, items inserted or appended."""
        patched = self.patched(op("add", "/data/c", value="3"), op("add", "/data/a", value="one"))
        self.assertEqual(patched["data"], {"a": "one", "b": "2", "c": "3"})
        self.assertEqual(self.patched(op("add", "/list/-", value="z"), op("add", "/list/0", value="w"),
                                      op("add", "/list/4", value="end"))["list"], ["w", "x", "y", "z", "end"])

    def test_remove(self) -> None:
        """Members and items go; what is not there cannot."""
        patched = self.patched(op("remove", "/data/a"), op("remove", "/list/0"))
        self.assertEqual((patched["data"], patched["list"]), ({"b": "2"}, ["y"]))
        self.refused(op("remove", "/data/none"))
        self.refused(op("remove", "/list/2"))

    def test_replace(self) -> None:
        """A member need not be there before, an item must."""
        self.assertEqual(self.patched(op("replace", "/data/none", value="1"))["data"]["none"], "1")
        self.assertEqual(self.patched(op("replace", "/list/1", value="z"))["list"], ["x", "z"])
        self.refused(op("replace", "/list/2", value="z"))

    def test_replace_all(self) -> None:
        """The empty pointer is the whole document; a scalar cannot take its place."""
        self.assertEqual(self.patched(op("replace", "", value={"new": 1})), {"new": 1})
        self.refused(op("replace", "", value="text"))
        self.refused(op("replace", ""))

    def test_move_and_copy(self) -> None:
        """What is moved must be there; a copy of nothing is null."""
        self.assertEqual(self.patched({"op": "move", "from": "/data/a", "path": "/moved"},
                                      {"op": "copy", "from": "/list", "path": "/copied"},
                                      op("add", "/copied/-", value="z")),
                         {"data": {"b": "2"}, "list": ["x", "y"], "a/b": {"m~n": 0}, "moved": "1",
                          "copied": ["x", "y", "z"]})
        self.refused({"op": "move", "from": "/data/none", "path": "/data/z"})
        self.assertIsNone(self.patched({"op": "copy", "from": "/data/none", "path": "/data/z"})["data"]["z"])

    def test_test(self) -> None:
        """A test compares values and types; what is not there is null."""
        self.patched(op("test", "/data", value={"b": "2", "a": "1"}), op("test", "/data/none", value=None),
                     op("test", "/data/none"), op("test", "", value=_DOCUMENT))
        self.refused(op("test", "/data/a", value="2"))
        self.refused(op("test", "/a~1b/m~0n", value=False))
        self.refused(op("test", "/data/a"))

    def test_pointers(self) -> None:
        """Slashes and tildes are escaped; what precedes the first slash is ignored; -1 is the last item."""
        self.assertEqual(self.patched(op("replace", "/a~1b/m~0n", value=1))["a/b"], {"m~n": 1})
        self.assertEqual(self.patched(op("add", "data/x", value="5"))["x"], "5")
        self.assertEqual(self.patched(op("remove", "/list/-1"))["list"], ["x"])

    def test_bad_pointers(self) -> None:
        """A place under a missing or scalar parent is no place, nor is an index that is no number."""
        for path in ("/none/deep", "/data/a/b", "/data/a/b/c", "/list/x", "/list/-4", "/list/9", "", "data"):
            self.refused(op("add", path, value="1"))

    def test_bad_operations(self) -> None:
        """An operation must be known and complete."""
        for bad in (op("blow", "/data/a"), {"path": "/data/a", "value": "2"}, {"op": "add"}, {}, None,
                    op("move", "/x"), {"op": None, "path": "/data/a"}):
            self.refused(bad)


class BodyTests(JsonPatchTestCase):
    """What is a patch at all."""

    def bad(self, body: Any) -> str:
        error = self.assertRaises(StatusError, json_patch.apply, _DOCUMENT, body)
        self.assertEqual((error.code, error.reason), (400, "BadRequest"))
        return error.message

    def test_text(self) -> None:
        """A patch may be JSON text; null changes nothing."""
        self.assertEqual(json_patch.apply({"a": 1}, b'[{"op":"remove","path":"/a"}]'), {})
        self.assertEqual(json_patch.apply({"a": 1}, b"null"), {"a": 1})

    def test_no_json(self) -> None:
        """Text that ends too early is told from text that goes wrong."""
        for body in (b"", b"[{", b"  "):
            self.assertEqual(self.bad(body), "error decoding patch: unexpected end of JSON input")
        self.assertEqual(self.bad(b"[x]"),
                         "error decoding patch: invalid character 'x' looking for beginning of value")

    def test_types(self) -> None:
        """A patch is a list of objects, whose pointers are texts."""
        for body, complaint in (
                ({"op": "add"}, "object into Go value of type []handlers.jsonPatchOp"),
                ([1], "number into Go value of type handlers.jsonPatchOp"),
                ([{"op": "add", "path": 1}], "number into Go struct field jsonPatchOp.path of type string")):
            self.assertEqual(self.bad(body), f"error decoding patch: json: cannot unmarshal {complaint}")

    def test_unknown_fields(self) -> None:
        """Unknown fields of operations are reported to field validation."""
        self.assertEqual(json_patch.check([op("add", "/a", value=1), op("add", "/b", surprise=2)]),
                         ['json patch unknown field "[1].surprise"'])

    def test_too_many(self) -> None:
        """A patch has up to 10,000 operations."""
        most = [op("test", "/data/a", value="1")] * 10_000
        self.patched(*most)
        error = self.assertRaises(StatusError, json_patch.apply, _DOCUMENT, [*most, most[0]])
        self.assertEqual((error.code, error.message), (
            413, "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got "
                 "10001"))

    def test_copies_too_much(self) -> None:
        """Copies may add 3 MiB in all."""
        document = {"a": "x" * (1024 * 1024)}
        twice = [{"op": "copy", "from": "/a", "path": f"/{name}"} for name in "bc"]
        json_patch.apply(document, twice)
        self.assertRaises(StatusError, json_patch.apply, document,
                          [*twice, {"op": "copy", "from": "/a", "path": "/d"}])


class WordsTests(SynchronousTestCase):
    """Why an operation does not apply, for those who tell."""

    def test_words(self) -> None:
        """The sentences are the original library's."""
        gone = "Unable to access invalid index: 7: invalid index referenced"
        for operation, said in (
            ({"op": "add", "path": "/a/b/c"}, 'add operation does not apply: doc is missing path: "/a/b/c": missing '
             "value"),
            ({"op": "add", "path": "/l/7"}, f"error in add for path: '/l/7': {gone}"),
            ({"op": "add", "path": "/l/x"}, "error in add for path: '/l/x': value was not a proper array index: 'x': "
             'strconv.Atoi: parsing "x": invalid syntax'),
            ({"op": "add"}, "add operation failed to decode path: missing value"),
            ({"op": "remove", "path": "/x"}, "error in remove for path: '/x': Unable to remove nonexistent key: x: "
             "missing value"),
            ({"op": "remove", "path": "/l/7"}, f"error in remove for path: '/l/7': {gone}"),
            ({"op": "replace", "path": "/x/y"}, "replace operation does not apply: doc is missing path: /x/y: missing "
             "value"),
            ({"op": "replace", "path": "/l/7"}, "replace operation does not apply: doc is missing key: /l/7: missing "
             "value"),
            ({"op": "replace"}, "replace operation failed to decode path: operation missing path field: missing value"),
            ({"op": "move", "from": "/x/y", "path": "/a"}, "move operation does not apply: doc is missing from path: "
             "/x/y: missing value"),
            ({"op": "move", "from": "/x", "path": "/a"}, "error in move for path: 'x': Unable to remove nonexistent "
             "key: x: missing value"),
            ({"op": "copy", "from": "/a", "path": "/x/y"}, "copy operation does not apply: doc is missing destination "
             "path: /x/y: missing value"),
            ({"op": "copy", "path": "/x"}, "copy operation failed to decode from: operation, missing from field: "
             "missing value"),
            ({"op": "test", "path": "/a", "value": 2}, "testing value /a failed: test failed"),
            ({"op": "test", "path": "/x/y"}, "test operation does not apply: is missing path: /x/y: missing value"),
            ({"op": "jump"}, "Unexpected kind: jump"),
            ({}, "Unexpected kind: unknown"),
        ):
            error = self.assertRaises(json_patch.Inapplicable, json_patch.run, {"a": 1, "l": [1]}, [operation])
            self.assertEqual(str(error), said)
