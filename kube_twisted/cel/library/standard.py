"""The standard functions and operators, as cel-spec defines them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from kube_twisted.cel import arithmetic, conversions, times
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.typenames import type_name
from kube_twisted.cel.values import (
    MISSING,
    Duration,
    Lists,
    Maps,
    Timestamp,
    TypeValue,
    compare,
    equal,
    find,
)
from kube_twisted.util.regexp import RegexpError, compile_regexp

_OPERATORS = """
    _?_:_ conditional: (bool, A, A) -> A
    _&&_ logical_and: (bool, bool) -> bool
    _||_ logical_or: (bool, bool) -> bool
    !_ logical_not: (bool) -> bool
    @not_strictly_false not_strictly_false: (bool) -> bool
    _==_ equals: (A, A) -> bool
    _!=_ not_equals: (A, A) -> bool
    _+_ add_bytes: (bytes, bytes) -> bytes
    _+_ add_double: (double, double) -> double
    _+_ add_duration_duration: (duration, duration) -> duration
    _+_ add_duration_timestamp: (duration, timestamp) -> timestamp
    _+_ add_timestamp_duration: (timestamp, duration) -> timestamp
    _+_ add_int64: (int, int) -> int
    _+_ add_list: (list(A), list(A)) -> list(A)
    _+_ add_string: (string, string) -> string
    _+_ add_uint64: (uint, uint) -> uint
    _/_ divide_double: (double, double) -> double
    _/_ divide_int64: (int, int) -> int
    _/_ divide_uint64: (uint, uint) -> uint
    _%_ modulo_int64: (int, int) -> int
    _%_ modulo_uint64: (uint, uint) -> uint
    _*_ multiply_double: (double, double) -> double
    _*_ multiply_int64: (int, int) -> int
    _*_ multiply_uint64: (uint, uint) -> uint
    -_ negate_double: (double) -> double
    -_ negate_int64: (int) -> int
    _-_ subtract_double: (double, double) -> double
    _-_ subtract_duration_duration: (duration, duration) -> duration
    _-_ subtract_int64: (int, int) -> int
    _-_ subtract_timestamp_duration: (timestamp, duration) -> timestamp
    _-_ subtract_timestamp_timestamp: (timestamp, timestamp) -> duration
    _-_ subtract_uint64: (uint, uint) -> uint
    _[_] index_list: (list(A), int) -> A
    _[_] index_map: (map(A, B), A) -> B
    @in in_list: (A, list(A)) -> bool
    @in in_map: (A, map(A, B)) -> bool
"""
_FUNCTIONS = """
    size size_bytes: (bytes) -> int
    size bytes_size: bytes.() -> int
    size size_list: (list(A)) -> int
    size list_size: list(A).() -> int
    size size_map: (map(A, B)) -> int
    size map_size: map(A, B).() -> int
    size size_string: (string) -> int
    size string_size: string.() -> int
    type type: (A) -> type(A)
    dyn to_dyn: (A) -> dyn
    contains contains_string: string.(string) -> bool
    endsWith ends_with_string: string.(string) -> bool
    startsWith starts_with_string: string.(string) -> bool
    matches matches: (string, string) -> bool
    matches matches_string: string.(string) -> bool
