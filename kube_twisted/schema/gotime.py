"""Times as Go's ``time.Parse`` reads them, with its words for what is wrong; out as Kubernetes has them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from kube_twisted.api.timefmt import format_micro_time, format_time

_CANONICAL = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z", re.ASCII)
_LENGTH, _MICRO_LENGTH = len("2006-01-02T15:04:05Z"), len("2006-01-02T15:04:05.000000Z")
_ZERO = datetime(1, 1, 1, tzinfo=UTC)
#: Parts of a layout: the literal text before, the part itself, the digits wanted, smallest and largest value.
_PARTS = (
    ("", "2006", r"\d{4}", 0, 9999, "year"),
    ("-", "01", r"\d\d", 1, 12, "month"),
    ("-", "02", r"\d\d?", 0, 99, "day"),
    ("T", "15", r"\d\d?", 0, 23, "hour"),
    (":", "04", r"\d\d", 0, 59, "minute"),
    (":", "05", r"\d\d", 0, 59, "second"),
)
_FRACTION = re.compile(r"[.,](\d+)")
_MICROSECONDS = re.compile(r"[.,](\d{6})")
_ZONE = re.compile(r"([+-])(\d\d):(\d\d)")


def canonical_time(text: str) -> str | None:
    """A ``metav1.Time``: RFC 3339 in, UTC and whole seconds out; nothing for the zero time.

    :raises ValueError: worded as Go's.
    """
    if len(text) == _LENGTH and _is_canonical(text):
        return text
    moment = _parse(text, "2006-01-02T15:04:05Z07:00", micro=False)
    return None if moment.replace(microsecond=0) == _ZERO else format_time(moment)


def canonical_micro_time(text: str) -> str | None:
    """A ``metav1.MicroTime``: the fraction must be there, and comes out with six digits.

    :raises ValueError: worded as Go's.
    """
    if len(text) == _MICRO_LENGTH and _is_canonical(text):
        return text
    moment = _parse(text, "2006-01-02T15:04:05.000000Z07:00", micro=True)
    return None if moment == _ZERO else format_micro_time(moment)


@lru_cache(4096)
def _is_canonical(text: str) -> bool:
    """Whether a time, not the zero one, can be kept as it is; the same times come with object after object."""
    if not _CANONICAL.fullmatch(text) or text.startswith("0001"):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _parse(text: str, layout: str, micro: bool) -> datetime:
    where = f"parsing time {_quote(text)}"

    def unlike(rest: str, part: str) -> ValueError:
        return ValueError(f"{where} as {_quote(layout)}: cannot parse {_quote(rest)} as {_quote(part)}")

    numbers, rest = [], text
    for prefix, part, digits, low, high, name in _PARTS:
        if not rest.startswith(prefix):
            raise unlike(rest, prefix)
        rest = rest[len(prefix):]
        match = re.match(digits, rest, re.ASCII)
        if match is None:
            raise unlike(rest, part)
        numbers.append(int(match[0]))
        if not low <= numbers[-1] <= high:
            raise ValueError(f"{where}: {name} out of range")
        rest = rest[match.end():]
    fraction = (_MICROSECONDS if micro else _FRACTION).match(rest)
    if micro and fraction is None:
        raise unlike(rest, ".000000")
    rest = rest[fraction.end():] if fraction else rest
    zone, rest = _zone(rest, where, unlike(rest, "Z07:00"))
    if rest:
        raise ValueError(f"{where}: extra text: {_quote(rest)}")
    return _moment(numbers, fraction[1] if fraction else "", zone, where)


def _zone(rest: str, where: str, unlike: ValueError) -> tuple[timedelta, str]:
    if rest.startswith("Z"):
        return timedelta(), rest[1:]
    match = _ZONE.match(rest)
    if match is None:
        raise unlike
    hours, minutes = int(match[2]), int(match[3])
    if hours > 24:
        raise ValueError(f"{where}: time zone offset hour out of range")
    if minutes > 60:
        raise ValueError(f"{where}: time zone offset minute out of range")
    offset = timedelta(hours=hours, minutes=minutes)
    return (-offset if match[1] == "-" else offset), rest[match.end():]


def _moment(numbers: list[int], fraction: str, zone: timedelta, where: str) -> datetime:
    year, month, day, hour, minute, second = numbers
    if not 1 <= day <= monthrange(max(year, 4), month)[1]:
        raise ValueError(f"{where}: day out of range")
    microsecond = int(fraction.ljust(6, "0")[:6])
    try:
        return datetime(year, month, day, hour, minute, second, microsecond, UTC) - zone
    except (ValueError, OverflowError):
        raise ValueError(f"{where}: year out of range") from None


def _quote(text: str) -> str:
    """Quote as Go's time package does: other than printable ASCII as bytes in hexadecimal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').encode(errors="surrogatepass")
    return '"' + "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in escaped) + '"'
