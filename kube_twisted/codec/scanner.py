"""Reads JSON exactly: Go's words for what is wrong, duplicate members kept, numbers as they were written.

Slow, and only used when the fast parser has refused a document or something in it needs a second look. Broken
UTF-8 and unpaired surrogates become U+FFFD, as in Go's decoder.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from kube_twisted.schema.tree import Members, Number

_SPACE = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"((?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)"')
_STRING_START = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
_PAIR = re.compile("([\ud800-\udbff])([\udc00-\udfff])")
_LONE = re.compile("[\ud800-\udfff]")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LITERALS: dict[bytes, Any] = {b"true": True, b"false": False, b"null": None}
_GO_ESCAPES = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r", 39: "\\'",
               92: "\\\\"}


class JSONSyntaxError(ValueError):
    """The document is no JSON; the message is Go's."""


def read(body: bytes) -> Any:
    """Read a document into a tree of ``schema/tree.py``.

    :raises JSONSyntaxError: when it is no JSON.
    """
    scanner = _Scanner(body)
    try:
        value = scanner.value(scanner.space(0))
    except RecursionError:
        raise JSONSyntaxError("exceeded max depth") from None
    end = scanner.space(scanner.at)
    if end < len(body):
        scanner.fail(end, "after top-level value")
    return value


class _Scanner:
    """A recursive reader; ``at`` is the offset behind what was read last."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.at = 0

    def space(self, at: int) -> int:
        """The offset of the next byte that is not white space."""
        match = _SPACE.match(self._body, at)
        return at if match is None else match.end()

    def fail(self, at: int, context: str) -> NoReturn:
        """Complain about the byte at an offset, or that there is none."""
        if at >= len(self._body):
            raise JSONSyntaxError("unexpected end of JSON input")
        raise JSONSyntaxError(f"invalid character {_quote_byte(self._body[at])} {context}")

    def value(self, at: int) -> Any:
        match self._body[at:at + 1]:
            case b"{":
                return self._object(at + 1)
            case b"[":
                return self._array(at + 1)
            case b'"':
                return self._string(at)
            case b"t" | b"f" | b"n":
                return self._literal(at)
            case first if first and first in b"-0123456789":
                return self._number(at)
        return self.fail(at, "looking for beginning of value")

    def _object(self, at: int) -> Members:
        pairs: list[tuple[str, Any]] = []
        at = self.space(at)
        if self._body[at:at + 1] == b"}":
            self.at = at + 1
            return Members(pairs)
        while True:
            if self._body[at:at + 1] != b'"':
                self.fail(at, "looking for beginning of object key string")
            key = self._string(at)
            at = self.space(self.at)
            if self._body[at:at + 1] != b":":
                self.fail(at, "after object key")
            pairs.append((key, self.value(self.space(at + 1))))
            at = self.space(self.at)
            end = self._body[at:at + 1]
            if end == b"}":
                self.at = at + 1
                return Members(pairs)
            if end != b",":
                self.fail(at, "after object key:value pair")
            at = self.space(at + 1)

    def _array(self, at: int) -> list[Any]:
        items: list[Any] = []
        at = self.space(at)
        if self._body[at:at + 1] == b"]":
            self.at = at + 1
            return items
        while True:
            items.append(self.value(at))
            at = self.space(self.at)
            end = self._body[at:at + 1]
            if end == b"]":
                self.at = at + 1
                return items
            if end != b",":
                self.fail(at, "after array element")
            at = self.space(at + 1)

    def _string(self, at: int) -> str:
        match = _STRING.match(self._body, at)
        if match is None:
            self._fail_in_string(at)
        self.at = match.end()
        return _unquote(match[1])

    def _fail_in_string(self, at: int) -> NoReturn:
        start = _STRING_START.match(self._body, at)
        at = at if start is None else start.end()
        if self._body[at:at + 1] != b"\\":
            self.fail(at, "in string literal")
        if self._body[at + 1:at + 2] != b"u":
            self.fail(at + 1, "in string escape code")
        at += 2
        while self._body[at:at + 1] and self._body[at:at + 1] in b"0123456789abcdefABCDEF":
            at += 1
        self.fail(at, "in \\u hexadecimal character escape")

    def _literal(self, at: int) -> Any:
        word = next(one for one in _LITERALS if one[0] == self._body[at])
        for offset in range(1, len(word)):
            if self._body[at + offset:at + offset + 1] != word[offset:offset + 1]:
                self.fail(at + offset, f"in literal {word.decode()} (expecting {_quote_byte(word[offset])})")
        self.at = at + len(word)
        return _LITERALS[word]

    def _number(self, at: int) -> Number:
        match = _NUMBER.match(self._body, at)
        if match is None:
            self.fail(at + 1, "in numeric literal")
        end = match.end()
        following = self._body[end:end + 1]
        if following == b"." and b"." not in match[0] and b"e" not in match[0].lower():
            self.fail(end + 1, "after decimal point in numeric literal")
        if following and following in b"eE" and b"e" not in match[0].lower():
            sign = self._body[end + 1:end + 2]
            self.fail(end + (2 if sign and sign in b"+-" else 1), "in exponent of numeric literal")
        self.at = end
        return Number(match[0].decode())


def _unquote(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    if "\\" not in text:
        return text
    text = _ESCAPE.sub(lambda one: chr(int(one[1], 16)) if one[1] else _ESCAPES[one[2]], text)
    text = _PAIR.sub(_join_surrogates, text)
    return _LONE.sub("\N{REPLACEMENT CHARACTER}", text)


def _join_surrogates(pair: re.Match[str]) -> str:
    return chr(0x10000 + ((ord(pair[1]) & 0x3FF) << 10) + (ord(pair[2]) & 0x3FF))


def _quote_byte(byte: int) -> str:
    """A byte as Go quotes it in a syntax error."""
    if byte in _GO_ESCAPES:
        return f"'{_GO_ESCAPES[byte]}'"
    if byte == 34:
        return "'\"'"
    printable = 32 <= byte < 127 or (byte >= 0xA1 and byte != 0xAD)
    return f"'{chr(byte)}'" if printable else f"'\\x{byte:02x}'" if byte < 128 else f"'\\u{byte:04x}'"
