"""The slow, exact look at a JSON value for a kind: the original's errors, unknown and duplicate fields.

It walks in the order of the document, as Go's decoder does. A wrong type is remembered (the first one counts)
and the walk goes on; a text that its own type can't read (a time, a quantity) ends it. Duplicate fields are
merged as Go merges them: into the struct, map or list that is already there.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

from attrs import field, frozen, mutable

from kube_twisted.api.field import go_quote
from kube_twisted.schema.builtin import GoField, SchemaOr
from kube_twisted.schema.leaves import DECODERS, byte
from kube_twisted.schema.tree import Members, Number, members, plain
from kube_twisted.schema.types import Field, List, Map, Scalar, ScalarKind, Struct, Type, Untyped

_GO_SCALARS: dict[ScalarKind, str] = {
    "bool": "bool", "int32": "int32", "int64": "int64", "float64": "float64", "int-or-string": "int32",
    "bytes": "[]uint8",
}
_MOST_MESSAGES = 100


@frozen
class Inspection:
    """What the walk found.

    :ivar error: why the value can't be decoded, if so.
    :ivar messages: unknown and duplicate fields, in the order in which they were met.
    :ivar value: the value with duplicates merged; for decoding, when there is no error.
    """

    error: str | None
    messages: list[str]
    value: Any


def inspect(struct: Struct, node: Any) -> Inspection:
    """Walk a value, plain or as ``schema/tree.py`` has it, that is to become a struct."""
    walk = _Walk()
    try:
        value = walk.value(struct, struct.go_type, node, None)
    except _Fatal as fatal:
        return Inspection(str(fatal), list(walk.messages), None)
    return Inspection(walk.error, list(walk.messages), value)


class _Fatal(Exception):
    """An error that ends the walk."""


@mutable
class _Walk:
    """The state of one walk.

    :ivar struct: the Go name of the struct whose field is being decoded; ``stack`` are the fields above.
    :ivar path: the pieces of the path that messages about unknown and duplicate fields name.
    """

    error: str | None = None
    messages: dict[str, None] = field(factory=dict)
    struct: str = ""
    stack: tuple[str, ...] = ()
    path: tuple[str, ...] = ()

    def value(self, kind: Type, go_type: str, node: Any, base: Any) -> Any:
        """Walk one value; ``base`` is what an earlier duplicate left there."""
        match kind:
            case SchemaOr():
                return self._schema(kind, node)
            case Untyped():
                return plain(node)
            case _ if node is None:
                return base if isinstance(kind, Scalar | Struct) else None
            case Struct():
                return self._fields(kind, go_type, node, base)
            case Map():
                return self._entries(kind, go_type, node, base)
            case List():
                return self._items(kind, go_type, node, base)
            case Scalar():
                return self._leaf(kind.kind, go_type, node)
        return node

    def _fields(self, struct: Struct, go_type: str, node: Any, base: Any) -> Any:
        if not isinstance(node, dict | Members):
            return self._wrong_type(node, go_type)
        result = dict(base or {})
        outer = self.struct, self.stack, self.path
        seen = set()
        for key, item in members(node):
            known = struct.fields.get(key)
            if known is None:
                self._message("unknown", key)
                continue
            if key in seen:
                self._message("duplicate", key)
            seen.add(key)
            self.struct, self.stack = struct.go_name, outer[1] + _stack(known)
            self.path = (*outer[2], f".{key}" if outer[2] else key)
            result[key] = self.value(known.type, go_type_of_field(known), item, result.get(key))
            self.struct, self.stack, self.path = outer
        return result

    def _entries(self, kind: Map, go_type: str, node: Any, base: Any) -> Any:
        if not isinstance(node, dict | Members):
            return self._wrong_type(node, go_type)
        result = dict(base or {})
        inner_type = inner_go_type(kind.value, go_type)
        path, seen = self.path, set()
        for key, item in members(node):
            if key in seen:
                self._message("duplicate", key)
            seen.add(key)
            self.path = (*path, f".{key}" if path else key)
            result[key] = self.value(kind.value, inner_type, item, None)
            self.path = path
        return result

    def _items(self, kind: List, go_type: str, node: Any, base: Any) -> Any:
        if not isinstance(node, list):
            return self._wrong_type(node, go_type)
        inner_type = inner_go_type(kind.item, go_type)
        path, result, earlier = self.path, [], base or []
        for index, item in enumerate(node):
            self.path = (*path, f"[{index}]")
            already = earlier[index] if index < len(earlier) else None
            result.append(self.value(kind.item, inner_type, item, already))
            self.path = path
        return result

    def _leaf(self, kind: ScalarKind, go_type: str, node: Any) -> Any:
        if kind == "quantity":
            return self._parsed(kind, node.text if isinstance(node, Number) else node)
        if kind == "int-or-string":
            return node if isinstance(node, str) else self._number("int32", "int32", node, fatal=True)
        if kind in _GO_SCALARS and kind != "bytes":
            return self._plain_scalar(kind, go_type, node)
        if kind == "bytes" and isinstance(node, list):
            return [None if one is None else self._byte(one) for one in node]
        if not isinstance(node, str):
            return self._wrong_type(node, "string" if kind in ("time", "micro-time", "duration") else go_type,
                                    fatal=kind in ("time", "micro-time", "duration"))
        if kind == "bytes":
            return self._bytes(node)
        return self._parsed(kind, node) if kind in ("time", "micro-time") else node

    def _plain_scalar(self, kind: ScalarKind, go_type: str, node: Any) -> Any:
        if kind == "bool":
            return node if isinstance(node, bool) else self._wrong_type(node, go_type)
        return self._number(kind, go_type, node)

    def _number(self, kind: ScalarKind, go_type: str, node: Any, fatal: bool = False) -> Any:
        if isinstance(node, bool) or not isinstance(node, int | float | Number):
            return self._wrong_type(node, go_type, fatal)
        try:
            return DECODERS[kind](_readable(kind, node), None)
        except ValueError:
            return self._type_error(f"number {_literal(node)}", go_type, fatal)

    def _parsed(self, kind: ScalarKind, node: Any) -> Any:
        try:
            return DECODERS[kind](node, None)
        except ValueError as error:
            raise _Fatal(str(error)) from None

    def _byte(self, node: Any) -> Any:
        if isinstance(node, bool) or not isinstance(node, int | float | Number):
            return self._wrong_type(node, "uint8")
        try:
            return byte(_readable("int32", node))
        except ValueError:
            return self._type_error(f"number {_literal(node)}", "uint8")

    def _bytes(self, node: str) -> Any:
        try:
            return DECODERS["bytes"](node, None)
        except ValueError as error:
            self.error = self.error or str(error)
            return None

    def _schema(self, kind: SchemaOr, node: Any) -> Any:
        """A schema inside a schema has a decoder of its own, that says nothing of unknown fields."""
        if isinstance(node, dict | Members):
            return self._alone(kind.schema, kind.schema.go_type, node)
        if kind.other == "bool" and not isinstance(node, bool):
            raise _Fatal("boolean or JSON schema expected")
        if isinstance(node, list):
            item: Type = Scalar("string") if kind.other == "strings" else kind.schema
            return self._alone(List(item), "[]" + _go_type_of(item), node)
        return plain(node)

    def _alone(self, kind: Type, go_type: str, node: Any) -> Any:
        messages, error, self.error = dict(self.messages), self.error, None
        result = self.value(kind, go_type, node, None)
        if self.error is not None:
            raise _Fatal(self.error)
        self.messages, self.error = messages, error
        return result

    def _wrong_type(self, node: Any, go_type: str, fatal: bool = False) -> None:
        self._type_error(_json_type(node), go_type, fatal)

    def _type_error(self, what: str, go_type: str, fatal: bool = False) -> None:
        where = f"struct field {self.struct}.{'.'.join(self.stack)}" if self.stack else "value"
        message = f"json: cannot unmarshal {what} into Go {where} of type {go_type}"
        if fatal:
            self._fail(message)
        self.error = self.error or message

    @staticmethod
    def _fail(message: str) -> NoReturn:
        raise _Fatal(message)

    def _message(self, what: str, key: str) -> None:
        if len(self.messages) < _MOST_MESSAGES:
            path = "".join(self.path) + ("." if self.path else "") + key
            self.messages[f"{what} field {go_quote(path)}"] = None


def _stack(known: Field) -> tuple[str, ...]:
    """The field as Go's error names it: embedded structs come before."""
    embedded = known.embedded if isinstance(known, GoField) else ""
    return (*embedded.split("."), known.name) if embedded else (known.name,)


