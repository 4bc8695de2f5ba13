"""Reads the text of a label selector into requirements.

    selector    = [ requirement *( "," requirement ) ]
    requirement = [ "!" ] KEY | KEY ( "=" | "==" | "!=" | ">" | "<" ) [ VALUE ]
                | KEY ( "in" | "notin" ) "(" [ VALUE ] *( "," [ VALUE ] ) ")"
"""

from __future__ import annotations

import re

from kube_twisted.api.field import invalid, to_aggregate
from kube_twisted.api.label_requirements import (
    DOES_NOT_EXIST,
    DOUBLE_EQUALS,
    EQUALS,
    EXISTS,
    GREATER,
    IN,
    LESS,
    NOT_EQUALS,
    NOT_IN,
    Requirement,
    requirement_errors,
)
from kube_twisted.api.names import qualified_name

_TOKEN = re.compile(r"[ \t\r\n]*(==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+|\Z)")
_PUNCTUATION = frozenset(("==", "!=", "=", "!", "(", ")", ",", "<", ">", ""))
_OPERATORS = {"in": IN, "notin": NOT_IN, "=": EQUALS, "==": DOUBLE_EQUALS, "!=": NOT_EQUALS, ">": GREATER,
              "<": LESS}
_EXPECTED_OPERATORS = "in, notin, =, ==, !=, gt, lt"
_END = ""


def parse_requirements(text: str) -> list[Requirement]:
    """Read all requirements.

    :raises ValueError: worded as apimachinery's parser does.
    """
    return _Parser(_tokens(text)).selector()


def _tokens(text: str) -> list[str]:
    """The tokens, with the empty string as the end."""
    tokens = [match.group(1) for match in _TOKEN.finditer(text.partition("\0")[0])]
    while tokens and tokens[-1] == _END:
        tokens.pop()
    return [*tokens, _END]


def _is_identifier(token: str) -> bool:
    return token not in _PUNCTUATION


class _Parser:
    """Goes through the tokens once; the end token is never passed."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._position = 0

    def _peek(self) -> str:
        return self._tokens[self._position]

    def _next(self) -> str:
        token = self._tokens[self._position]
        self._position = min(self._position + 1, len(self._tokens) - 1)
        return token

    def selector(self) -> list[Requirement]:
        requirements: list[Requirement] = []
        while (token := self._peek()) != _END:
            if not (_is_identifier(token) or token == "!"):
                raise ValueError(f"found '{token}', expected: !, identifier, or 'end of string'")
            try:
                requirements.append(self._requirement())
            except ValueError as error:
                raise ValueError(f"unable to parse requirement: {error}") from None
            self._separator()
        return requirements

    def _separator(self) -> None:
        """A comma with something behind it, or the end."""
        token = self._next()
        if token == _END:
            return
        if token != ",":
            raise ValueError(f"found '{token}', expected: ',' or 'end of string'")
        following = self._peek()
        if not (_is_identifier(following) or following == "!"):
            raise ValueError(f"found '{following}', expected: identifier after ','")

    def _requirement(self) -> Requirement:
        token = self._next()
        negated = token == "!"
        key = self._next() if negated else token
        if not _is_identifier(key):
            raise ValueError(f"found '{key}', expected: identifier")
        if messages := qualified_name(key):
            raise ValueError(str(invalid("<nil>", key, "; ".join(messages))))
        if negated:
            found = Requirement(key, DOES_NOT_EXIST)
        elif self._peek() in (_END, ","):
            found = Requirement(key, EXISTS)
        else:
            found = self._comparison(key)
        if errors := requirement_errors(found):
            raise ValueError(to_aggregate(errors))
        return found

    def _comparison(self, key: str) -> Requirement:
        token = self._next()
        operator = _OPERATORS.get(token)
        if operator is None:
            raise ValueError(f"found '{token}', expected: {_EXPECTED_OPERATORS}")
        values = self._set() if operator in (IN, NOT_IN) else {self._value()}
        return Requirement(key, operator, tuple(sorted(values)))

    def _value(self) -> str:
        if self._peek() in (_END, ","):
            return ""
        token = self._next()
        if not _is_identifier(token):
            raise ValueError(f"found '{token}', expected: identifier")
        return token

    def _set(self) -> set[str]:
        """The values in parentheses; nothing between two commas is the empty value."""
        token = self._next()
        if token != "(":
            raise ValueError(f"found '{token}' expected: '('")
        first = self._peek()
        if first != ")" and first != "," and not _is_identifier(first):
            raise ValueError(f"found '{first}', expected: ',', ')' or identifier")
        values: set[str] = set()
        while True:
            values.add(self._next() if _is_identifier(self._peek()) else "")
            token = self._peek()
            if token not in (",", ")"):
                raise ValueError(f"found '{token}', expected: {_after(self._tokens[self._position - 1])}")
            self._next()
            if token == ")":
                return values


def _after(token: str) -> str:
    """What may stand behind a token in a set."""
    return "',' or ')'" if _is_identifier(token) else "',', or identifier"
