"""Named formats: ``format.dns1123Label().validate(text)``."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from attrs import frozen

from kube_twisted.api import names
from kube_twisted.cel.errors import no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.library import urls
from kube_twisted.cel.values import NONE, Foreign, Optional

_F = "kubernetes.NamedFormat"
_UUID = r"(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$"
_CLOCK = r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$"
_URL_SIZE, _BASE64_SIZE = 1103, 84


@frozen(eq=False)
class FormatValue(Foreign):
    """A format.

    :ivar check: gives complaints about a text.
    :ivar max_regex_size: about how long a regular expression for it would be.
    """

    name: str
    check: Callable[[str], list[str]]
    max_regex_size: int
    type_name = _F

    def equals(self, other: Any) -> bool:
        if not isinstance(other, FormatValue):
            raise no_such_overload()
        return self.name == other.name


def _uri(text: str) -> list[str]:
    try:
        urls.parse(text)
    except ValueError as error:
        return [str(error)]
    return []


def _uuid(text: str) -> list[str]:
    return [] if re.fullmatch(_UUID[5:-1], text, re.IGNORECASE) else ["does not match the UUID format"]


def _byte(text: str) -> list[str]:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return ["invalid base64"]
    return [] if text else ["invalid base64"]


def _is_date(text: str) -> bool:
    try:
        return bool(re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII)) and bool(date.fromisoformat(text))
    except ValueError:
        return False


def _date(text: str) -> list[str]:
    return [] if _is_date(text) else ["invalid date"]


def _date_time(text: str) -> list[str]:
    day, _, clock = text.lower().partition("t")
    match = re.fullmatch(_CLOCK[1:-1], clock, re.ASCII)
    good = _is_date(day) and match is not None and int(match[1]) <= 23 and int(match[2]) <= 59 and int(match[3]) <= 59
    return [] if good else ["invalid datetime"]


FORMATS: Mapping[str, FormatValue] = {
    "dns1123Label": FormatValue("DNS1123Label", names.dns_label, 30),
    "dns1123Subdomain": FormatValue("DNS1123Subdomain", names.dns_subdomain, 60),
    "dns1035Label": FormatValue("DNS1035Label", names.dns1035_label, 30),
    "qualifiedName": FormatValue("QualifiedName", names.qualified_name, 60),
    "dns1123LabelPrefix": FormatValue("DNS1123LabelPrefix", lambda text: names.dns_label(text, True), 30),
    "dns1123SubdomainPrefix": FormatValue("DNS1123SubdomainPrefix", lambda text: names.dns_subdomain(text, True), 60),
    "dns1035LabelPrefix": FormatValue("DNS1035LabelPrefix", lambda text: names.dns1035_label(text, True), 30),
    "labelValue": FormatValue("LabelValue", names.label_value, 40),
    "uri": FormatValue("URI", _uri, _URL_SIZE),
    "uuid": FormatValue("uuid", _uuid, len(_UUID)),
    "byte": FormatValue("byte", _byte, _BASE64_SIZE),
    "date": FormatValue("date", _date, len(_CLOCK)),
    "datetime": FormatValue("datetime", _date_time, len(_CLOCK))}


def _named(name: str) -> Optional:
    return Optional(FORMATS[name]) if name in FORMATS else NONE


def _validate(value: FormatValue, text: str) -> Optional:
    complaints = value.check(text)
    return Optional(complaints) if complaints else NONE


def _constant(value: FormatValue) -> Callable[[], FormatValue]:
    return lambda: value


_DECLARATIONS = f"""
    validate format-validate: {_F}.(string) -> optional(list(string))
    format.named format-named: (string) -> optional({_F})
""" + "\n".join(f"format.{name} format.{name}: () -> {_F}" for name in FORMATS)

NAMED_FORMATS: Library = library(_DECLARATIONS, {
    "format-validate": _validate, "format-named": _named,
    **{f"format.{name}": _constant(value) for name, value in FORMATS.items()}})
