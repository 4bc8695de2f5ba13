"""Cron schedules and time zones of CronJobs.

Errors are worded as the cron parser of the original words them. Source: the CronJob page's "Schedule syntax".
"""

from __future__ import annotations

import re

from kube_twisted.api.field import FieldError, go_quote, invalid

Errors = list[FieldError]

_MONTHS = {name: number for number, name in enumerate(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)}
_DAYS = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
#: (lowest, highest, names) of minute, hour, day of month, month, day of week.
_FIELDS: tuple[tuple[int, int, dict[str, int]], ...] = (
    (0, 59, {}), (0, 23, {}), (1, 31, {}), (1, 12, _MONTHS), (0, 6, _DAYS))
_DESCRIPTORS = ("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly")
_EVERY = "@every "
_is_duration = re.compile(r"[-+]?(?:0|(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+)").fullmatch
_is_number = re.compile(r"[-+]?[0-9]+").fullmatch
_is_zone_part = re.compile(r"[A-Za-z.\-_0-9+]{1,14}").fullmatch


def parse_schedule(text: str) -> None:
    """Check a schedule.

    :raises ValueError: says what is wrong with it.
    """
    if not text:
        raise ValueError("empty spec string")
    if text.startswith(("TZ=", "CRON_TZ=")):
        text = _without_zone(text)
    if text.startswith("@"):
        _check_descriptor(text)
        return
    fields = text.split()
    if len(fields) != len(_FIELDS):
        raise ValueError(f"expected exactly {len(_FIELDS)} fields, found {len(fields)}: [{' '.join(fields)}]")
    for expression, (low, high, names) in zip(fields, _FIELDS, strict=True):
        for part in filter(None, expression.split(",")):
            _check_range(part, low, high, names)


def _without_zone(text: str) -> str:
    head, space, rest = text.partition(" ")
    if not space:
        raise ValueError("invalid schedule format: runtime error: slice bounds out of range [:-1]")
    zone = head.partition("=")[2]
    if zone and not _is_known(zone):
        raise ValueError(f"provided bad location {zone}: unknown time zone {zone}")
    return rest.strip()


def _check_descriptor(text: str) -> None:
    if text.startswith(_EVERY):
        duration = text.removeprefix(_EVERY)
        if not _is_duration(duration):
            raise ValueError(f"failed to parse duration {text}: time: invalid duration {go_quote(duration)}")
    elif text not in _DESCRIPTORS:
        raise ValueError(f"unrecognized descriptor: {text}")


def _check_range(text: str, low: int, high: int, names: dict[str, int]) -> None:
    parts = text.split("/")
    limits = parts[0].split("-")
    if limits[0] in ("*", "?"):
        start, end = low, high
    else:
        start = _number(limits[0], names)
        if len(limits) > 2:
            raise ValueError(f"too many hyphens: {text}")
        end = _number(limits[1], names) if len(limits) == 2 else start
    if len(parts) > 2:
        raise ValueError(f"too many slashes: {text}")
    step = _number(parts[1], {}) if len(parts) == 2 else 1
    if len(parts) == 2 and len(limits) == 1:
        end = high
    if start < low:
        raise ValueError(f"beginning of range ({start}) below minimum ({low}): {text}")
    if end > high:
        raise ValueError(f"end of range ({end}) above maximum ({high}): {text}")
    if start > end:
        raise ValueError(f"beginning of range ({start}) beyond end of range ({end}): {text}")
    if step == 0:
        raise ValueError(f"step of range should be a positive number: {text}")


def _number(text: str, names: dict[str, int]) -> int:
    if text.lower() in names:
        return names[text.lower()]
    if not _is_number(text):
        raise ValueError(f"failed to parse int from {text}: strconv.Atoi: parsing {go_quote(text)}: invalid "
                         "syntax")
    if int(text) < 0:
        raise ValueError(f"negative number ({int(text)}) not allowed: {text}")
    return int(text)


def validate_schedule(path: str, schedule: str, zone: str | None, zone_allowed: bool) -> Errors:
    """``schedule`` of a CronJob.

    :param zone: its ``timeZone``.
    :param zone_allowed: the stored schedule names a zone itself, as was possible once.
    """
    errors: Errors = []
    try:
        parse_schedule(schedule)
    except ValueError as error:
        errors.append(invalid(path, schedule, str(error)))
    if "TZ" in schedule and not zone_allowed:
        errors.append(invalid(path, schedule,
                              "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
    elif "TZ" in schedule and zone is not None:
        errors.append(invalid(path, schedule, "cannot use both timeZone field and TZ or CRON_TZ in schedule"))
    return errors


def validate_time_zone(path: str, zone: str | None) -> Errors:
    """``timeZone`` of a CronJob (KEP-3140)."""
    if zone is None:
        return []
    if not zone:
        return [invalid(path, zone, "timeZone must be nil or non-empty string")]
    unknown = invalid(path, zone, f"unknown time zone {zone}")
    if any(part in (".", "..") or part.startswith("-") or not _is_zone_part(part)
           for part in zone.split("/")):
        return [unknown]
    errors: Errors = []
    if zone.lower() == "local":
        errors.append(invalid(path, zone, "timeZone must be an explicit time zone as defined in "
                                          "https://www.iana.org/time-zones"))
    return errors if zone == "Local" or _is_known(zone) else [*errors, unknown]


def _is_known(zone: str) -> bool:
    from zoneinfo import ZoneInfo  # it loads all about how this Python was built

    try:
        ZoneInfo(zone)
    except (LookupError, OSError, ValueError):
        return False
    return True
