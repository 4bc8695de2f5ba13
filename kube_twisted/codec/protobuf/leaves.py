"""Values that are messages of their own on the wire but leaves in JSON: times, quantities, raw JSON."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson

from kube_twisted.api.timefmt import format_micro_time, format_time, parse_time
from kube_twisted.codec import json
from kube_twisted.codec.protobuf.wire import WireError, read_fields, sized, varint

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
_NANOS_IN_MICRO = 1000
_SIGN_BITS = {32: 1 << 31, 64: 1 << 63}

# -- numbers ----------------------------------------------------------------------------------------------------------


def signed(value: int, bits: int) -> int:
    """The number that the low bits of an unsigned one stand for."""
    sign = _SIGN_BITS[bits]
    return ((value & (sign * 2 - 1)) ^ sign) - sign


NUMBERS: dict[str, Callable[[int], Any]] = {
    "int32": lambda value: signed(value, 32),
    "int64": lambda value: signed(value, 64),
    "bool": bool,
}

# -- to bytes ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _time_bytes(text: str) -> bytes:
    """Seconds since 1970 and nanoseconds; the same times come with object after object."""
    since = parse_time(text) - _EPOCH
    nanos = since.microseconds * _NANOS_IN_MICRO
    seconds = since // _SECOND
    return b"\x08" + varint(seconds) + b"\x10" + varint(nanos)


def _int_or_string_bytes(value: int | str) -> bytes:
    if isinstance(value, str):
        return b"\x08\x01\x1a" + sized(value.encode())
    return b"\x08\x00\x10" + varint(value)


def _strings_bytes(value: list[str] | None) -> bytes:
    return b"".join([b"\n" + sized(item.encode()) for item in value or ()])


#: The content of a value, without its length.
TO_BYTES: dict[str, Callable[[Any], bytes]] = {
    "text": str.encode,
    "bytes": lambda value: b64decode(value or ""),
    "quantity": lambda value: b"\n" + sized(str(value).encode()),
    "raw": lambda value: b"\n" + sized(orjson.dumps(value)),
    "time": lambda value: _time_bytes(value) if value else b"",
    "micro-time": lambda value: _time_bytes(value) if value else b"",
    "int-or-string": _int_or_string_bytes,
    "strings": _strings_bytes,
}

# -- from bytes -------------------------------------------------------------------------------------------------------


def text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


_Members = dict[int, int | bytes]


def _members(raw: bytes) -> _Members:
    return dict(read_fields(raw, 0, len(raw)))


def _number(members: _Members, field: int) -> int:
    """:raises WireError: for bytes in the place of a number."""
    value = members.get(field, 0)
    if isinstance(value, bytes):
        raise WireError(f"proto: wrong wireType = 2 for field {field}")
    return value


def _bytes(members: _Members, field: int) -> bytes:
    """:raises WireError: for a number in the place of bytes."""
    value = members.get(field, b"")
    if isinstance(value, int):
        raise WireError(f"proto: wrong wireType = 0 for field {field}")
    return value


@lru_cache(maxsize=4096)
def _moment(raw: bytes, write: Callable[[datetime], str]) -> str | None:
    """A time as text; nothing for the zero time, which is an empty message.

    :raises WireError: for a time beyond the years that can be written.
    """
    members = _members(raw)
    seconds, nanos = signed(_number(members, 1), 64), signed(_number(members, 2), 32)
    if not seconds and not nanos:
        return None
    try:
        return write(_EPOCH + timedelta(seconds=seconds, microseconds=nanos // _NANOS_IN_MICRO))
    except OverflowError:
        raise WireError("Time.MarshalJSON: year outside of range [0,9999]") from None


@lru_cache(maxsize=4096)
def _quantity(raw: bytes) -> str:
    return text(_bytes(_members(raw), 1))


def _int_or_string(raw: bytes) -> int | str:
    members = _members(raw)
    return text(_bytes(members, 3)) if _number(members, 1) else signed(_number(members, 2), 32)


def _raw_json(raw: bytes) -> Any:
    """:raises ValueError: for what is no JSON."""
    value = _bytes(_members(raw), 1)
    return json.parse(value) if value else None


#: The value of a content.
FROM_BYTES: dict[str, Callable[[bytes], Any]] = {
    "text": text,
    "bytes": lambda raw: b64encode(raw).decode(),
    "quantity": _quantity,
    "raw": _raw_json,
    "time": lambda raw: _moment(raw, format_time),
    "micro-time": lambda raw: _moment(raw, format_micro_time),
    "int-or-string": _int_or_string,
    "strings": lambda raw: [text(value) for number, value in read_fields(raw, 0, len(raw))
                            if number == 1 and isinstance(value, bytes)],
}
