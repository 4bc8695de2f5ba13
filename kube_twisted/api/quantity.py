"""Resource quantities such as ``100m``, ``1.5Gi`` and ``1e3``: exact arithmetic and one canonical form.

Source: the API reference's "Quantity". A quantity is a whole number of billionths (nanos); smaller parts are
rounded up when it is read. It remembers which of three notations it was written in and is written so again.
"""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import field, frozen

DECIMAL_SI, BINARY_SI, DECIMAL_EXPONENT = "DecimalSI", "BinarySI", "DecimalExponent"

FORMAT_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
SUFFIX_ERROR = "unable to parse quantity's suffix"
NUMERIC_ERROR = "unable to parse numeric part of quantity"

_QUANTITY = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)")
_DECIMAL_SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_BY_EXPONENT = {exponent: suffix for suffix, exponent in _DECIMAL_SUFFIXES.items()}
_BINARY_BY_EXPONENT = {exponent: suffix for suffix, exponent in _BINARY_SUFFIXES.items()} | {0: ""}
_NANO = 10 ** 9
_MAX_INT64 = (1 << 63) - 1
#: Digits that the original reads without big numbers; only such a text is ever kept as it was written.
_SHORT = 18
#: No sensible quantity has more digits than this.
_MAX_EXPONENT = 1000


def _divide_up(number: int, divisor: int) -> int:
    """Divide, rounding away from zero."""
    return -(-number // divisor) if number >= 0 else number // divisor


@frozen(order=True)
class Quantity:
    """An exact amount. Equality and order are those of the number, whatever the notation.

    :ivar nanos: the amount in billionths.
    :ivar notation: one of the three formats.
    :ivar text: the canonical form, when it is already known.
    """

    nanos: int
    notation: str = field(default=DECIMAL_SI, eq=False, order=False)
    text: str = field(default="", eq=False, order=False)

    @classmethod
    def parse(cls, text: str | int | float) -> Quantity:
        """Read a quantity; JSON numbers are read as their text.

        :raises ValueError: worded as apimachinery's ``ParseQuantity``.
        """
        return _parse(text if isinstance(text, str) else repr(text))

    @classmethod
    def of(cls, value: int, notation: str = DECIMAL_SI) -> Quantity:
        """A whole number."""
        return cls(value * _NANO, notation)

    @classmethod
    def of_milli(cls, value: int, notation: str = DECIMAL_SI) -> Quantity:
        """A number of thousandths."""
        return cls(value * 10 ** 6, notation)

    def __str__(self) -> str:
        return self.text or _format(self.nanos, self.notation)

    def __bool__(self) -> bool:
        return self.nanos != 0

    def __add__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos + other.nanos, self._notation_with(other))

    def __sub__(self, other: Quantity) -> Quantity:
        return Quantity(self.nanos - other.nanos, self._notation_with(other))

    def __neg__(self) -> Quantity:
        return Quantity(-self.nanos, self.notation)

    def __mul__(self, factor: int) -> Quantity:
        return Quantity(self.nanos * factor, self.notation)

    def _notation_with(self, other: Quantity) -> str:
        """A sum is written as its first term, unless that is zero."""
        return self.notation if self.nanos else other.notation

    @property
    def sign(self) -> int:
        return (self.nanos > 0) - (self.nanos < 0)

    def value(self) -> int:
        """The amount in ones, rounded away from zero."""
        return _divide_up(self.nanos, _NANO)

    def milli(self) -> int:
        """The amount in thousandths, rounded away from zero."""
        return _divide_up(self.nanos, 10 ** 6)

    def is_whole(self) -> bool:
        return self.nanos % _NANO == 0

    def round_up_milli(self) -> Quantity:
        """The same with at most three decimal places, rounded away from zero."""
        return self if self.nanos % 10 ** 6 == 0 else Quantity(self.milli() * 10 ** 6, self.notation)

    def __float__(self) -> float:
        return self.nanos / _NANO


def _parse(text: str) -> Quantity:
    text = text.strip(" \t\n\v\f\r")
    match = _QUANTITY.fullmatch(text) if text else None
    if match is None:
        raise ValueError(FORMAT_ERROR)
    sign, whole, fraction, suffix = match.groups("")
    digits, places = (whole or "0") + fraction, len(fraction)
    base, exponent, notation = _interpret(suffix)
    if len(digits) > _MAX_EXPONENT:
        raise ValueError(NUMERIC_ERROR)
    if base == 10:
        nanos = _scale(int(digits), exponent - places + 9)
        short = len(digits) <= _SHORT and exponent - places >= -9
        kept = (exponent - places) % 3 == 0 and not digits.endswith("000") and not digits.startswith("0")
    else:
        nanos = min(_scale(int(digits) << exponent, 9 - places), _MAX_INT64 * _NANO)
        short = not places and len(digits) + exponent * 3 // 10 <= 14
        kept = int(digits) % 8 != 0
        if not short and 0 < nanos < _NANO:
            notation = DECIMAL_SI
    return Quantity(-nanos if sign == "-" else nanos, notation, text if short and kept else "")


def _interpret(suffix: str) -> tuple[int, int, str]:
    """The base, the exponent and the notation that a suffix stands for."""
    if suffix in _DECIMAL_SUFFIXES:
        return 10, _DECIMAL_SUFFIXES[suffix], DECIMAL_SI
    if suffix in _BINARY_SUFFIXES:
        return 2, _BINARY_SUFFIXES[suffix], BINARY_SI
    if re.fullmatch("[eE][-+]?[0-9]+", suffix):
        exponent = int(suffix[1:]) if len(suffix) < 16 else _MAX_EXPONENT + 1
        if exponent <= _MAX_EXPONENT:
            return 10, max(exponent, -_MAX_EXPONENT), DECIMAL_EXPONENT
    raise ValueError(SUFFIX_ERROR)


def _scale(number: int, exponent: int) -> int:
    """``number * 10**exponent``, rounded up to a whole number."""
    power: int = 10 ** abs(exponent)
    return number * power if exponent >= 0 else _divide_up(number, power)


def _format(nanos: int, notation: str) -> str:
    if nanos == 0:
        return "0"
    sign, nanos = ("-", -nanos) if nanos < 0 else ("", nanos)
    if notation == BINARY_SI and nanos % _NANO == 0 and nanos >= 1024 * _NANO:
        return sign + _format_binary(nanos // _NANO)
    return sign + _format_decimal(nanos, notation)


def _format_binary(value: int) -> str:
    exponent = 0
    while value % 1024 == 0 and exponent < 60:
        value //= 1024
        exponent += 10
    return f"{value}{_BINARY_BY_EXPONENT[exponent]}"


def _format_decimal(nanos: int, notation: str) -> str:
    exponent = -9
    limit = _MAX_EXPONENT if notation == DECIMAL_EXPONENT else 18
    while nanos % 1000 == 0 and exponent < limit:
        nanos //= 1000
        exponent += 3
    if notation == DECIMAL_EXPONENT:
        return f"{nanos}e{exponent}" if exponent else str(nanos)
    return f"{nanos}{_DECIMAL_BY_EXPONENT[exponent]}"


@lru_cache(maxsize=4096)
def canonical(text: str | int | float) -> str:
    """The one form that a quantity is stored and shown in: ``0.1`` is ``100m``, ``1024Mi`` is ``1Gi``.

    :raises ValueError: worded as apimachinery's ``ParseQuantity``.
    """
    return str(Quantity.parse(text))
