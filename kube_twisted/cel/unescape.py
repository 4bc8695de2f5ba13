"""The value of a string or bytes literal."""

from __future__ import annotations

import re

_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'",
           '"': '"', "`": "`", "?": "?"}
_ESCAPE = re.compile(r"\\(?:([abfnrtv\\'\"`?])|[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})"
                     r"|(.))", re.DOTALL)


class BadLiteral(ValueError):
    """The text escapes something that can't be escaped."""


def string_value(text: str) -> str:
    """The characters that a string literal, with its quotes, stands for."""
    body, raw = _body(text)
    return body if raw else _ESCAPE.sub(_character, body)


def bytes_value(text: str) -> bytes:
    """The bytes that a literal such as ``b'\\377'`` stands for; characters are UTF-8."""
    body, raw = _body(text[1:])
    if raw:
        return body.encode()
    parts: list[bytes] = []
    at = 0
    for match in _ESCAPE.finditer(body):
        parts += [body[at:match.start()].encode(), _octets(match)]
        at = match.end()
    return b"".join([*parts, body[at:].encode()])


def _body(text: str) -> tuple[str, bool]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    raw = text[0] in "rR"
    if raw:
        text = text[1:]
    width = 3 if len(text) >= 6 and text[:3] in ("'''", '"""') else 1
    return text[width:-width], raw


def _character(match: re.Match[str]) -> str:
    simple, byte, short, long, octal, _ = match.groups()
    if simple:
        return _SIMPLE[simple]
    digits = byte or short or long
    if digits:
        return _rune(int(digits, 16))
    if octal:
        return chr(int(octal, 8))
    raise BadLiteral("unable to unescape string")


def _octets(match: re.Match[str]) -> bytes:
    simple, byte, short, long, octal, _ = match.groups()
    if simple:
        return _SIMPLE[simple].encode()
    if short or long:
        raise BadLiteral("unable to unescape string")
    return bytes([int(byte, 16) if byte else int(octal, 8)])


def _rune(code: int) -> str:
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise BadLiteral("invalid unicode code point")
    return chr(code)
