"""Why a text is no IP address, in the words of Go's ``netip.ParseAddr``."""

from __future__ import annotations

import re

from kube_twisted.api.field import go_quote

_FIRST_SIGN = re.compile("[.:%]")
_HEX = re.compile("[0-9a-fA-F]*")
_FIELDS, _MAX_OCTET, _MAX_DIGITS = 8, 255, 4


def complaint(text: str) -> str:
    """What is wrong with a text that is no address."""
    sign = _FIRST_SIGN.search(text)
    if sign is None:
        return "unable to parse IP"
    if sign.group() == "%":
        return "missing IPv6 address"
    return _of_ipv4(text) if sign.group() == "." else _of_ipv6(text)


def _at(message: str, rest: str) -> str:
    return f"{message} (at {go_quote(rest)})"


def _of_ipv4(text: str) -> str:
    dots, digits = 0, ""
    for index, char in enumerate(text):
        if char in "0123456789":
            if digits == "0":
                return "IPv4 field has octet with leading zero"
            digits += char
            if int(digits) > _MAX_OCTET:
                return "IPv4 field has value >255"
        elif char != ".":
            return _at("unexpected character", text[index:])
        elif not digits or index == len(text) - 1:
            return _at("IPv4 field must have at least one digit", text[index:])
        elif dots == 3:
            return "IPv4 address too long"
        else:
            dots, digits = dots + 1, ""
    return "IPv4 address too short"


def _of_ipv6(text: str) -> str:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        return "zone must be a non-empty string"
    shortened = rest.startswith("::")
    if shortened:
        rest = rest[2:]
    fields = 0
    while fields < _FIELDS:
        match = _HEX.match(rest)
        digits = match.group() if match else ""
        wrong = _of_field(digits, rest, fields, shortened)
        if wrong is not None:
            return wrong
        fields, rest = fields + 1, rest[len(digits):]
        if not rest:
            break
        if rest.startswith("::"):
            if shortened:
                return _at("multiple :: in address", rest[1:])
            shortened = True
            rest = rest[2:]
            if not rest:
                break
        elif rest[0] == ":" and len(rest) > 1:
            rest = rest[1:]
        else:
            return _at("colon must be followed by more characters" if rest == ":" else
                       "unexpected character, want colon", rest)
    if rest:
        return _at("trailing garbage after address", rest)
    return "the :: must expand to at least one field of zeros" if shortened else "address string too short"


def _of_field(digits: str, rest: str, before: int, shortened: bool) -> str | None:
    """What is wrong with the field at the start of the rest, with so many fields before it."""
    if len(digits) > _MAX_DIGITS:
        return _at("each group must have 4 or less digits", rest)
    if not digits:
        return _at("each colon-separated field must have at least one digit", rest)
    if rest[len(digits):len(digits) + 1] != ".":
        return None
    if not shortened and before != _FIELDS - 2:
        return _at("embedded IPv4 address must replace the final 2 fields of the address", rest)
    if before > _FIELDS - 2:
        return _at("too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    return _of_ipv4(rest)