"""
_CONVERSIONS = """
    bool bool_to_bool: (bool) -> bool
    bool string_to_bool: (string) -> bool
    bytes bytes_to_bytes: (bytes) -> bytes
    bytes string_to_bytes: (string) -> bytes
    double double_to_double: (double) -> double
    double int64_to_double: (int) -> double
    double string_to_double: (string) -> double
    double uint64_to_double: (uint) -> double
    duration duration_to_duration: (duration) -> duration
    duration int64_to_duration: (int) -> duration
    duration string_to_duration: (string) -> duration
    int int64_to_int64: (int) -> int
    int double_to_int64: (double) -> int
    int duration_to_int64: (duration) -> int
    int string_to_int64: (string) -> int
    int timestamp_to_int64: (timestamp) -> int
    int uint64_to_int64: (uint) -> int
    string string_to_string: (string) -> string
    string bool_to_string: (bool) -> string
    string bytes_to_string: (bytes) -> string
    string double_to_string: (double) -> string
    string duration_to_string: (duration) -> string
    string int64_to_string: (int) -> string
    string timestamp_to_string: (timestamp) -> string
    string uint64_to_string: (uint) -> string
    timestamp timestamp_to_timestamp: (timestamp) -> timestamp
    timestamp int64_to_timestamp: (int) -> timestamp
    timestamp string_to_timestamp: (string) -> timestamp
    uint uint64_to_uint64: (uint) -> uint
    uint double_to_uint64: (double) -> uint
    uint int64_to_uint64: (int) -> uint
    uint string_to_uint64: (string) -> uint
