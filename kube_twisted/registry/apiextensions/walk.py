"""Go through a schema and all schemas inside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]

_LISTS = ("allOf", "anyOf", "oneOf")


def schemas(schema: Schema) -> Iterator[Schema]:
    """The schema itself, then what it holds, depth first."""
    yield schema
    for child in _children(schema):
        yield from schemas(child)


def _children(schema: Schema) -> Iterator[Schema]:
    items = schema.get("items")
    yield from items if isinstance(items, list) else _objects(items)
    for key in _LISTS:
        yield from schema.get(key) or []
    yield from _objects(schema.get("not"))
    yield from _values(schema, "properties")
    yield from _objects(schema.get("additionalProperties"))
    yield from _values(schema, "patternProperties")
    yield from _objects(schema.get("additionalItems"))
    yield from _values(schema, "definitions")
    for value in _values(schema, "dependencies"):
        yield from _objects(value)


def _objects(value: Any) -> Iterator[Schema]:
    if isinstance(value, dict):
        yield value


def _values(schema: Schema, key: str) -> Iterator[Any]:
    held = schema.get(key) or {}
    for name in sorted(held):
        yield held[name]
