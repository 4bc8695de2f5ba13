"""Times and durations as Kubernetes writes them: RFC 3339, MicroTime, Go durations and ages for humans."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9})\d*)?(?:Z|([+-])(\d\d):(\d\d))")
_DURATION_PART = re.compile(r"(\d*)(?:\.(\d*))?([^\d.]*)")
_NANOSECONDS = {"ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": 1_000_000, "s": 1_000_000_000,
                "m": 60_000_000_000, "h": 3_600_000_000_000}
#: Digits of a number in a duration that can matter.
_MAX_DIGITS = 32


def parse_time(text: str) -> datetime:
    """Read a time such as ``2024-05-01T12:00:00Z`` or ``2024-05-01T14:00:00.5+02:00``, as UTC.

    :raises ValueError: when the text is no RFC 3339 time, worded as Go's ``time.Parse``.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        layout = "2006-01-02T15:04:05Z07:00"
        raise ValueError(f'parsing time "{text}" as "{layout}": cannot parse "{text}" as "2006"')
    *numbers, fraction, sign, zone_hour, zone_minute = match.groups()
    offset = timedelta(hours=int(zone_hour or 0), minutes=int(zone_minute or 0))
    zone = timezone(-offset if sign == "-" else offset)
    year, month, day, hour, minute, second = map(int, numbers)
    microsecond = int((fraction or "0").ljust(6, "0")[:6])
    try:
        return datetime(year, month, day, hour, minute, second, microsecond, zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError(f'parsing time "{text}": day out of range') from None


def format_time(moment: datetime) -> str:
    """Write as ``metav1.Time``: UTC, whole seconds (a fraction is cut off)."""
    return _utc(moment).isoformat(timespec="seconds") + "Z"


def format_micro_time(moment: datetime) -> str:
    """Write as ``metav1.MicroTime``: UTC, always six digits of fraction."""
    return _utc(moment).isoformat(timespec="microseconds") + "Z"


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)


def seconds_since(text: str, now: float) -> float:
    """Seconds from an RFC 3339 time to ``now`` (seconds since the epoch).

    :raises ValueError: when the text is no RFC 3339 time.
    """
    return now - parse_time(text).timestamp()


def human_duration(seconds: float) -> str:
    """An age for humans in two or three significant figures, as in the AGE column: ``5m30s``, ``2d4h``.

    Two seconds into the future count as now, as clocks differ; more than that is ``<invalid>``.
    """
    whole = int(seconds)
    if whole < -1:
        return "<invalid>"
    if whole < 120:
        return f"{max(whole, 0)}s"
    minutes, hours = whole // 60, whole // 3600
    days = hours // 24
    if minutes < 10:
        return _two_units(minutes, "m", whole % 60, "s")
    if minutes < 180:
        return f"{minutes}m"
    if hours < 8:
        return _two_units(hours, "h", minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if days < 8:
        return _two_units(days, "d", hours % 24, "h")
    if days < 730:
        return f"{days}d"
    if days < 8 * 365:
        return _two_units(days // 365, "y", days % 365, "d")
    return f"{days // 365}y"


def _two_units(large: int, large_unit: str, small: int, small_unit: str) -> str:
    return f"{large}{large_unit}{small}{small_unit}" if small else f"{large}{large_unit}"


def parse_duration_nanoseconds(text: str) -> int:
    """Read a Go duration such as ``30s``, ``1h5m`` or ``-1.5h``.

    :raises ValueError: worded as Go's ``time.ParseDuration``.
    """
    rest = text[1:] if text[:1] in ("-", "+") else text
    if rest == "0":
        return 0
    if not rest:
        raise ValueError(f'time: invalid duration "{text}"')
    total = 0
    while rest:
        match = _DURATION_PART.match(rest)
        assert match is not None  # every part of the expression may be empty
        whole, fraction, unit = match.groups()
        if not (whole or fraction) or len(whole) > _MAX_DIGITS:
            raise ValueError(f'time: invalid duration "{text}"')
        if not unit:
            raise ValueError(f'time: missing unit in duration "{text}"')
        if unit not in _NANOSECONDS:
            raise ValueError(f'time: unknown unit "{unit}" in duration "{text}"')
        total += _scaled(whole, (fraction or "")[:_MAX_DIGITS], _NANOSECONDS[unit])
        rest = rest[match.end():]
    if total > (1 << 63) - (0 if text[0] == "-" else 1):
        raise ValueError(f'time: invalid duration "{text}"')
    return -total if text[0] == "-" else total


def _scaled(whole: str, fraction: str, unit: int) -> int:
    denominator: int = 10 ** len(fraction)
    return int(whole or "0") * unit + int(fraction or "0") * unit // denominator


def parse_duration(text: str) -> float:
    """Read a Go duration, in seconds.

    :raises ValueError: worded as Go's ``time.ParseDuration``.
    """
    return parse_duration_nanoseconds(text) / 1e9


def format_duration(nanoseconds: int) -> str:
    """Write as Go's ``Duration.String``: ``1h5m0s``, ``1.5s``, ``250ms``, ``0s``."""
    sign, rest = ("-", -nanoseconds) if nanoseconds < 0 else ("", nanoseconds)
    if rest < 1_000_000_000:
        for unit, size in (("ms", 1_000_000), ("µs", 1_000), ("ns", 1)):
            if rest >= size:
                return f"{sign}{_decimal(rest, size)}{unit}"
        return "0s"
    minutes, nanos = divmod(rest, 60_000_000_000)
    text = f"{_decimal(nanos, 1_000_000_000)}s"
    if minutes:
        hours, minutes = divmod(minutes, 60)
        text = f"{hours}h{minutes}m{text}" if hours else f"{minutes}m{text}"
    return sign + text


def _decimal(value: int, unit: int) -> str:
    whole, rest = divmod(value, unit)
    digits = str(rest).rjust(len(str(unit)) - 1, "0").rstrip("0") if rest else ""
    return f"{whole}.{digits}" if digits else str(whole)
