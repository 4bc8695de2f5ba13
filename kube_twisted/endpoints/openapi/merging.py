"""OpenAPI v2 documents of other servers, made part of this server's document.

Source of the rules: the package ``aggregator`` of kube-openapi: of two definitions with one name but different texts
the second one is renamed, of two paths the first one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

_SECTIONS = ("definitions", "parameters")
_REFERENCE = "#/{}/"

Document = dict[str, Any]


def part_below(document: Mapping[str, Any], prefix: str) -> Document:
    """The paths below a prefix, with all that they refer to.

    :raises ValueError: when it isn't an OpenAPI v2 document.
    """
    try:
        paths = {path: item for path, item in (document.get("paths") or {}).items() if path.startswith(prefix)}
        part: Document = {"paths": paths, "definitions": {}, "parameters": {}}
        waiting = list(references(paths))
        while waiting:
            section, name = waiting.pop()
            if name not in part[section] and name in (document.get(section) or {}):
                part[section][name] = document[section][name]
                waiting += references(part[section][name])
    except (AttributeError, TypeError) as error:
        raise ValueError(f"not an OpenAPI v2 document: {error!r}") from error
    return part


def merged(document: Document, parts: Iterable[Document]) -> Document:
    """The document with the parts, which may share what they have in common."""
    result = {**document, **{key: dict(document.get(key) or {}) for key in ("paths", *_SECTIONS)}}
    for part in parts:
        part = _renamed(part, _new_names(result, part))
        for section in _SECTIONS:
            result[section] = part[section] | result[section]
        result["paths"] = part["paths"] | result["paths"]
    return {**result, **{key: dict(sorted(result[key].items())) for key in ("paths", *_SECTIONS)}}


def references(value: Any) -> set[tuple[str, str]]:
    """Section and name of all that something refers to."""
    found: set[tuple[str, str]] = set()

    def note(reference: str) -> str:
        for section in _SECTIONS:
            start = _REFERENCE.format(section)
            if reference.startswith(start):
                found.add((section, reference[len(start):]))
        return reference

    _replaced(value, note)
    return found


def _new_names(document: Document, part: Document) -> dict[tuple[str, str], str]:
    """What must be called otherwise, because the document has another thing of that name."""
    names = {}
    for section in _SECTIONS:
        for name, value in part[section].items():
            if document[section].get(name, value) != value:
                number = 2
                while document[section].get(f"{name}_v{number}", value) != value:
                    number += 1
                names[section, name] = f"{name}_v{number}"
    return names


def _renamed(part: Document, names: Mapping[tuple[str, str], str]) -> Document:
    if not names:
        return part
    changed = {_REFERENCE.format(section) + name: _REFERENCE.format(section) + new
               for (section, name), new in names.items()}
    part = _replaced(part, lambda reference: changed.get(reference, reference))
    return {"paths": part["paths"], **{
        section: {names.get((section, name), name): value for name, value in part[section].items()}
        for section in _SECTIONS}}


def _replaced(value: Any, replace: Callable[[str], str]) -> Any:
    """A copy with other references."""
    if isinstance(value, dict):
        return {key: replace(one) if key == "$ref" and isinstance(one, str) else _replaced(one, replace)
                for key, one in value.items()}
    if isinstance(value, list):
        return [_replaced(one, replace) for one in value]
    return value
