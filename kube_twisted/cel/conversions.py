"""Conversions between the simple types: ``int("5")``, ``string(1.5)``, ``timestamp("2024-...")``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from kube_twisted.cel import times
from kube_twisted.cel.arithmetic import integer, unsigned
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.values import Duration, Timestamp, UInt

_INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)",
                    re.ASCII | re.IGNORECASE)
_HEX_FLOAT = re.compile(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*p[+-]?[0-9]+", re.ASCII | re.IGNORECASE)
#: An underscore that doesn't stand between digits, or behind the ``0x``.
_STRAY_UNDERSCORE = re.compile(r"(?<![0-9])_|_(?![0-9])", re.ASCII)
_STRAY_HEX_UNDERSCORE = re.compile(r"(?<![0-9a-fx])_|_(?![0-9a-f])", re.ASCII | re.IGNORECASE)
_TRUE, _FALSE = ("1", "t", "T", "TRUE", "true", "True"), ("0", "f", "F", "FALSE", "false", "False")
_MAX_DIGITS = 400


def conversion_error(value: Any, wanted: str) -> CelError:
    return CelError(f"type conversion error from '{type_name(value)}' to '{wanted}'")


def _guarded(wanted: str, convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Any ValueError becomes the original's complaint."""
    def guarded(value: Any) -> Any:
        try:
            return convert(value)
        except ValueError:
            raise conversion_error(value, wanted) from None
    return guarded


def _int(value: Any) -> int:
    if isinstance(value, str):
        number = _whole(value, _INTEGER)
        if not -(1 << 63) <= number < 1 << 63:
            raise ValueError(value)
        return number
    if isinstance(value, float):
        if not math.isfinite(value) or value <= -(2.0 ** 63) or value >= 2.0 ** 63:
            raise CelError("integer overflow")
        return int(value)
    if isinstance(value, Timestamp):
        return value.nanoseconds // 10 ** 9
    if isinstance(value, Duration):
        return value.nanoseconds
    return integer(int(value))


def _uint(value: Any) -> UInt:
    if isinstance(value, str):
        number = _whole(value, _DIGITS)
        if number >= 1 << 64:
            raise ValueError(value)
        return UInt(number)
    if isinstance(value, float):
        if not math.isfinite(value) or value < 0 or value >= 2.0 ** 64:
            raise CelError("unsigned integer overflow")
        return UInt(int(value))
    return unsigned(int(value))


def _whole(text: str, pattern: re.Pattern[str]) -> int:
    if not pattern.fullmatch(text) or len(text) > _MAX_DIGITS:
        raise ValueError(text)
    return int(text)


def _double(value: Any) -> float:
    if not isinstance(value, str):
        return float(value)
    if not (_STRAY_HEX_UNDERSCORE if "x" in value.lower() else _STRAY_UNDERSCORE).search(value):
        value = value.replace("_", "")
    if _HEX_FLOAT.fullmatch(value):
        return float.fromhex(value)
    if not _FLOAT.fullmatch(value):
        raise ValueError(value)
    number = float(value)
    if math.isinf(number) and "i" not in value.lower():
        raise ValueError(value)
    return number


def format_double(value: float) -> str:
    """Write as Go's ``%g`` does: the shortest text that reads back the same, with an exponent from 1e+06 on."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    text = repr(value)
    mantissa, _, exponent = text.partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0") or "0"
    if digits == "0":
        return f"{sign}0"
    if -4 <= point - 1 < 6:
        return sign + _plain(digits, point)
    power = point - 1
    rest = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'-' if power < 0 else '+'}{abs(power):02}"


def _plain(digits: str, point: int) -> str:
    if point <= 0:
        return f"0.{'0' * -point}{digits}"
    if point >= len(digits):
        return digits + "0" * (point - len(digits))
    return f"{digits[:point]}.{digits[point:]}"


def to_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None
    if isinstance(value, float):
        return format_double(value)
    if isinstance(value, Duration):
        return times.format_duration(value)
    if isinstance(value, Timestamp):
        return times.format_timestamp(value)
    return str(int(value))


def _bool(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if value in _TRUE or value in _FALSE:
        return value in _TRUE
    raise ValueError(value)


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _timestamp(value: Any) -> Timestamp:
    if isinstance(value, Timestamp):
        return value
    return times.parse_timestamp(value) if isinstance(value, str) else times.from_seconds(value)


def _duration(value: Any) -> Duration:
    if isinstance(value, Duration):
        return value
    if not isinstance(value, str):  # declared for whole numbers, yet never possible
        raise ValueError(value)
    return times.parse_duration(value)


to_int = _guarded("int", _int)
to_uint = _guarded("uint", _uint)
to_double = _guarded("double", _double)
to_bool = _guarded("bool", _bool)
to_bytes = _guarded("bytes", _bytes)
to_timestamp = _guarded("google.protobuf.Timestamp", _timestamp)
to_duration = _guarded("google.protobuf.Duration", _duration)
