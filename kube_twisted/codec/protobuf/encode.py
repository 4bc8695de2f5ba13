"""Plain data to a message: each field that is there is written, which is what tells a pointer to zero from nothing.

A message's writer is prepared when it is first used, and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Any

from kube_twisted.codec.protobuf.leaves import TO_BYTES
from kube_twisted.codec.protobuf.messages import MessageField, fields_of
from kube_twisted.codec.protobuf.schemas import SCHEMAS_TO_BYTES
from kube_twisted.codec.protobuf.wire import BYTES, FIXED64, KNOWN, SIZES, VARINT, sized, tag, varint

#: Writes a value: a whole field with its tag, or only the content.
Writer = Callable[[Any], bytes]

_DOUBLE = Struct("<d").pack
_NUMBERS = ("int32", "int64", "bool")


@lru_cache(maxsize=4096)
def message_writer(message: str) -> Writer:
    """What writes a JSON object as a message; members that are no fields are left out.

    :param message: such as ``core.v1.Pod``.
    """
    prepared: list[tuple[dict[str, Writer], list[Writer]]] = []

    def write_message(obj: dict[str, Any]) -> bytes:
        if not prepared:
            prepared.append(_prepare(message))
        writers, inlined = prepared[0]
        written = []
        for key, value in obj.items():
            if value is not None and (writer := writers.get(key)) is not None:
                written.append(writer(value))
        for writer in inlined:
            written.append(writer(obj))
        return b"".join(written)

    return write_message


def _prepare(message: str) -> tuple[dict[str, Writer], list[Writer]]:
    """The writers of the fields by name, and those of messages whose fields stand in the same object."""
    fields = fields_of(message)
    return ({field.name: _field_writer(field) for field in fields if not field.inlined},
            [_single(field.number, message_writer(field.type)) for field in fields if field.inlined])


def _field_writer(field: MessageField) -> Writer:
    if field.type in _NUMBERS:
        one: Writer = _number(field.number)
    elif field.type == "double":
        one = _double(field.number)
    elif field.how_many == "map":
        return _map(field.number, _content(field.type))
    else:
        one = _single(field.number, _content(field.type))
    return _list(one) if field.how_many == "list" else one


def _content(type_: str) -> Writer:
    """What writes the content of text, bytes or a message."""
    leaf = TO_BYTES.get(type_)
    if leaf is not None:
        return leaf
    schema = SCHEMAS_TO_BYTES.get(type_)
    return schema(message_writer) if schema is not None else message_writer(type_)


def _number(number: int) -> Writer:
    key = tag(number, VARINT)

    def write_number(value: int) -> bytes:
        return key + varint(value)

    return write_number


def _double(number: int) -> Writer:
    key = tag(number, FIXED64)

    def write_double(value: float) -> bytes:
        return key + _DOUBLE(value)

    return write_double


def _single(number: int, content: Writer) -> Writer:
    key = tag(number, BYTES)

    def write_single(value: Any) -> bytes:
        raw = content(value)
        size = len(raw)
        return key + (SIZES[size] if size < KNOWN else varint(size)) + raw

    return write_single


def _list(one: Writer) -> Writer:
    def write_list(value: list[Any]) -> bytes:
        return b"".join([one(item) for item in value])

    return write_list


def _map(number: int, content: Writer) -> Writer:
    """A map is a list of entries of a key and a value."""
    key = tag(number, BYTES)

    def write_map(value: dict[str, Any]) -> bytes:
        written: list[bytes] = []
        for name, item in value.items():
            written += key, sized(b"\n" + sized(name.encode()) + b"\x12" + sized(content(item)))
        return b"".join(written)

    return write_map
