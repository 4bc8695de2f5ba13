"""The OpenAPI v2 document in protobuf: the messages of ``openapi.v2`` that Kubernetes' clients read.

Only what Kubernetes' documents have is written; extensions are JSON, which the clients read as YAML.
Source of the numbers: ``OpenAPIv2.proto`` of the project gnostic-models.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from struct import pack
from typing import Any

import orjson

from kube_twisted.codec.protobuf.wire import BYTES, FIXED64, VARINT, sized, tag, varint

#: Writes a value as a field of a number.
_Writer = Callable[[int, Any], bytes]


def to_protobuf(document: Mapping[str, Any]) -> bytes:
    """Write a whole document.

    :param document: OpenAPI v2 as parsed JSON.
    """
    return _fields(_DOCUMENT, 16, document)


# -- writers ------------------------------------------------------------------------------------------------


def _delimited(number: int, payload: bytes) -> bytes:
    return tag(number, BYTES) + sized(payload)


def _text(number: int, value: str) -> bytes:
    return _delimited(number, value.encode())


def _flag(number: int, value: bool) -> bytes:
    return tag(number, VARINT) + b"\x01" if value else b""


def _number(number: int, value: float) -> bytes:
    """A number as a double; zero, which is what a missing one means, is left out."""
    return tag(number, FIXED64) + pack("<d", value) if value else b""


def _count(number: int, value: int) -> bytes:
    return tag(number, VARINT) + varint(value) if value else b""


def _any(number: int, value: Any) -> bytes:
    """A value of any type, as a text in its second field."""
    return _delimited(number, _delimited(2, orjson.dumps(value)))


def _each(writer: _Writer) -> _Writer:
    """A field that is there once for each value of a list."""
    return lambda number, values: b"".join(writer(number, value) for value in values)


def _wrapped(inner: int, writer: _Writer) -> _Writer:
    """A message that has the value in one of its fields."""
    return lambda number, value: _delimited(number, writer(inner, value))


def _named(writer: _Writer, inner: int = 1) -> _Writer:
    """A message of pairs: names in their first field, values in their second."""

    def write(number: int, values: Mapping[str, Any]) -> bytes:
        pairs = (_delimited(inner, _text(1, name) + writer(2, value)) for name, value in values.items())
        return _delimited(number, b"".join(pairs))

    return write


def _message(fields: Mapping[str, tuple[int, _Writer]], extensions: int = 0) -> _Writer:
    """A message with a field per member; others are extensions, in a field of their own."""
    return lambda number, value: _delimited(number, _fields(fields, extensions, value))


def _fields(fields: Mapping[str, tuple[int, _Writer]], extensions: int, value: Mapping[str, Any]) -> bytes:
    parts = []
    for name, member in value.items():
        field = fields.get(name)
        if field is not None:
            parts.append(field[1](field[0], member))
        elif extensions and name.startswith("x-"):
            parts.append(_delimited(extensions, _text(1, name) + _any(2, member)))
    return b"".join(parts)


# -- messages -----------------------------------------------------------------------------------------------


def _schema(number: int, value: Mapping[str, Any]) -> bytes:
    return _delimited(number, _fields(_SCHEMA, 31, value))


def _parameter(number: int, value: Mapping[str, Any]) -> bytes:
    """A body, or one of the other places, each a message of its own."""
    if value["in"] == "body":
        return _wrapped(1, _BODY)(number, value)
    inner, writer = (4, _PATH_PARAMETER) if value["in"] == "path" else (3, _QUERY_PARAMETER)
    return _wrapped(2, _wrapped(inner, writer))(number, value)


def _parameter_item(number: int, value: Mapping[str, Any]) -> bytes:
    if "$ref" in value:
        return _wrapped(2, _message({"$ref": (1, _text)}))(number, value)
    return _wrapped(1, _parameter)(number, value)


def _values(number: int, value: Any) -> bytes:
    """What other members of an object are: a schema, or whether there may be any."""
    if isinstance(value, bool):
        return _delimited(number, tag(2, VARINT) + varint(value))
    return _wrapped(1, _schema)(number, value)


_SCHEMA: dict[str, tuple[int, _Writer]] = {
    "$ref": (1, _text), "format": (2, _text), "title": (3, _text), "description": (4, _text),
    "default": (5, _any), "multipleOf": (6, _number), "maximum": (7, _number), "exclusiveMaximum": (8, _flag),
    "minimum": (9, _number), "exclusiveMinimum": (10, _flag), "maxLength": (11, _count), "minLength": (12, _count),
    "pattern": (13, _text), "maxItems": (14, _count), "minItems": (15, _count), "uniqueItems": (16, _flag),
    "maxProperties": (17, _count), "minProperties": (18, _count),
    "required": (19, _each(_text)), "enum": (20, _each(_any)), "additionalProperties": (21, _values),
    "type": (22, _wrapped(1, _text)),
    "items": (23, _wrapped(1, _schema)), "allOf": (24, _each(_schema)), "properties": (25, _named(_schema)),
    "externalDocs": (29, _message({"description": (1, _text), "url": (2, _text)})), "example": (30, _any),
}
_BODY = _message({"description": (1, _text), "name": (2, _text), "in": (3, _text), "required": (4, _flag),
                  "schema": (5, _schema)})
_PATH_PARAMETER = _message({"required": (1, _flag), "in": (2, _text), "description": (3, _text),
                            "name": (4, _text), "type": (5, _text), "uniqueItems": (19, _flag)})
_QUERY_PARAMETER = _message({"required": (1, _flag), "in": (2, _text), "description": (3, _text),
                             "name": (4, _text), "type": (6, _text), "uniqueItems": (20, _flag)})
_RESPONSE = _message({"description": (1, _text), "schema": (2, _wrapped(1, _schema))})
_OPERATION = _message({
    "tags": (1, _each(_text)), "description": (3, _text), "operationId": (5, _text),
    "produces": (6, _each(_text)), "consumes": (7, _each(_text)), "parameters": (8, _each(_parameter_item)),
    "responses": (9, _named(_wrapped(1, _RESPONSE))), "schemes": (10, _each(_text))}, 13)
_PATH = _message({
    "get": (2, _OPERATION), "put": (3, _OPERATION), "post": (4, _OPERATION), "delete": (5, _OPERATION),
    "options": (6, _OPERATION), "head": (7, _OPERATION), "patch": (8, _OPERATION),
    "parameters": (9, _each(_parameter_item))})
_STRINGS = _wrapped(1, _each(_text))
_API_KEY = _message({"type": (1, _text), "name": (2, _text), "in": (3, _text), "description": (4, _text)})
_DOCUMENT: dict[str, tuple[int, _Writer]] = {
    "swagger": (1, _text), "info": (2, _message({"title": (1, _text), "version": (2, _text)})),
    "paths": (8, _named(_PATH, 2)), "definitions": (9, _named(_schema)),
    "parameters": (10, _named(_parameter)), "security": (12, _each(_named(_STRINGS))),
    "securityDefinitions": (13, _named(_wrapped(2, _API_KEY))),
}
