"""Checks of single fields that many validations share, worded as apimachinery words them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from kube_twisted.api.field import FieldError, invalid, not_supported, required

Errors = list[FieldError]

NONNEGATIVE = "must be greater than or equal to 0"
POSITIVE = "must be greater than 0"
IMMUTABLE = "field is immutable"


def nonnegative(number: int, path: str) -> Errors:
    return [invalid(path, number, NONNEGATIVE)] if number < 0 else []


def positive(number: int, path: str) -> Errors:
    return [invalid(path, number, POSITIVE)] if number <= 0 else []


def immutable(new: Any, old: Any, path: str) -> Errors:
    return [] if new == old else [invalid(path, new, IMMUTABLE)]


def supported(value: Any, path: str, values: Iterable[str]) -> Errors:
    """An enumeration; ``values`` are listed in the message as given."""
    return [] if value in values else [not_supported(path, value, values)]


def named(rule: Callable[[str], list[str]], text: str, path: str) -> Errors:
    """What a rule of :mod:`kube_twisted.api.names` says about a text."""
    return [invalid(path, text, message) for message in rule(text)]


def required_named(rule: Callable[[str], list[str]], text: str, path: str, detail: str = "") -> Errors:
    """The same for a text that may not be empty."""
    return named(rule, text, path) if text else [required(path, detail)]
