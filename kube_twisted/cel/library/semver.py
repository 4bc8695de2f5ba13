"""Semantic versions: ``semver('1.2.3').isLessThan(semver('2.0.0'))``."""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from kube_twisted.api.field import go_quote
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.values import INT_MAX, UINT_MAX, Foreign

_S = "kubernetes.Semver"
_DECLARATIONS = f"""
    semver string_to_semver: (string) -> {_S}
    semver string_bool_to_semver: (string, bool) -> {_S}
    isSemver is_semver_string: (string) -> bool
    isSemver is_semver_string_bool: (string, bool) -> bool
    isGreaterThan semver_is_greater_than: {_S}.({_S}) -> bool
    isLessThan semver_is_less_than: {_S}.({_S}) -> bool
    compareTo semver_compare_to: {_S}.({_S}) -> int
    major semver_major: {_S}.() -> int
    minor semver_minor: {_S}.() -> int
    patch semver_patch: {_S}.() -> int
"""
_IDENTIFIER = re.compile(r"[0-9A-Za-z-]+")
_NUMBER_NAMES = ("major", "minor", "patch")


@frozen(eq=False)
class SemverValue(Foreign):
    """A version: three numbers, and the identifiers of a pre-release. The build is of no account."""

    numbers: tuple[int, int, int]
    prerelease: tuple[str, ...]
    type_name = _S

    def equals(self, other: Any) -> bool:
        if not isinstance(other, SemverValue):
            raise no_such_overload()
        return self.order(other) == 0

    def order(self, other: SemverValue) -> int:
        """-1, 0 or 1; a pre-release comes before its release."""
        mine, theirs = self._key(), other._key()
        return (mine > theirs) - (mine < theirs)

    def _key(self) -> tuple[Any, ...]:
        parts = tuple((0, int(one), "") if one.isdigit() else (1, 0, one) for one in self.prerelease)
        return self.numbers, not parts, parts


def _parse(text: str) -> SemverValue:
    """:raises ValueError: worded as the original does."""
    if not text:
        raise ValueError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise ValueError("No Major.Minor.Patch elements found")
    rest, plus, build = parts[2].partition("+")
    parts[2], dash, prerelease = rest.partition("-")
    numbers = [_number(name, part) for name, part in zip(_NUMBER_NAMES, parts, strict=True)]
    identifiers = prerelease.split(".") if dash else []
    for one in identifiers:
        _check_prerelease(one)
    for one in build.split(".") if plus else []:
        if not one:
            raise ValueError("Build meta data is empty")
        if not _IDENTIFIER.fullmatch(one):
            raise ValueError(f"Invalid character(s) found in build meta data {go_quote(one)}")
    return SemverValue((numbers[0], numbers[1], numbers[2]), tuple(identifiers))


def _number(name: str, text: str) -> int:
    title = name.capitalize()
    if not (text.isascii() and text.isdigit()):
        if text:
            raise ValueError(f"Invalid character(s) found in {name} number {go_quote(text)}")
        raise ValueError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 1 and text[0] == "0":
        raise ValueError(f"{title} number must not contain leading zeroes {go_quote(text)}")
    if len(text) > 20 or int(text) > UINT_MAX:
        raise ValueError(f"strconv.ParseUint: parsing {go_quote(text)}: value out of range")
    return int(text)


def _check_prerelease(text: str) -> None:
    if not text:
        raise ValueError("Prerelease is empty")
    if not _IDENTIFIER.fullmatch(text):
        raise ValueError(f"Invalid character(s) found in prerelease {go_quote(text)}")
    if text.isdigit() and len(text) > 1 and text[0] == "0":
        raise ValueError(f"Numeric PreRelease version must not contain leading zeroes {go_quote(text)}")


def _normalized(text: str) -> str:
    """Without a leading ``v`` and leading zeros, and with all three numbers."""
    parts = text.removeprefix("v").split(".", 2)
    for index, part in enumerate(parts):
        if len(part) > 1:
            stripped = part.lstrip("0")
            parts[index] = stripped if stripped[:1].isdigit() else f"0{stripped}"
    if len(parts) < 3:
        if re.search("[+-]", parts[-1]):
            raise ValueError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _semver(text: str, normalize: bool = False) -> SemverValue:
    try:
        return _parse(_normalized(text) if normalize else text)
    except ValueError as error:
        raise CelError(str(error)) from None


def _is_semver(text: str, normalize: bool = False) -> bool:
    try:
        _semver(text, normalize)
    except CelError:
        return False
    return True


def _signed(number: int) -> int:
    """Numbers of 64 bits become signed ones; the largest are negative then."""
    return number if number <= INT_MAX else number - UINT_MAX - 1


SEMVER: Library = library(_DECLARATIONS, {
    "string_to_semver": _semver, "string_bool_to_semver": _semver, "is_semver_string": _is_semver,
    "is_semver_string_bool": _is_semver,
    "semver_is_greater_than": lambda first, second: first.order(second) > 0,
    "semver_is_less_than": lambda first, second: first.order(second) < 0, "semver_compare_to": SemverValue.order,
    "semver_major": lambda value: _signed(value.numbers[0]), "semver_minor": lambda value: _signed(value.numbers[1]),
    "semver_patch": lambda value: _signed(value.numbers[2])})
