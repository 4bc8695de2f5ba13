"""Decodes leaves: what a Go scalar, quantity, time or number-or-text accepts, and how it is written back."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from kube_twisted.api.quantity import canonical as canonical_quantity
from kube_twisted.schema.gotime import canonical_micro_time, canonical_time
from kube_twisted.schema.types import ScalarKind

#: Decodes one value that is not null. The list collects the names of unknown fields below, if somebody asks.
Decoder = Callable[[Any, list[str] | None], Any]

_BASE64 = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


class Mismatch(ValueError):
    """A value of the wrong JSON type; where and what is found out by a second, slower look."""


def string(value: Any, _: list[str] | None) -> str:
    if type(value) is str:
        return value
    raise Mismatch


def boolean(value: Any, _: list[str] | None) -> bool:
    if type(value) is bool:
        return value
    raise Mismatch


def int32(value: Any, _: list[str] | None) -> int:
    if type(value) is int and -0x8000_0000 <= value <= 0x7FFF_FFFF:
        return value
    raise Mismatch


def int64(value: Any, _: list[str] | None) -> int:
    if type(value) is int and -0x8000_0000_0000_0000 <= value <= 0x7FFF_FFFF_FFFF_FFFF:
        return value
    raise Mismatch


def float64(value: Any, _: list[str] | None) -> int | float:
    """A whole number is written without a fraction."""
    if type(value) is int:
        return value
    if type(value) is float:
        return int(value) if value.is_integer() and abs(value) < 1e18 else value
    raise Mismatch


def quantity(value: Any, _: list[str] | None) -> str:
    """:raises ValueError: worded as the original's."""
    if type(value) is str:
        return canonical_quantity(value.strip())
    if type(value) is int or type(value) is float:
        return canonical_quantity(_go_number(value))
    return canonical_quantity("not a quantity")


def _go_number(value: int | float) -> str:
    """A number as Go's encoder writes it: without an exponent unless it is very large or very small."""
    if type(value) is int or value == 0 or not 1e-6 <= abs(value) < 1e21:
        return repr(value)
    return f"{Decimal(repr(value)):f}"


def int_or_string(value: Any, unknown: list[str] | None) -> int | str:
    return value if type(value) is str else int32(value, unknown)


def time(value: Any, unknown: list[str] | None) -> str | None:
    """:raises ValueError: worded as Go's."""
    return canonical_time(string(value, unknown))


def micro_time(value: Any, unknown: list[str] | None) -> str | None:
    """:raises ValueError: worded as Go's."""
    return canonical_micro_time(string(value, unknown))


def base64(value: Any, unknown: list[str] | None) -> str:
    """Text in standard base64, in which line breaks are skipped, or a list of bytes as numbers.

    :raises ValueError: naming the first bad byte, as Go does.
    """
    if type(value) is list:
        return b64encode(bytes(0 if one is None else byte(one) for one in value)).decode()
    text = string(value, unknown)
    joined = text.replace("\n", "").replace("\r", "")
    try:
        written = b64encode(b64decode(joined, validate=True)).decode()
    except (Base64Error, ValueError):
        written = ""
    if len(written) == len(joined):
        return written
    raise ValueError(f"illegal base64 data at input byte {_bad_byte(text.encode(errors='replace'))}")


def byte(value: Any) -> int:
    if type(value) is int and 0 <= value <= 0xFF:
        return value
    raise Mismatch


def _bad_byte(text: bytes) -> int:
    """The offset that Go's decoder reports: of the character that can't be there."""
    digits = 0
    for offset, byte in enumerate(text):
        if byte in b"\r\n":
            continue
        if byte not in _BASE64:
            return offset if byte != 0x3D or digits % 4 < 2 else _bad_padding(text, offset, digits % 4)
        digits += 1
    return len(text) - digits % 4


def _bad_padding(text: bytes, offset: int, digits: int) -> int:
    """The offset after padding that starts properly: more is missing, or more follows."""
    at = offset + 1
    while at < len(text) and text[at] in b"\r\n":
        at += 1
    if digits == 2:
        if at == len(text) or text[at] != 0x3D:
            return at if at == len(text) else at - 1
        at += 1
        while at < len(text) and text[at] in b"\r\n":
            at += 1
    return at


DECODERS: dict[ScalarKind, Decoder] = {
    "string": string, "bool": boolean, "int32": int32, "int64": int64, "float64": float64,
    "quantity": quantity, "int-or-string": int_or_string, "time": time, "micro-time": micro_time,
    "duration": string, "bytes": base64,
}
#: What a Go field of the kind holds before anything is decoded into it, as JSON.
ZEROS: dict[ScalarKind, Any] = {
    "string": "", "bool": False, "int32": 0, "int64": 0, "float64": 0, "quantity": "0", "int-or-string": 0,
    "time": None, "micro-time": None, "duration": "0s", "bytes": None,
}
#: Kinds that are Go structs: never empty, so written even when they are to be left out when empty.
NEVER_EMPTY: frozenset[ScalarKind] = frozenset(
    {"quantity", "int-or-string", "time", "micro-time", "duration"})
