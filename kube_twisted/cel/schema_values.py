"""JSON as values of the language, by its structural schema.

Values are converted when an expression gets to them. What doesn't fit its schema is an error of the evaluation.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from attrs import frozen

from kube_twisted.cel import times
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.escaping import escape, unescape
from kube_twisted.cel.schema_types import Schema, is_embedded, with_metadata
from kube_twisted.cel.values import MISSING, Duration, Lists, ListValue, Maps, MapValue, Timestamp, equal, find

_DAYS = re.compile(r"(\d+(?:\.\d+)?)\s*(\w+)")
_GO_TYPES = {str: "string", bool: "bool", int: "int64", float: "float64", dict: "map[string]interface {}",
             list: "[]interface {}"}
_LONG_UNITS = {"ns": 1, "us": 10 ** 3, "µs": 10 ** 3, "ms": 10 ** 6, "s": 10 ** 9, "m": 60 * 10 ** 9,
               "h": 3600 * 10 ** 9, "d": 86400 * 10 ** 9, "w": 7 * 86400 * 10 ** 9}


def to_value(data: Any, schema: Schema) -> Any:
    """The value of the language for JSON of a schema.

    :raises CelError: the JSON isn't what the schema says.
    """
    if data is None:
        if schema.get("nullable"):
            return None
        raise CelError("invalid data, got null for schema with nullable=false")
    if schema.get("x-kubernetes-int-or-string"):
        if isinstance(data, str) or type(data) is int:
            return data
        raise CelError("invalid data, expected XIntOrString value to be either a string or integer")
    convert = _CONVERTERS.get(schema.get("type") or "")
    if convert is not None:
        return convert(data, schema)
    if schema.get("x-kubernetes-preserve-unknown-fields"):
        return data
    raise CelError("invalid type, expected object, array, number, integer, boolean or string, or no type with "
                   "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ")


def to_json(value: Any) -> Any:
    """JSON again, from what ``to_value`` made of it."""
    if isinstance(value, (SchemaMap, SchemaList)):
        return value.data
    return value


def _object(data: Any, schema: Schema) -> Any:
    if not isinstance(data, dict):
        raise CelError("invalid data, expected a map for the provided schema with type=object")
    return SchemaMap(data, with_metadata(schema) if is_embedded(schema) else schema)


def _array(data: Any, schema: Schema) -> Any:
    if not isinstance(data, list):
        raise CelError("invalid data, expected an array for the provided schema with type=array")
    if not schema.get("items"):
        raise CelError("invalid array type, expected Items with a non-empty Schema")
    kind = schema.get("x-kubernetes-list-type") or "atomic"
    if kind == "map":
        keys = tuple(schema.get("x-kubernetes-list-map-keys") or ())
        return KeyedList(data, schema["items"], keys)
    return SetList(data, schema["items"]) if kind == "set" else SchemaList(data, schema["items"])


def _string(data: Any, schema: Schema) -> Any:
    if not isinstance(data, str):
        raise CelError(f"invalid data, expected string, got {_go_type(data)}")
    convert = _FORMATS.get(schema.get("format") or "")
    return data if convert is None else convert(data)


def _number(data: Any, schema: Schema) -> float:
    if isinstance(data, bool) or not isinstance(data, (int, float)):
        raise CelError(f"invalid data, expected float, got {_go_type(data)}")
    return float(data)


def _integer(data: Any, schema: Schema) -> int:
    if type(data) is not int:
        raise CelError(f"invalid data, expected int, got {_go_type(data)}")
    return data


def _boolean(data: Any, schema: Schema) -> bool:
    if not isinstance(data, bool):
        raise CelError(f"invalid data, expected bool, got {_go_type(data)}")
    return data


def _go_type(data: Any) -> str:
    return _GO_TYPES.get(type(data), type(data).__name__)


def _duration(text: str) -> Duration:
    """A Go duration, or a number with a unit of days or weeks."""
    try:
        return times.parse_duration(text)
    except ValueError:
        pass
    total = 0
    for amount, unit in _DAYS.findall(text):
        if unit not in _LONG_UNITS:
            break
        total += int(float(amount) * _LONG_UNITS[unit])
    if total:
        return Duration(total)
    raise CelError(f"Invalid duration {text}: unable to parse {text} as duration")


def _date(text: str) -> Timestamp:
    try:
        moment = date.fromisoformat(text)
    except ValueError:
        raise CelError(f"Invalid date formatted string {text}: cannot parse") from None
    return Timestamp((moment.toordinal() - date(1970, 1, 1).toordinal()) * 86400 * 10 ** 9)


def _date_time(text: str) -> Timestamp:
    try:
        return times.parse_timestamp(text.upper())
    except ValueError as error:
        raise CelError(f"Invalid date-time formatted string {text}: {error}") from None


def _byte(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise CelError(f"Invalid byte formatted string {text}: {error}") from None


_CONVERTERS = {"object": _object, "array": _array, "string": _string, "number": _number, "integer": _integer,
               "boolean": _boolean}
_FORMATS = {"duration": _duration, "date": _date, "date-time": _date_time, "byte": _byte}


@frozen(eq=False)
class SchemaMap(MapValue):
    """An object with fields, whose names are escaped, or a map."""

    data: dict[str, Any]
    schema: Schema

    def __len__(self) -> int:
        return len(self.data)

    def _below(self, key: str) -> Schema | None:
        properties: Mapping[str, Schema] | None = self.schema.get("properties")
        if properties is not None or is_embedded(self.schema):
            return (properties or {}).get(key)
        values = self.schema.get("additionalProperties")
        return values if isinstance(values, Mapping) else None

    @property
    def _has_fields(self) -> bool:
        return self.schema.get("properties") is not None

    def __iter__(self) -> Iterator[Any]:
        for key in self.data:
            if self._below(key) is not None:
                yield (escape(key) or key) if self._has_fields else key

    def find(self, key: Any) -> Any:
        if not isinstance(key, str):
            raise no_such_overload()
        name = unescape(key) if self._has_fields else key
        if name is None or name not in self.data:
            return MISSING
        data = self.data[name]
        if data is None and self._has_fields:
            return MISSING
        below = self._below(name)
        return MISSING if below is None else to_value(data, below)

    def equals(self, other: Any) -> bool:
        if not isinstance(other, Maps):
            raise no_such_overload()
        return len(self) == len(other) and all(self._same(key, other) for key in self.data)

    def _same(self, key: str, other: Any) -> bool:
        if self._below(key) is None:
            if not isinstance(other, SchemaMap):
                raise no_such_overload()
            return key not in other.data or bool(self.data[key] == other.data[key])
        value, opposite = self.find(key), find(other, key)
        if value is MISSING or opposite is MISSING:
            return value is opposite
        return equal(value, opposite)


@frozen(eq=False)
class SchemaList(ListValue):
    """A list whose order matters."""

    data: list[Any]
    items: Schema

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int) -> Any:
        return to_value(self.data[index], self.items)

    def equals(self, other: Any) -> bool:
        _demand_list(other)
        return len(self) == len(other) and all(equal(one, two) for one, two in zip(self, other, strict=True))

    def plus(self, other: Any) -> Any:
        _demand_list(other)
        return SchemaList([*self.data, *map(to_json, other)], self.items)


@frozen(eq=False)
class SetList(SchemaList):
    """A list of x-kubernetes-list-type=set: order doesn't matter, and ``+`` adds what is missing."""

    def equals(self, other: Any) -> bool:
        _demand_list(other)
        mine = set(map(_hashable, self.data))
        return len(self) == len(other) and all(_hashable(to_json(one)) in mine for one in other)

    def plus(self, other: Any) -> Any:
        _demand_list(other)
        found = list(self.data)
        known = set(map(_hashable, found))
        for one in map(to_json, other):
            if _hashable(one) not in known:
                known.add(_hashable(one))
                found.append(one)
        return SetList(found, self.items)


