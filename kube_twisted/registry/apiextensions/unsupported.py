"""Keywords of JSON Schema that no structural schema can have."""

from __future__ import annotations

from kube_twisted.registry.apiextensions.walk import Schema, schemas

_KEYWORDS = {"id": "id", "$schema": "schema", "$ref": "$ref", "patternProperties": "patternProperties",
             "dependencies": "dependencies", "additionalItems": "additionalItems",
             "definitions": "definitions"}
_PRESERVE = "x-kubernetes-preserve-unknown-fields"


def find(schema: Schema) -> str | None:
    """Why the schema cannot be structural, or None when it can be."""
    for one in schemas(schema):
        for key, name in _KEYWORDS.items():
            if one.get(key) or (key == "additionalItems" and key in one):
                return f"OpenAPIV3Schema '{name}' is not supported"
        if one.get(_PRESERVE) is False:
            return f"internal error: '{_PRESERVE}' must be true or undefined"
        if isinstance(one.get("items"), list) and one["items"]:
            return "OpenAPIV3Schema 'items' must be a schema, but is an array"
    return None
