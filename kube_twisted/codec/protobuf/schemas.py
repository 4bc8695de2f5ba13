"""A JSON schema or something simpler, as CustomResourceDefinitions have it: ``items``, ``additionalProperties``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kube_twisted.codec.protobuf.leaves import text
from kube_twisted.codec.protobuf.wire import read_fields, sized

_SCHEMA = "apiextensions.v1.JSONSchemaProps"
_ONE, _MANY = b"\n", b"\x12"

Write = Callable[[Any], bytes]
Read = Callable[[bytes], Any]
#: Gives what writes, or reads, a message.
Writers = Callable[[str], Write]
Readers = Callable[[str], Read]

# -- to bytes ---------------------------------------------------------------------------------------------------------


def _or_array(writers: Writers) -> Write:
    schema = writers(_SCHEMA)

    def write(value: Any) -> bytes:
        if isinstance(value, list):
            return b"".join([_MANY + sized(schema(item)) for item in value])
        return _ONE + sized(schema(value))

    return write


def _or_bool(writers: Writers) -> Write:
    schema = writers(_SCHEMA)

    def write(value: Any) -> bytes:
        if isinstance(value, bool):
            return b"\x08\x01" if value else b"\x08\x00"
        return b"\x08\x01\x12" + sized(schema(value))

    return write


def _or_strings(writers: Writers) -> Write:
    schema = writers(_SCHEMA)

    def write(value: Any) -> bytes:
        if isinstance(value, list):
            return b"".join([_MANY + sized(item.encode()) for item in value])
        return _ONE + sized(schema(value))

    return write


SCHEMAS_TO_BYTES: dict[str, Callable[[Writers], Write]] = {
    "schema-or-array": _or_array, "schema-or-bool": _or_bool, "schema-or-strings": _or_strings}

# -- from bytes -------------------------------------------------------------------------------------------------------


def _from_one_or_many(one: Read, many: Read) -> Read:
    def read(raw: bytes) -> Any:
        single, several = None, []
        for number, value in read_fields(raw, 0, len(raw)):
            if number == 1 and isinstance(value, bytes):
                single = one(value)
            elif number == 2 and isinstance(value, bytes):
                several.append(many(value))
        return several or single

    return read


def _from_or_bool(readers: Readers) -> Read:
    schema = readers(_SCHEMA)

    def read(raw: bytes) -> Any:
        members = dict(read_fields(raw, 0, len(raw)))
        found = members.get(2)
        return schema(found) if isinstance(found, bytes) else bool(members.get(1))

    return read


SCHEMAS_FROM_BYTES: dict[str, Callable[[Readers], Read]] = {
    "schema-or-array": lambda readers: _from_one_or_many(readers(_SCHEMA), readers(_SCHEMA)),
    "schema-or-bool": _from_or_bool,
    "schema-or-strings": lambda readers: _from_one_or_many(readers(_SCHEMA), text),
}
