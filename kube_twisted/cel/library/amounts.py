"""How the original holds a quantity: as a short number with an exponent, or as a big decimal.

What the language says of a quantity depends on it: a big decimal is no integer, and becomes a double in two roundings.
"""

from __future__ import annotations

import re

from attrs import frozen

from kube_twisted.api.quantity import BINARY_SI, Quantity
from kube_twisted.cel.values import INT_MAX, INT_MIN

_PARTS = re.compile(r"([+-]?)0*([0-9]*)\.?([0-9]*)(.*)")
_BINARY = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_SMALLEST = -9
#: Digits of decimal and of binary numbers that are held as short ones.
_SHORT, _SHORT_BINARY = 18, 14


@frozen
class Amount:
    """``number * 10**exponent``.

    :ivar big: whether it is held as a big decimal.
    """

    number: int
    exponent: int = 0
    big: bool = False

    def integer(self) -> int | None:
        """The whole number that it is; None for one that is held as a fraction or a big decimal, or is too large."""
        if self.big or self.exponent < 0 or self.exponent > _SHORT:
            return None
        number = self.number * 10 ** self.exponent
        return number if INT_MIN <= number <= INT_MAX else None

    def approximate(self) -> float:
        """The double near to it, by way of the number and the power."""
        power = float(f"1e{self.exponent}")
        return float(self.number) * power if self.exponent else float(self.number)

    def plus(self, other: Amount) -> Amount:
        """The sum, short if both are and it fits."""
        if not self.big and not other.big and 0 in (self.number, other.number):
            return self if self.number else other
        exponent = min(self.exponent, other.exponent)
        terms = [one.number * 10 ** (one.exponent - exponent) for one in (self, other)]
        fits = all(INT_MIN <= one <= INT_MAX for one in (*terms, sum(terms)))
        return Amount(sum(terms), exponent, self.big or other.big or not fits)

    def minus(self, other: Amount) -> Amount:
        return self.plus(Amount(-other.number, other.exponent, other.big))


def amount_of(text: str) -> Amount:
    """How a quantity that was written like this is held. The text must be a quantity's."""
    match = _PARTS.fullmatch(text)
    assert match is not None
    sign, whole, fraction, suffix = match.groups()
    number = int(f"{sign}{whole}{fraction}" if whole or fraction else "0")
    if suffix in _BINARY:
        short = not fraction and len(whole) + _BINARY[suffix] * 3 // 10 <= _SHORT_BINARY
        return Amount(number << _BINARY[suffix]) if short else _big(text)
    exponent = (_DECIMAL[suffix] if suffix in _DECIMAL else int(suffix[1:])) - len(fraction)
    if len(whole) + len(fraction) <= _SHORT and exponent >= _SMALLEST:
        return Amount(number, exponent)
    return _big(text)


def _big(text: str) -> Amount:
    """Big decimals are rounded to billionths, or to the largest integer, and then held as such."""
    quantity = Quantity.parse(text)
    if quantity.notation == BINARY_SI and quantity.value() == INT_MAX:
        return Amount(INT_MAX, big=True)
    return Amount(quantity.nanos, _SMALLEST, big=True)
