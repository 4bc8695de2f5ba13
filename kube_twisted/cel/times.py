"""Timestamps and durations: reading, writing, and the parts of a date in a time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from time import localtime
from zoneinfo import ZoneInfo

from kube_twisted.api import timefmt
from kube_twisted.cel.arithmetic import MAX_TIME, MIN_TIME, duration, timestamp
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.values import Duration, Timestamp

_SECOND = 10 ** 9
#: The seconds of 400 years, after which dates and days of the week repeat.
_CYCLE = 146097 * 86400
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII)
_OFFSET = re.compile(r"[+-]?[0-9]+", re.ASCII)


def parse_timestamp(text: str) -> Timestamp:
    """Read a time of RFC 3339.

    :raises ValueError: it is none.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day, hour, minute, second, fraction, sign, zone_hour, zone_minute = match.groups()
    if int(zone_hour or 0) > 24 or int(zone_minute or 0) > 59:
        raise ValueError(text)
    offset = int(zone_hour or 0) * 60 + int(zone_minute or 0)
    if sign == "-":
        offset = -offset
    if int(year) == 0:
        raise CelError("timestamp overflow")
    moment = datetime(int(year), int(month), int(day), int(hour), int(minute), int(second), tzinfo=UTC) - _EPOCH
    seconds = moment.days * 86400 + moment.seconds - offset * 60
    return timestamp(seconds * _SECOND + int((fraction or "0")[:9].ljust(9, "0")), offset)


def format_timestamp(moment: Timestamp) -> str:
    """Write as RFC 3339 with as many digits of fraction as needed, in the zone that it was read in."""
    seconds, fraction = divmod(moment.nanoseconds, _SECOND)
    date = (_EPOCH + timedelta(seconds=seconds + moment.offset * 60)).replace(tzinfo=None)
    digits = f".{fraction:09}".rstrip("0") if fraction else ""
    return f"{date.isoformat()}{digits}{_zone_text(moment.offset)}"


def _zone_text(offset: int) -> str:
    if not offset:
        return "Z"
    hours, minutes = divmod(abs(offset), 60)
    return f"{'-' if offset < 0 else '+'}{hours:02}:{minutes:02}"


def from_seconds(seconds: int) -> Timestamp:
    return timestamp(seconds * _SECOND)


def parse_duration(text: str) -> Duration:
    """Read a Go duration.

    :raises ValueError: it is none.
    """
    return duration(timefmt.parse_duration_nanoseconds(text))


def format_duration(length: Duration) -> str:
    """Write in seconds, such as ``90.5s``; as many digits as a double has."""
    whole, fraction = divmod(abs(length.nanoseconds), _SECOND)
    seconds = whole + fraction / 1e9
    text = f"{Decimal(repr(-seconds if length.nanoseconds < 0 else seconds)):f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}s"


def in_zone(moment: Timestamp, zone: str) -> datetime:
    """The date and time of day somewhere, without its fraction.

    A year that Python doesn't know is told 400 years off, where the calendar is the same; see ``year_in_zone``.

    :param zone: a name such as ``Europe/Berlin``, or an offset such as ``+02:00``.
    :raises CelError: there is no such zone.
    """
    seconds = _local_seconds(moment, zone)
    return _EPOCH + timedelta(seconds=seconds - _whole_cycle(seconds) * _CYCLE)


def year_in_zone(moment: Timestamp, zone: str) -> int:
    """The year somewhere; the last and first moments may be in the years 10000 and 0 there."""
    return in_zone(moment, zone).year + 400 * _whole_cycle(_local_seconds(moment, zone))


def _whole_cycle(seconds: int, margin: int = 0) -> int:
    """How many times 400 years a time is away from where Python can tell it."""
    return 1 if seconds > MAX_TIME - margin else -1 if seconds < MIN_TIME + margin else 0


def _local_seconds(moment: Timestamp, zone: str) -> int:
    """Seconds since 1970 as if the clock there showed UTC."""
    seconds = moment.nanoseconds // _SECOND
    if zone in ("", "UTC"):
        return seconds
    if zone == "Local":
        return seconds + localtime(seconds).tm_gmtoff
    hours, colon, minutes = zone.partition(":")
    return seconds + (_fixed_offset(hours, minutes) * 60 if colon else _named_offset(zone, seconds))


def _fixed_offset(hours: str, minutes: str) -> int:
    """The minutes of ``+02:00``."""
    for part in (hours, minutes):
        if not _OFFSET.fullmatch(part):
            raise CelError(f'strconv.Atoi: parsing "{part}": invalid syntax')
    return int(hours) * 60 + (-int(minutes) if hours[0] == "-" else int(minutes))


def _named_offset(zone: str, seconds: int) -> int:
    """The seconds that a zone is away from UTC at some time."""
    try:
        known = ZoneInfo(zone)
    except (ValueError, OSError, KeyError):
        raise CelError(f"unknown time zone {zone}") from None
    seconds -= _whole_cycle(seconds, margin=2 * 86400) * _CYCLE
    return int(((_EPOCH + timedelta(seconds=seconds)).astimezone(known).utcoffset() or timedelta()).total_seconds())
