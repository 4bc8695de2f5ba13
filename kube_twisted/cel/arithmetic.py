"""The operators ``+ - * / %`` and negation, with overflow."""

from __future__ import annotations

import math
from typing import Any

from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.values import INT_MAX, INT_MIN, UINT_MAX, Duration, Lists, ListValue, Timestamp, UInt

MIN_TIME, MAX_TIME = -62135596800, 253402300799
_SECOND = 10 ** 9
#: These have methods, among which operators are looked for; that none is found is said without a name.
_WITH_METHODS = (str, Duration, Timestamp)
_ADDABLE = (int, float, str, bytes, Duration, Timestamp, list, ListValue)


def integer(value: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise CelError("integer overflow")
    return value


def unsigned(value: int) -> UInt:
    if not 0 <= value <= UINT_MAX:
        raise CelError("unsigned integer overflow")
    return UInt(value)


def duration(nanoseconds: int) -> Duration:
    return Duration(integer(nanoseconds))


def timestamp(nanoseconds: int, offset: int = 0) -> Timestamp:
    if not MIN_TIME <= nanoseconds // _SECOND <= MAX_TIME:
        raise CelError("timestamp overflow")
    return Timestamp(nanoseconds, offset)


def add(first: Any, second: Any) -> Any:
    kind = type(first)
    if kind is int and type(second) is int:
        return integer(first + second)
    if kind is type(second):
        if kind is UInt:
            return unsigned(int(first) + int(second))
        if kind in (float, str, bytes):
            return first + second
        if kind is Duration:
            return duration(first.nanoseconds + second.nanoseconds)
    if kind is list and isinstance(second, Lists):
        return [*first, *second]
    if isinstance(first, ListValue):
        return first.plus(second)
    if isinstance(first, Timestamp) and isinstance(second, Duration):
        return timestamp(first.nanoseconds + second.nanoseconds, first.offset)
    if isinstance(first, Duration) and isinstance(second, Timestamp):
        return timestamp(first.nanoseconds + second.nanoseconds, second.offset)
    raise no_operator("_+_", first, _ADDABLE)


def subtract(first: Any, second: Any) -> Any:
    kind = type(first)
    if kind is int and type(second) is int:
        return integer(first - second)
    if kind is UInt and type(second) is UInt:
        return unsigned(int(first) - int(second))
    if kind is float and type(second) is float:
        return first - second
    if isinstance(first, (Timestamp, Duration)) and isinstance(second, Duration):
        nanoseconds = first.nanoseconds - second.nanoseconds
        return timestamp(nanoseconds, first.offset) if isinstance(first, Timestamp) else duration(nanoseconds)
    if isinstance(first, Timestamp) and isinstance(second, Timestamp):
        return duration(first.nanoseconds - second.nanoseconds)
    raise no_operator("_-_", first, (int, float, Timestamp, Duration))


def multiply(first: Any, second: Any) -> Any:
    kind = type(first)
    if kind is int and type(second) is int:
        return integer(first * second)
    if kind is UInt and type(second) is UInt:
        return unsigned(int(first) * int(second))
    if kind is float and type(second) is float:
        return first * second
    raise no_operator("_*_", first, (int, float))


def divide(first: Any, second: Any) -> Any:
    kind = type(first)
    if kind is float and type(second) is float:
        return _divide_doubles(first, second)
    if kind not in (int, UInt) or type(second) is not kind:
        raise no_operator("_/_", first, (int, float))
    if second == 0:
        raise CelError("division by zero")
    quotient = abs(int(first)) // abs(int(second))
    return UInt(quotient) if kind is UInt else integer(quotient if (first < 0) == (second < 0) else -quotient)


def _divide_doubles(first: float, second: float) -> float:
    if second != 0:
        return first / second
    if first == 0 or math.isnan(first):
        return math.nan
    return math.copysign(math.inf, first) * math.copysign(1, second)


def modulo(first: Any, second: Any) -> Any:
    kind = type(first)
    if kind not in (int, UInt) or type(second) is not kind:
        raise no_operator("_%_", first, (int,))
    if second == 0:
        raise CelError("modulus by zero")
    if first == INT_MIN and second == -1:
        raise CelError("integer overflow")
    rest = abs(int(first)) % abs(int(second))
    return UInt(rest) if kind is UInt else (-rest if first < 0 else rest)


def negate(value: Any) -> Any:
    if type(value) is int:
        return integer(-value)
    if type(value) is float:
        return -value
    if isinstance(value, Duration):
        return duration(-value.nanoseconds)
    raise no_operator("-_", value, () if isinstance(value, UInt) else (bool,))


def no_operator(function: str, first: Any, having: tuple[type, ...]) -> CelError:
    """The complaint about operands: it names the operator when the left one doesn't know it at all."""
    known = isinstance(first, (*having, *_WITH_METHODS)) and (bool in having or not isinstance(first, bool))
    return no_such_overload() if known else CelError(f"no such overload: {function}")
