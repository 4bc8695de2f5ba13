"""Paths into objects, such as ``.spec.size`` or ``.spec['size']``, checked against a schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]

_TOKEN = re.compile(r"'.*?(?<!\\)'|'.*|[.\[\]]|[^.\[\]]+", re.DOTALL)
_NO_FIELD = "does not refer to a valid field"
_ENDED = "unexpected end of JSON path"


class BadPath(Exception):
    """A path that leads nowhere; its text says why."""


def resolve(text: str, schema: Schema, brackets: bool = True) -> tuple[tuple[str, ...], Schema]:
    """Follow a path.

    :param brackets: whether ``['name']`` is allowed.
    :returns: the names on the path, and the schema it leads to.
    :raises BadPath: when the schema has no such field.
    """
    tokens = (one.group() for one in _TOKEN.finditer(text))
    steps: list[str] = []
    for token in tokens:
        if token == ".":
            name = _next(tokens)
        elif token == "[":
            name = _bracketed(tokens, brackets)
        else:
            raise BadPath(f"expected [ or . but got: {token}")
        schema = _step(schema, name)
        steps.append(name)
        if token == "[":
            _close(tokens)
    return tuple(steps), schema


def normalized(text: str, schema: Schema) -> str:
    """The path as field errors write it: ``spec.size``, and ``labels[app]`` for the entry of a map.

    :raises BadPath: when the schema has no such field.
    """
    written = ""
    for name in resolve(text, schema)[0]:
        if schema.get("properties"):
            written += f".{name}" if written else name
        else:
            written += f"[{name}]"
        schema = _step(schema, name)
    return written


def _next(tokens: Iterator[str]) -> str:
    token = next(tokens, None)
    if token is None:
        raise BadPath(_ENDED)
    return token


def _bracketed(tokens: Iterator[str], allowed: bool) -> str:
    if not allowed:
        raise BadPath("array notation is not allowed")
    token = _next(tokens)
    if len(token) < 2 or token[0] != "'" or token[-1] != "'":
        raise BadPath(f"expected single quoted string but got {token}")
    return token[1:-1].replace("\\'", "'").replace("\\\\", "\\")


def _close(tokens: Iterator[str]) -> None:
    token = _next(tokens)
    if token != "]":
        raise BadPath(f"expected ] but got {token}")


def _step(schema: Schema, name: str) -> Schema:
    properties: Mapping[str, Schema] = schema.get("properties") or {}
    if name in properties:
        return properties[name]
    if not properties and "additionalProperties" in schema:
        values = schema["additionalProperties"]
        return values if isinstance(values, Mapping) else {}
    raise BadPath(_NO_FIELD)
