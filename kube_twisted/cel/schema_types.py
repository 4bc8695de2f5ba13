"""From a structural schema to the types of the language.

Source: KEP-2876 and the API documentation of x-kubernetes-validations. What has no type in the schema, such as data
under x-kubernetes-preserve-unknown-fields, can't be reached by an expression.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kube_twisted.cel.declared import DeclaredType
from kube_twisted.cel.escaping import escape
from kube_twisted.cel.types import BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, list_of, map_of, struct

Schema = Mapping[str, Any]

#: The largest request in bytes; nothing in an object is larger.
MAX_REQUEST = 3 * 1024 * 1024
_INT_OR_STRING, _EMBEDDED = "x-kubernetes-int-or-string", "x-kubernetes-embedded-resource"
_TEXT = {"type": "string"}
_META = {"type": "object", "properties": {"name": _TEXT, "generateName": _TEXT}}
_SIMPLE = {"boolean": DeclaredType(BOOL, min_size=4), "number": DeclaredType(DOUBLE, min_size=1),
           "integer": DeclaredType(INT, min_size=1)}
#: format -> type, the fewest bytes, the most characters
_FORMATS = {"duration": (DURATION, 3, 32), "date": (TIMESTAMP, 12, 12), "date-time": (TIMESTAMP, 21, 32)}


def is_embedded(schema: Schema) -> bool:
    """Whether the schema is that of a whole resource inside of another."""
    return bool(schema.get(_EMBEDDED))


def with_metadata(schema: Schema) -> Schema:
    """The schema of a resource with what every resource has: kind, apiVersion, and the names in metadata."""
    properties = schema.get("properties") or {}
    names = (properties.get("metadata") or {}).get("properties") or {}
    texts = (properties.get("kind"), properties.get("apiVersion"), names.get("name"), names.get("generateName"))
    if (properties.get("metadata") or {}).get("type") == "object" and all(
            (one or {}).get("type") == "string" for one in texts):
        return schema
    return {**schema, "properties": {**properties, "kind": _TEXT, "apiVersion": _TEXT, "metadata": _META}}


def declared_type(schema: Schema | None, is_root: bool = False) -> DeclaredType | None:
    """The type of a value of the schema; None when expressions can't reach such values.

    :param is_root: the schema is that of a resource.
    """
    if schema is None:
        return None
    if schema.get(_INT_OR_STRING):
        return DeclaredType(DYN, min_size=1, max_elements=_max_text(schema))
    if is_root:
        schema = with_metadata(schema)
    kind = schema.get("type")
    if kind == "array":
        return _list(schema)
    if kind == "object":
        return _map(schema) if isinstance(schema.get("additionalProperties"), Mapping) else _object(schema)
    return _string(schema) if kind == "string" else _SIMPLE.get(kind or "")


def _limit(schema: Schema, name: str, otherwise: int) -> int:
    found = schema.get(name)
    return otherwise if found is None else max(found, 0)


def _list(schema: Schema) -> DeclaredType | None:
    items = schema.get("items")
    element = declared_type(items, is_embedded(items)) if items else None
    if element is None:
        return None
    most = _limit(schema, "maxItems", (MAX_REQUEST - 2) // (element.min_size + 1))
    return DeclaredType(list_of(element.type), element=element, max_elements=most)


def _map(schema: Schema) -> DeclaredType | None:
    values = schema["additionalProperties"]
    element = declared_type(values, is_embedded(values))
    if element is None:
        return None
    most = _limit(schema, "maxProperties", (MAX_REQUEST - 2) // (element.min_size + 6))
    return DeclaredType(map_of(STRING, element.type), key=DeclaredType(STRING), element=element, max_elements=most)


def _object(schema: Schema) -> DeclaredType:
    fields: dict[str, DeclaredType] = {}
    size = 2
    required = schema.get("required") or ()
    for name, held in (schema.get("properties") or {}).items():
        found = declared_type(held, is_embedded(held))
        if found is None:
            continue
        identifier = escape(name)
        if identifier is not None:
            fields[identifier] = found
        if name in required and held.get("default") is None:
            size += len(name.encode()) + found.min_size + 4
    return DeclaredType(struct("object"), fields=fields, min_size=size)


def _string(schema: Schema) -> DeclaredType:
    kind = schema.get("format")
    if kind in _FORMATS:
        found, least, most = _FORMATS[kind]
        return DeclaredType(found, min_size=least, max_elements=most)
    if kind == "byte":
        return DeclaredType(BYTES, max_elements=_limit(schema, "maxLength", MAX_REQUEST - 2))
    if schema.get("maxLength") is None and schema.get("enum"):
        most = max((len(one.encode()) for one in schema["enum"] if isinstance(one, str)), default=0)
        return DeclaredType(STRING, max_elements=most)
    return DeclaredType(STRING, max_elements=_max_text(schema))


def _max_text(schema: Schema) -> int:
    """A character takes up to four bytes."""
    found = schema.get("maxLength")
    return MAX_REQUEST - 2 if found is None else max(found, 0) * 4