def go_type_of_field(known: Field) -> str:
    return known.go_type if isinstance(known, GoField) else _go_type_of(known.type)


def inner_go_type(kind: Type, go_type: str) -> str:
    """The Go type of what a list or map holds."""
    if go_type.startswith("[]"):
        return go_type[2:]
    return go_type.partition("]")[2] if go_type.startswith("map[") else _go_type_of(kind)


def _go_type_of(kind: Type) -> str:
    match kind:
        case Struct():
            return kind.go_type
        case List():
            return "[]" + _go_type_of(kind.item)
        case Map():
            return "map[string]" + _go_type_of(kind.value)
        case Scalar():
            return _GO_SCALARS.get(kind.kind, "string")
    return "interface {}"


def _json_type(node: Any) -> str:
    if isinstance(node, str):
        return "string"
    if isinstance(node, bool):
        return "bool"
    if isinstance(node, dict | Members):
        return "object"
    return "array" if isinstance(node, list) else "number"


def _literal(node: int | float | Number) -> str:
    return node.text if isinstance(node, Number) else repr(node)


def _readable(kind: ScalarKind, node: int | float | Number) -> Any:
    """The number as Go reads it: no integer has a fraction or an exponent, no float is infinite."""
    if not isinstance(node, Number):
        return node
    value = node.value()
    if kind == "float64":
        return None if math.isinf(value) else value
    return value if node.text.lstrip("-").isdigit() else None
