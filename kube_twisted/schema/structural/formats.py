"""``format`` of texts: what each name asks for. A dash in a name makes no difference.

The names are those of apiextensions' ``apiserver/validation/formats.go``; others are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from kube_twisted.api.timefmt import parse_duration_nanoseconds
from kube_twisted.schema.structural.addresses import is_cidr, is_email, is_hostname, is_ipv4, is_ipv6, is_mac, is_uri

Format = Callable[[str], bool]

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})").fullmatch
_TIME = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})").fullmatch
_DURATION_PART = re.compile(r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)").findall
_DURATION_UNITS = ("ns", "us", "µs", "ms", "s", "m", "h", "hr", "d", "w", "wk")
_DURATION_WORDS = ("nano", "micro", "milli", "sec", "min", "hour", "day", "week")
_CREDIT_CARD = re.compile(r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|"
                          r"3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}").fullmatch
_HEX = r"(?i:[0-9a-f]{8}-?[0-9a-f]{4}-?%s[0-9a-f]{3}-?%s[0-9a-f]{3}-?[0-9a-f]{12})"
_NUMBER_TO_255 = r"\s*(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])\s*"
_SHORT_NAME = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_ANY, _VARIANT = "[0-9a-f]", "[89ab]"


def _matching(expression: str, longest: int = 1 << 30) -> Format:
    matches = re.compile(expression, re.ASCII).fullmatch
    return lambda text: len(text) <= longest and matches(text) is not None


def _is_date(text: str) -> bool:
    match = _DATE(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    try:
        date(year or 4, month, day)  # the year 0 is a leap year, and no year of Python's
    except ValueError:
        return False
    return True


def _is_date_time(text: str) -> bool:
    """What follows a second ``t`` is not looked at."""
    parts = text.lower().split("t")
    return len(parts) > 1 and _is_date(parts[0]) and _TIME(parts[1]) is not None


def _is_duration(text: str) -> bool:
    """As Go writes durations (``1h30m``), or with words anywhere in the text (``2 days``)."""
    try:
        parse_duration_nanoseconds(text)
    except ValueError:
        return any(_is_unit(unit.lower()) for _, unit in _DURATION_PART(text))
    return True


def _is_unit(word: str) -> bool:
    return word in _DURATION_UNITS or word.startswith(_DURATION_WORDS)


def _is_credit_card(text: str) -> bool:
    digits = re.sub("[^0-9]+", "", text)
    if not _CREDIT_CARD(digits):
        return False
    doubled = [int(one) * (1 + index % 2) for index, one in enumerate(reversed(digits))]
    return sum(one - 9 if one > 9 else one for one in doubled) % 10 == 0


def _is_isbn10(text: str) -> bool:
    digits = re.sub(r"[\t\n\f\r -]+", "", text)
    if not re.fullmatch("[0-9]{9}[0-9X]", digits):
        return False
    values = [10 if one == "X" else int(one) for one in digits]
    return sum(weight * value for weight, value in enumerate(values, 1)) % 11 == 0


def _is_isbn13(text: str) -> bool:
    digits = re.sub(r"[\t\n\f\r -]+", "", text)
    if not re.fullmatch("[0-9]{13}", digits):
        return False
    return sum(int(one) * (1 + 2 * (index % 2)) for index, one in enumerate(digits)) % 10 == 0


def _is_isbn(text: str) -> bool:
    return _is_isbn10(text) or _is_isbn13(text)


def _anything(_: str) -> bool:
    return True


FORMATS: dict[str, Format] = {
    "bsonobjectid": _matching("[0-9A-Fa-f]{24}"),
    "byte": _matching("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})"),
    "cidr": is_cidr,
    "creditcard": _is_credit_card,
    "date": _is_date,
    "datetime": _is_date_time,
    "duration": _is_duration,
    "email": is_email,
    "hexcolor": _matching("#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": is_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "isbn": _is_isbn,
    "isbn10": _is_isbn10,
    "isbn13": _is_isbn13,
    "k8slongname": _matching(rf"{_SHORT_NAME}(?:\.{_SHORT_NAME})*", 253),
    "k8sshortname": _matching(_SHORT_NAME, 63),
    "mac": is_mac,
    "password": _anything,
    "rgbcolor": _matching(rf"rgb\({_NUMBER_TO_255},{_NUMBER_TO_255},{_NUMBER_TO_255}\)"),
    "ssn": _matching("(?=.{11}$)[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
    "uri": is_uri,
    "uuid": _matching(_HEX % (_ANY, _ANY)),
    "uuid3": _matching(_HEX % ("3", _ANY)),
    "uuid4": _matching(_HEX % ("4", _VARIANT)),
    "uuid5": _matching(_HEX % ("5", _VARIANT)),
}
