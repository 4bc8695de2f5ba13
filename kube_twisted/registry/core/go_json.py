"""Why a text is no JSON object, in the words of Go's ``encoding/json``."""

from __future__ import annotations

import json
import re

_LITERALS = {"t": "true", "f": "false", "n": "null"}
_KINDS = {str: "string", bool: "bool", int: "number", float: "number", list: "array"}


def go_json_error(content: bytes) -> str:
    """The error of unmarshalling ``content`` into a ``map[string]interface{}``; empty when it can be."""
    text = content.decode("latin-1")  # Go looks at bytes, and shows them so
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        return _syntax_error(text, error)
    if isinstance(value, dict) or value is None:
        return ""
    return f"json: cannot unmarshal {_KINDS[type(value)]} into Go value of type map[string]interface {{}}"


def _syntax_error(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos:]
    if not rest.strip():
        return "unexpected end of JSON input"
    if error.msg == "Expecting value":
        return _value_error(rest)
    contexts = {
        "Extra data": "after top-level value",
        "Expecting ',' delimiter": "after object key:value pair" if _in_object(text[:error.pos])
        else "after array element",
        "Expecting ':' delimiter": "after object key",
    }
    where = contexts.get(error.msg, "looking for beginning of object key string")
    return f"invalid character {_quote(rest[0])} {where}"


def _value_error(rest: str) -> str:
    literal = _LITERALS.get(rest[0])
    if literal is None:
        return f"invalid character {_quote(rest[0])} looking for beginning of value"
    for index, expected in enumerate(literal[1:], 1):
        if index >= len(rest):
            return "unexpected end of JSON input"
        if rest[index] != expected:
            return f"invalid character {_quote(rest[index])} in literal {literal} (expecting '{expected}')"
    return f"invalid character {_quote(rest[0])} looking for beginning of value"


def _in_object(before: str) -> bool:
    """Whether the innermost bracket that is open at the end is a brace."""
    opened: list[str] = []
    for bracket in re.findall(r'"(?:\\.|[^"\\])*"|[\[\]{}]', before):
        if bracket in "[{":
            opened.append(bracket)
        elif bracket in "]}" and opened:
            opened.pop()
    return bool(opened) and opened[-1] == "{"


def _quote(character: str) -> str:
    return {"'": r"'\''", '"': "'\"'"}.get(character, f"'{character}'")