"""
_CONVERTERS: Mapping[str, Callable[[Any], Any]] = {
    "bool": conversions.to_bool, "bytes": conversions.to_bytes, "double": conversions.to_double,
    "duration": conversions.to_duration, "int": conversions.to_int, "string": conversions.to_string,
    "timestamp": conversions.to_timestamp, "uint": conversions.to_uint}

#: operator -> the start of its overloads' names, and what it makes of a comparison
_COMPARISONS: Mapping[str, tuple[str, Callable[[int], bool]]] = {
    "_<_": ("less", lambda order: order < 0),
    "_<=_": ("less_equals", lambda order: order <= 0),
    "_>_": ("greater", lambda order: order > 0),
    "_>=_": ("greater_equals", lambda order: order >= 0)}
_COMPARED = (("bool", "bool", "bool"), ("int64", "int", "int"), ("int64_double", "int", "double"),
             ("int64_uint64", "int", "uint"), ("uint64", "uint", "uint"), ("uint64_double", "uint", "double"),
             ("uint64_int64", "uint", "int"), ("double", "double", "double"), ("double_int64", "double", "int"),
             ("double_uint64", "double", "uint"), ("string", "string", "string"), ("bytes", "bytes", "bytes"),
             ("timestamp", "timestamp", "timestamp"), ("duration", "duration", "duration"))

#: method of a timestamp -> the start of its overloads' names, and what it takes from a date
_PARTS: Mapping[str, tuple[str, Callable[[datetime], int]]] = {
    "getMonth": ("month", lambda date: date.month - 1),
    "getDayOfYear": ("day_of_year", lambda date: date.timetuple().tm_yday - 1),
    "getDayOfMonth": ("day_of_month", lambda date: date.day - 1),
    "getDate": ("day_of_month_1_based", lambda date: date.day),
    "getDayOfWeek": ("day_of_week", lambda date: date.isoweekday() % 7),
    "getHours": ("hours", lambda date: date.hour),
    "getMinutes": ("minutes", lambda date: date.minute),
    "getSeconds": ("seconds", lambda date: date.second)}
_LENGTHS = {"getHours": ("hours", 3600 * 10 ** 9), "getMinutes": ("minutes", 60 * 10 ** 9),
            "getSeconds": ("seconds", 10 ** 9), "getMilliseconds": ("milliseconds", 10 ** 6)}


def _size(value: Any) -> int:
    if isinstance(value, (str, bytes, *Lists, *Maps)):
        return len(value)
    raise arithmetic.no_operator("size", value, ())


def _not(value: Any) -> bool:
    if not isinstance(value, bool):
        raise no_such_overload()
    return not value


def _differ(first: Any, second: Any) -> bool:
    """Whether values aren't equal; those that can't be compared are not."""
    try:
        return not equal(first, second)
    except CelError:
        return True


def _in(value: Any, container: Any) -> bool:
    if isinstance(container, Lists):
        return any(equal(one, value) for one in container)
    if isinstance(container, Maps):
        return find(container, value) is not MISSING
    raise no_such_overload()


def _texts(method: Callable[[str, str], bool]) -> Callable[[Any, Any], bool]:
    """A method of strings; anything else has none."""
    def checked(text: Any, other: Any) -> bool:
        if not isinstance(text, str) or not isinstance(other, str):
            raise no_such_overload()
        return method(text, other)
    return checked


def _matches(text: str, pattern: str) -> bool:
    try:
        return compile_regexp(pattern).matches(text)
    except RegexpError as error:
        raise CelError(str(error)) from None


def _comparison(operator: str, meaning: Callable[[int], bool]) -> Callable[[Any, Any], bool]:
    comparable = (bool, int, float, str, bytes, Timestamp, Duration)

    def compared(first: Any, second: Any) -> bool:
        if not isinstance(first, comparable):
            raise arithmetic.no_operator(operator, first, comparable)
        return meaning(compare(first, second))
    return compared


def _comparison_declarations() -> str:
    return "\n".join(f"{operator} {start}_{name}: ({first}, {second}) -> bool"
                     for operator, (start, _) in _COMPARISONS.items() for name, first, second in _COMPARED)


def _part(get: Callable[[datetime], int]) -> Callable[..., int]:
    return lambda moment, zone="UTC": get(times.in_zone(moment, zone))


def _year(moment: Timestamp, zone: str = "UTC") -> int:
    return times.year_in_zone(moment, zone)


def _milliseconds(moment: Timestamp, zone: str = "UTC") -> int:
    times.in_zone(moment, zone)
    return moment.nanoseconds % 10 ** 9 // 10 ** 6


def _count(unit: int) -> Callable[[Duration], int]:
    """How many whole units a length has, rounded towards zero."""
    return lambda length: abs(length.nanoseconds) // unit * (-1 if length.nanoseconds < 0 else 1)


def _with_zone(name: str) -> str:
    return "seconds_tz" if name == "seconds" else f"{name}_with_tz"


def _time_library() -> Library:
    lines: list[str] = []
    found: dict[str, Callable[..., Any]] = {}
    parts = {method: (name, _part(get)) for method, (name, get) in _PARTS.items()}
    parts |= {"getFullYear": ("year", _year), "getMilliseconds": ("milliseconds", _milliseconds)}
    for method, (name, get) in parts.items():
        for overload, params in ((name, ""), (_with_zone(name), "string")):
            lines.append(f"{method} timestamp_to_{overload}: timestamp.({params}) -> int")
            found[f"timestamp_to_{overload}"] = get
    for method, (name, unit) in _LENGTHS.items():
        lines.append(f"{method} duration_to_{name}: duration.() -> int")
        found[f"duration_to_{name}"] = _count(unit)
    return library("\n".join(lines), found)


def _conversion_library() -> Library:
    overloads = [line.split()[:2] for line in _CONVERSIONS.splitlines() if line.strip()]
    return library(_CONVERSIONS, {overload.rstrip(":"): _CONVERTERS[name] for name, overload in overloads})


_SHARED: dict[str, Callable[..., Any]] = {
    "!_": _not, "_+_": arithmetic.add, "_-_": arithmetic.subtract, "_*_": arithmetic.multiply,
    "_/_": arithmetic.divide, "_%_": arithmetic.modulo, "-_": arithmetic.negate, "@in": _in, "size": _size,
    "type": lambda value: TypeValue(type_name(value)), "dyn": lambda value: value,
    "_==_": equal, "_!=_": _differ,
    "contains": _texts(lambda text, part: part in text), "endsWith": _texts(str.endswith),
    "startsWith": _texts(str.startswith), "matches": _texts(_matches),
    **{operator: _comparison(operator, meaning) for operator, (_, meaning) in _COMPARISONS.items()}}

STANDARD: Library = {**library(_OPERATORS + _FUNCTIONS + _comparison_declarations(), _SHARED),
                     **_conversion_library(), **_time_library()}
