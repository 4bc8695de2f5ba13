"""Quoted texts in JSONPath templates: Go's escapes, in single or double quotes."""

from __future__ import annotations

import re

from kube_twisted.api.jsonpath.nodes import JSONPathError

_ESCAPE = re.compile(r"\\(?:([abfnrtv\\])|(['\"])|([0-7]{3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|)",
                     re.DOTALL)
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_MAX_CODE = 0x10FFFF


def unquote(quoted: str) -> str:
    """The text between the quotes.

    :raises JSONPathError: for an escape that Go doesn't know.
    """
    end = quoted[0]

    def plain(match: re.Match[str]) -> str:
        letter, quote, octal, *hexadecimal = match.groups()
        if letter:
            return _LETTERS[letter]
        if quote == end:
            return end
        digits = next(filter(None, hexadecimal), "")
        code = int(octal, 8) if octal else int(digits, 16) if digits else _MAX_CODE + 1
        if code > _MAX_CODE or 0xD800 <= code < 0xE000:
            raise JSONPathError(f"unquote string {quoted} error invalid syntax")
        return chr(code)

    return _ESCAPE.sub(plain, quoted[1:-1])
