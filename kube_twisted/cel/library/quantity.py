"""Quantities such as ``200Mi``."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.api.quantity import DECIMAL_EXPONENT, FORMAT_ERROR, Quantity
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.library.amounts import Amount, amount_of
from kube_twisted.cel.values import Foreign

_Q = "kubernetes.Quantity"
_DECLARATIONS = f"""
    quantity string_to_quantity: (string) -> {_Q}
    isQuantity is_quantity_string: (string) -> bool
    sign quantity_sign: ({_Q}) -> int
    isGreaterThan quantity_is_greater_than: {_Q}.({_Q}) -> bool
    isLessThan quantity_is_less_than: {_Q}.({_Q}) -> bool
    compareTo quantity_compare_to: {_Q}.({_Q}) -> int
    asApproximateFloat quantity_get_float: {_Q}.() -> double
    asInteger quantity_get_int: {_Q}.() -> int
    isInteger quantity_is_integer: {_Q}.() -> bool
    add quantity_add: {_Q}.({_Q}) -> {_Q}
    add quantity_add_int: {_Q}.(int) -> {_Q}
    sub quantity_sub: {_Q}.({_Q}) -> {_Q}
    sub quantity_sub_int: {_Q}.(int) -> {_Q}
"""


@frozen(eq=False)
class QuantityValue(Foreign):
    """A quantity as a value of the language.

    :ivar amount: the same number as the original holds it.
    """

    quantity: Quantity
    amount: Amount
    type_name = _Q

    def equals(self, other: Any) -> bool:
        if not isinstance(other, QuantityValue):
            raise no_such_overload()
        return self.quantity == other.quantity


def _read(text: str) -> Quantity:
    """:raises ValueError: it is none; there may be no space around it."""
    if text != text.strip():
        raise ValueError(FORMAT_ERROR)
    return Quantity.parse(text)


def _parse(text: str) -> QuantityValue:
    try:
        return QuantityValue(_read(text), amount_of(text))
    except ValueError as error:
        raise CelError(str(error)) from None


def _is_quantity(text: str) -> bool:
    try:
        _read(text)
    except ValueError:
        return False
    return True


def _order(first: QuantityValue, second: QuantityValue) -> int:
    return (first.quantity > second.quantity) - (first.quantity < second.quantity)


def _as_integer(value: QuantityValue) -> int:
    number = value.amount.integer()
    if number is None:
        raise CelError("cannot convert value to integer")
    return number


def _quantity(value: Any) -> QuantityValue:
    return value if isinstance(value, QuantityValue) else QuantityValue(
        Quantity.of(value, DECIMAL_EXPONENT), Amount(value))


def _add(first: QuantityValue, second: Any) -> QuantityValue:
    other = _quantity(second)
    return QuantityValue(first.quantity + other.quantity, first.amount.plus(other.amount))


def _subtract(first: QuantityValue, second: Any) -> QuantityValue:
    other = _quantity(second)
    return QuantityValue(first.quantity - other.quantity, first.amount.minus(other.amount))


QUANTITY: Library = library(_DECLARATIONS, {
    "string_to_quantity": _parse, "is_quantity_string": _is_quantity,
    "quantity_sign": lambda value: value.quantity.sign,
    "quantity_is_greater_than": lambda first, second: _order(first, second) > 0,
    "quantity_is_less_than": lambda first, second: _order(first, second) < 0,
    "quantity_compare_to": _order, "quantity_get_float": lambda value: value.amount.approximate(),
    "quantity_get_int": _as_integer, "quantity_is_integer": lambda value: value.amount.integer() is not None,
    "quantity_add": _add,
    "quantity_add_int": _add, "quantity_sub": _subtract, "quantity_sub_int": _subtract})