@frozen(eq=False)
class KeyedList(SchemaList):
    """A list of x-kubernetes-list-type=map: elements are found by their keys, and ``+`` replaces or adds."""

    keys: tuple[str, ...] = ()

    def _key(self, element: Any) -> Any:
        data = to_json(element)
        return tuple(_hashable(data.get(escape(key) or key)) for key in self.keys) if isinstance(data, dict) else None

    def equals(self, other: Any) -> bool:
        _demand_list(other)
        if len(self) != len(other):
            return False
        mine = {self._key(one): one for one in self.data}
        for one in other:
            key = self._key(one)
            if key not in mine or not equal(to_value(mine[key], self.items), one):
                return False
        return True

    def plus(self, other: Any) -> Any:
        _demand_list(other)
        found = list(self.data)
        places = {self._key(one): index for index, one in enumerate(found)}
        for one in map(to_json, other):
            place = places.get(self._key(one))
            if place is None:
                found.append(one)
            else:
                found[place] = one
        return KeyedList(found, self.items, self.keys)


def _demand_list(other: Any) -> None:
    if not isinstance(other, Lists):
        raise no_such_overload()


def _hashable(data: Any) -> Any:
    """A scalar with its type, so that ``true`` is not 1; anything else as its text."""
    return (type(data), data) if isinstance(data, (str, int, float, bool, type(None))) else repr(data)
