"""Protobuf messages as tables: what the fields of an attrs class are on the wire, encoding and decoding.

As in proto3, a field that has its default is not sent, except a message that is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import attrs

from kube_twisted.codec.protobuf.wire import BYTES, VARINT, read_fields, sized, tag, varint

T = TypeVar("T")

_WIRE = "wire"
_SIGN, _WHOLE = 1 << 63, 1 << 64
#: A field's number, how a value becomes bytes behind the tag and back, and whether there are many.
_Wire = tuple[int, int, Callable[[Any], bytes], Callable[[Any], Any], bool]


def _signed(value: int) -> int:
    return value - _WHOLE if value >= _SIGN else value


def _field(default: Any, number: int, wire_type: int, encode_one: Callable[[Any], bytes],
           decode_one: Callable[[Any], Any], many: bool = False) -> Any:
    wire: _Wire = (number, wire_type, encode_one, decode_one, many)
    return attrs.field(default=default, metadata={_WIRE: wire})


def integer(number: int) -> int:
    """An ``int64``, an ``int32`` or an enum."""
    return cast(int, _field(0, number, VARINT, varint, _signed))


def unsigned(number: int) -> int:
    """A ``uint64``."""
    return cast(int, _field(0, number, VARINT, varint, int))


def boolean(number: int) -> bool:
    return cast(bool, _field(False, number, VARINT, varint, bool))


def raw(number: int) -> bytes:
    """``bytes``."""
    return cast(bytes, _field(b"", number, BYTES, sized, bytes))


def text(number: int) -> str:
    return cast(str, _field("", number, BYTES, lambda value: sized(value.encode()), lambda value: value.decode()))


def message(number: int, kind: type[T]) -> T | None:
    """A message, or none."""
    return cast(T | None, _field(None, number, BYTES, lambda value: sized(encode(value)),
                                 lambda data: decode(kind, data)))


def messages(number: int, kind: type[T]) -> tuple[T, ...]:
    """A list of messages."""
    return cast(tuple[T, ...], _field((), number, BYTES, lambda value: sized(encode(value)),
                                      lambda data: decode(kind, data), many=True))


def encode(value: Any) -> bytes:
    """A message's bytes."""
    out = []
    for name, default, head, encode_one, many in _encoders(type(value)):
        content = getattr(value, name)
        if content != default:
            for one in content if many else (content,):
                out.append(head)
                out.append(encode_one(one))
    return b"".join(out)


def decode(kind: type[T], data: bytes) -> T:
    """A message from its bytes; fields that nobody knows are passed over.

    :raises ValueError: for bytes that are no such message.
    """
    decoders = _decoders(kind)
    values: dict[str, Any] = {}
    try:
        for number, content in read_fields(data, 0, len(data)):
            known = decoders.get(number)
            if known is not None:
                name, decode_one, many = known
                if many:
                    values.setdefault(name, []).append(decode_one(content))
                else:
                    values[name] = decode_one(content)
    except IndexError as error:
        raise ValueError("unexpected EOF") from error
    return kind(**values)


# -- tables of a class, made once ---------------------------------------------------------------------------------


def _encoders(kind: type[Any]) -> list[tuple[str, Any, bytes, Callable[[Any], bytes], bool]]:
    made: list[tuple[str, Any, bytes, Callable[[Any], bytes], bool]] | None = kind.__dict__.get("_encoders")
    if made is None:
        made = []
        for one in attrs.fields(kind):
            number, wire_type, encode_one, _, many = one.metadata[_WIRE]
            made.append((one.name, one.default, tag(number, wire_type), encode_one, many))
        kind._encoders = made
    return made


def _decoders(kind: type[Any]) -> dict[int, tuple[str, Callable[[Any], Any], bool]]:
    made: dict[int, tuple[str, Callable[[Any], Any], bool]] | None = kind.__dict__.get("_decoders")
    if made is None:
        made = {}
        for one in attrs.fields(kind):
            number, _, _, decode_one, many = one.metadata[_WIRE]
            made[number] = one.name, decode_one, many
        kind._decoders = made
    return made
