"""The value of a literal's token."""

from __future__ import annotations

from typing import Any

from kube_twisted.cel import unescape
from kube_twisted.cel.tokens import Token
from kube_twisted.cel.unescape import BadLiteral
from kube_twisted.cel.values import INT_MAX, INT_MIN, UINT_MAX, UInt

__all__ = ["BadLiteral", "literal_value"]
_CONSTANTS = {"true": True, "false": False, "null": None}


def literal_value(token: Token, sign: str) -> Any:
    """The constant that a token stands for.

    :param sign: ``-`` in front of a number, or empty.
    :raises BadLiteral: the number is out of range, or the text has a wrong escape.
    """
    if token.kind in _CONSTANTS:
        return _CONSTANTS[token.kind]
    if token.kind == "STRING":
        return unescape.string_value(token.text)
    if token.kind == "BYTES":
        return unescape.bytes_value(token.text)
    if token.kind == "NUM_FLOAT":
        return _double(sign + token.text)
    if token.kind == "NUM_UINT":
        return _unsigned(token.text[:-1])
    value = int(sign + token.text, 16 if token.text.startswith("0x") else 10)
    if not INT_MIN <= value <= INT_MAX:
        raise BadLiteral("invalid int literal")
    return value


def _double(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise BadLiteral("invalid double literal")
    return value


def _unsigned(text: str) -> UInt:
    value = int(text, 16 if text.startswith("0x") else 10)
    if value > UINT_MAX:
        raise BadLiteral("invalid uint literal")
    return UInt(value)
