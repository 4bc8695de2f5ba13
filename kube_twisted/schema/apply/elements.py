"""Path elements of FieldsV1: ``f:name``, ``k:{"name":"a"}`` and ``v:"x"``, and how messages show them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from kube_twisted.api.field import go_quote

_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


class ElementError(ValueError):
    """A list item, or a text, from which no path element can be made."""


@lru_cache(maxsize=8192, typed=True)
def scalar_text(value: str | int | float | bool | None) -> str:
    """A scalar as the JSON that path elements contain."""
    return json.dumps(value, ensure_ascii=False).translate(_ESCAPES)


@lru_cache(maxsize=8192, typed=True)
def key_element(names: tuple[str, ...], *values: str | int | float | bool | None) -> str:
    """The element of an item of a ``map`` list.

    :param names: of the keys, sorted.
    :param values: of the keys in this item: scalars.
    """
    pairs = zip(names, values, strict=True)
    return "k:{" + ",".join(f"{json_text(name)}:{scalar_text(value)}" for name, value in pairs) + "}"


def value_element(item: Any) -> str:
    """The element of an item of a set.

    :raises ElementError: for null, a list or an object.
    """
    if isinstance(item, dict):
        raise ElementError("associative list without keys has an element that's a map type")
    if isinstance(item, list):
        raise ElementError("not supported: associative list with lists as elements")
    if item is None:
        raise ElementError("associative list without keys has an element that's an explicit null")
    return "v:" + scalar_text(item)


@lru_cache(maxsize=8192)
def canonical(element: str) -> str | None:
    """A received element in the one form in which we keep it; None for a kind of element that we don't know.

    :raises ElementError: if it is malformed.
    """
    kind, content = element[:2], element[2:]
    if len(element) < 2:
        raise ElementError("key must be 2 characters long:")
    if kind[1] != ":":
        raise ElementError(f"missing colon: {element}")
    if kind == "f:":
        return element
    if kind == "i:":
        return f"i:{_index(content)}"
    if kind == "v:":
        return "v:" + json_text(_parsed(content))
    if kind == "k:":
        keys = _parsed(content)
        if not isinstance(keys, dict):
            raise ElementError(f"expected an object of keys: {element}")
        return "k:" + json_text(keys)
    return None


def json_text(value: Any) -> str:
    """Compact JSON with sorted keys and Go's escapes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).translate(_ESCAPES)


def _index(content: str) -> int:
    try:
        return int(content)
    except ValueError:
        raise ElementError(f"invalid index: {content}") from None


def _parsed(content: str) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        raise ElementError(f"invalid element: {content}: {error}") from None


_KINDS = {"f": 0, "k": 1, "v": 2, "i": 3}


@lru_cache(maxsize=8192)
def sort_key(element: str) -> tuple[Any, ...]:
    """Orders the elements of one level: the node itself, fields by name, keys, values, indices."""
    if element == ".":
        return (-1,)
    kind, content = element[0], element[2:]
    if kind == "f":
        return (0, content)
    parsed = json.loads(content)
    if kind == "k":
        return (1, tuple((name, _rank(value)) for name, value in parsed.items()))
    return (_KINDS.get(kind, 4), _rank(parsed))


def _rank(value: Any) -> tuple[int, Any]:
    if isinstance(value, bool):
        return (2, value)
    if isinstance(value, (int, float)):
        return (0, value)
    return (1, value) if isinstance(value, str) else (3, json_text(value))


def element_path(element: str) -> str:
    """One element as in messages: ``.name``, ``[name="a"]``, ``[="x"]``, ``[3]``."""
    kind, content = element[:2], element[2:]
    if kind == "f:":
        return f".{content}"
    if kind == "k:":
        return "[" + ",".join(f"{name}={_shown(value)}" for name, value in json.loads(content).items()) + "]"
    return f"[={_shown(json.loads(content))}]" if kind == "v:" else f"[{content}]"


def _shown(value: Any) -> str:
    return go_quote(value) if isinstance(value, str) else json_text(value)


def path_text(path: tuple[str, ...]) -> str:
    """A path as in messages: ``.spec.containers[name="a"].image``."""
    return "".join(map(element_path, path))
