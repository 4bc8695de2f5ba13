"""A message to plain data, as sent: zeros and all. Decoding that as the kind (``schema/decode.py``) makes it canonical.

A message's reader is prepared when it is first used, and kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from struct import Struct
from typing import Any

from kube_twisted.codec.protobuf.leaves import FROM_BYTES, NUMBERS
from kube_twisted.codec.protobuf.messages import MessageField, fields_of
from kube_twisted.codec.protobuf.schemas import SCHEMAS_FROM_BYTES
from kube_twisted.codec.protobuf.wire import (
    BYTES,
    FIXED64,
    VARINT,
    WireError,
    end_of_input,
    read_fields,
    read_varint,
    skip,
)

#: Reads ``buffer[at:end]`` into an object.
Reader = Callable[[bytes, int, int, dict[str, Any]], None]
#: Puts a number into an object.
_Put = Callable[[int, dict[str, Any]], None]
#: Tags of the key and the value of an entry of a map.
_KEY, _VALUE = 1 << 3 | BYTES, 2 << 3 | BYTES
_DOUBLE = Struct("<d").unpack_from


def decode_message(message: str, raw: bytes) -> dict[str, Any]:
    """Read a message.

    :param message: such as ``core.v1.Pod``.
    :raises WireError: for bytes that are no such message.
    """
    obj: dict[str, Any] = {}
    try:
        message_reader(message)(raw, 0, len(raw), obj)
    except IndexError:
        raise end_of_input() from None
    except RecursionError:
        raise WireError("proto: messages are nested too deeply") from None
    return obj


@lru_cache(maxsize=4096)
def message_reader(message: str) -> Reader:
    """What reads the fields of a message; of what it does not know nothing stays."""
    prepared: list[_Plan] = []

    def read_message(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
        if not prepared:
            prepared.append(_Plan(message))
        plan = prepared[0]
        readers = plan.readers
        while at < end:
            key = buffer[at]
            at += 1
            if key > 0x7F:
                key, at = read_varint(buffer, at - 1)
            reader = readers.get(key)
            if reader is None:
                at = plan.other(buffer, at, end, key, obj)
                continue
            size = buffer[at]
            at += 1
            if size > 0x7F:
                size, at = read_varint(buffer, at - 1)
            stop = at + size
            if stop > end:
                raise end_of_input()
            reader(buffer, at, stop, obj)
            at = stop
        if at > end:
            raise end_of_input()

    return read_message


class _Plan:
    """How the fields of one message are read.

    :ivar readers: of text, bytes and messages, by tag.
    """

    def __init__(self, message: str) -> None:
        self._name = message.rpartition(".")[2]
        self.readers: dict[int, Reader] = {}
        self._numbers: dict[int, _Put] = {}
        self._doubles: dict[int, str] = {}
        self._fields = {field.number: field for field in fields_of(message)}
        for field in self._fields.values():
            self._add(field)

    def _add(self, field: MessageField) -> None:
        if field.type in NUMBERS:
            self._numbers[field.number << 3 | VARINT] = _number(field)
            if field.how_many == "list":
                self.readers[field.number << 3 | BYTES] = _packed(field)
        elif field.type == "double":
            self._doubles[field.number << 3 | FIXED64] = field.name
        else:
            self.readers[field.number << 3 | BYTES] = _reader(field)

    def other(self, buffer: bytes, at: int, end: int, key: int, obj: dict[str, Any]) -> int:
        """Read a number, or over an unknown field; gives the offset behind it.

        :raises WireError: for a known field whose value is of another type.
        """
        put = self._numbers.get(key)
        if put is not None:
            value, at = read_varint(buffer, at)
            put(value, obj)
            return at
        if key in self._doubles and at + 8 <= end:
            obj[self._doubles[key]] = _DOUBLE(buffer, at)[0]
            return at + 8
        number, wire_type = key >> 3, key & 7
        if not number:
            raise WireError(f"proto: {self._name}: illegal tag 0 (wire type {wire_type})")
        if number in self._fields and key not in self._doubles:
            raise WireError(f"proto: wrong wireType = {wire_type} for field {self._fields[number].go_name}")
        return skip(buffer, at, wire_type)


def _number(field: MessageField) -> _Put:
    name, convert = field.name, NUMBERS[field.type]
    if field.how_many == "list":
        def append(value: int, obj: dict[str, Any]) -> None:
            obj.setdefault(name, []).append(convert(value))

        return append

    def put(value: int, obj: dict[str, Any]) -> None:
        obj[name] = convert(value)

    return put


def _packed(field: MessageField) -> Reader:
    """A list of numbers may also come as one run of them."""
    put = _number(field)

    def read_packed(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
        while at < end:
            value, at = read_varint(buffer, at)
            put(value, obj)

    return read_packed


def _reader(field: MessageField) -> Reader:
    if field.inlined:
        return message_reader(field.type)
    if field.is_message and field.how_many != "map":
        return _message(field)
    if field.how_many == "map":
        return _map(field.name, _content(field.type))
    return _text(field) if field.type == "text" else _leaf(field)


def _message(field: MessageField) -> Reader:
    name, inner = field.name, message_reader(field.type)
    if field.how_many == "list":
        def append_message(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
            item: dict[str, Any] = {}
            inner(buffer, at, end, item)
            obj.setdefault(name, []).append(item)

        return append_message

    def read_member(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
        inner(buffer, at, end, obj.setdefault(name, {}))  # one that comes twice is merged

    return read_member


def _text(field: MessageField) -> Reader:
    name = field.name
    if field.how_many == "list":
        def append_text(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
            obj.setdefault(name, []).append(buffer[at:end].decode("utf-8", "replace"))

        return append_text

    def read_text(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
        obj[name] = buffer[at:end].decode("utf-8", "replace")

    return read_text


def _leaf(field: MessageField) -> Reader:
    name, content = field.name, _content(field.type)
    if field.how_many == "list":
        def append_leaf(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
            obj.setdefault(name, []).append(content(buffer[at:end]))

        return append_leaf

    def read_leaf(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
        obj[name] = content(buffer[at:end])

    return read_leaf


def _map(name: str, content: Callable[[bytes], Any]) -> Reader:
    def read_entry(buffer: bytes, at: int, end: int, obj: dict[str, Any]) -> None:
        key, value = _entry(buffer, at, end)
        obj.setdefault(name, {})[key.decode("utf-8", "replace")] = content(value)

    return read_entry


def _entry(buffer: bytes, at: int, end: int) -> tuple[bytes, bytes]:
    """The key and the value of an entry of a map."""
    if at < end and buffer[at] == _KEY:  # as everybody writes them
        size, at_key = read_varint(buffer, at + 1)
        at_value = at_key + size
        if at_value < end and buffer[at_value] == _VALUE:
            size, start = read_varint(buffer, at_value + 1)
            if start + size == end:
                return buffer[at_key:at_value], buffer[start:end]
    entry = dict(read_fields(buffer, at, end))
    key, value = entry.get(1, b""), entry.get(2, b"")
    if isinstance(key, int) or isinstance(value, int):
        raise WireError("proto: wrong wireType = 0 for a map entry")
    return key, value


def _content(type_: str) -> Callable[[bytes], Any]:
    """What makes a value of the content of a field."""
    leaf = FROM_BYTES.get(type_)
    if leaf is not None:
        return leaf
    schema = SCHEMAS_FROM_BYTES.get(type_)
    return schema(_whole) if schema is not None else _whole(type_)


def _whole(message: str) -> Callable[[bytes], dict[str, Any]]:
    """What reads a message that stands alone."""
    reader = message_reader(message)

    def read_whole(raw: bytes) -> dict[str, Any]:
        obj: dict[str, Any] = {}
        reader(raw, 0, len(raw), obj)
        return obj

    return read_whole
