"""JSON in and out: orjson for speed, and an exact second look where it differs from Go's encoding/json."""

from __future__ import annotations

import math
from typing import Any

import orjson

from kube_twisted.api.field import go_quote
from kube_twisted.codec.scanner import JSONSyntaxError, read
from kube_twisted.schema.tree import Members, Number, plain

_MARKUP = ((b"<", b"\\u003c"), (b">", b"\\u003e"), (b"&", b"\\u0026"),
           (b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029"))

__all__ = ["JSONSyntaxError", "NumberRangeError", "dumps", "duplicate_fields", "has_duplicates", "parse",
           "pretty"]


class NumberRangeError(ValueError):
    """A number is too large for a float; ``value`` is the document with infinities in its place."""

    def __init__(self, number: str, value: Any) -> None:
        super().__init__(f"json: cannot unmarshal number {number} into Go value of type float64")
        self.value = value


def parse(body: bytes) -> Any:
    """Read a JSON document; of duplicate members the last one counts.

    :raises JSONSyntaxError: worded as Go's error.
    :raises NumberRangeError: worded as Go's error.
    """
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        tree = read(body)
    value = plain(tree)
    too_large = _first_too_large(tree)
    if too_large is not None:
        raise NumberRangeError(too_large, value)
    return value


def _first_too_large(node: Any) -> str | None:
    if isinstance(node, Number):
        return node.text if math.isinf(node.value()) else None
    if isinstance(node, Members):
        node = [value for _, value in node.pairs]
    if isinstance(node, list):
        return next((found for found in map(_first_too_large, node) if found is not None), None)
    return None


def has_duplicates(body: bytes, parsed: Any) -> bool:
    """Whether some object in the document may have a member twice; almost free, and wrong only towards yes.

    A document without duplicates has as many colons as it has when it is written again.
    """
    if b"\\" in body and (b"\\u003a" in body or b"\\u003A" in body):
        return True
    return body.count(b":") != orjson.dumps(parsed).count(b":")


def duplicate_fields(body: bytes, parsed: Any) -> list[str]:
    """A message for each duplicate member of an untyped document, in the order in which they are met."""
    messages: dict[str, None] = {}
    if has_duplicates(body, parsed):
        _collect(read(body), "", messages)
    return list(messages)


def _collect(node: Any, path: str, messages: dict[str, None]) -> None:
    if isinstance(node, list):
        for index, item in enumerate(node):
            _collect(item, f"{path}[{index}]", messages)
    elif isinstance(node, Members):
        seen = set()
        for key, value in node.pairs:
            inner = f"{path}.{key}" if path else key
            if key in seen:
                messages[f"duplicate field {go_quote(inner)}"] = None
            seen.add(key)
            _collect(value, inner, messages)


def dumps(value: Any) -> bytes:
    """Write compact JSON, members in the order in which they stand, ``<``, ``>`` and ``&`` escaped."""
    return _escape_markup(orjson.dumps(value))


def pretty(encoded: bytes) -> bytes:
    """Indent JSON by two spaces, as ``?pretty=true`` does."""
    return _escape_markup(orjson.dumps(orjson.loads(encoded), option=orjson.OPT_INDENT_2))


def _escape_markup(encoded: bytes) -> bytes:
    for character, escaped in _MARKUP:
        if character in encoded:
            encoded = encoded.replace(character, escaped)
    return encoded
