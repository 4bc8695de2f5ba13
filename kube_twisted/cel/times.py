"""Timestamps and durations: reading, writing, and the parts of a date in a time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from zoneinfo import ZoneInfo

from kube_twisted.api import timefmt
from kube_twisted.cel.arithmetic import duration, timestamp
from kube_twisted.cel.errors import CelError
from kube_twisted.cel.values import Duration, Timestamp

_SECOND = 10 ** 9
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
    """Write in seconds, such as ``90.5s``."""
    text = f"{Decimal(length.nanoseconds) / _SECOND:f}"
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}s"


def in_zone(moment: Timestamp, zone: str) -> datetime:
    """The date and time of day somewhere, without its fraction.

    :param zone: a name such as ``Europe/Berlin``, or an offset such as ``+02:00``.
    :raises CelError: there is no such zone.
    """
    try:
        return (_EPOCH + timedelta(seconds=moment.nanoseconds // _SECOND)).astimezone(_zone(zone))
    except OverflowError:
        raise CelError("timestamp overflow") from None


def _zone(text: str) -> tzinfo:
    if text in ("", "UTC"):
        return UTC
    hours, colon, minutes = text.partition(":")
    if not colon:
        try:
            return ZoneInfo(text)
        except (ValueError, OSError, KeyError):
            raise CelError(f"unknown time zone {text}") from None
    for part in (hours, minutes):
        if not _OFFSET.fullmatch(part):
            raise CelError(f'strconv.Atoi: parsing "{part}": invalid syntax')
    offset = int(hours) * 60 + (-int(minutes) if text[0] == "-" else int(minutes))
    try:
        return timezone(timedelta(minutes=offset))
    except ValueError:
        raise CelError(f"unknown time zone {text}") from None
