"""Schemas as the original server prints them in error messages: fields of Go structs, all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Convert = Callable[[Any], Any]


def go_validation(schema: dict[str, Any] | None) -> dict[str, Any] | None:
    """``CustomResourceValidation``."""
    if schema is None:
        return None
    props = schema.get("openAPIV3Schema")
    return {"OpenAPIV3Schema": None if props is None else go_schema(props)}


def go_schema(props: dict[str, Any]) -> dict[str, Any]:
    """``JSONSchemaProps``."""
    return {name: convert(props[key]) if props.get(key) is not None else zero
            for name, (key, zero, convert) in FIELDS.items()}


def go_rule(rule: dict[str, Any]) -> dict[str, Any]:
    """``ValidationRule``."""
    texts = {"Rule": "rule", "Message": "message", "MessageExpression": "messageExpression"}
    return {**{name: rule.get(key, "") for name, key in texts.items()}, "Reason": rule.get("reason"),
            "FieldPath": rule.get("fieldPath", ""), "OptionalOldSelf": rule.get("optionalOldSelf")}


def _same(value: Any) -> Any:
    return value


def _list(convert: Convert) -> Convert:
    return lambda values: [convert(one) for one in values]


def _map(convert: Convert) -> Convert:
    return lambda values: {key: convert(values[key]) for key in sorted(values)}


def _schema_or_array(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {"Schema": None, "JSONSchemas": [go_schema(one) for one in value]}
    return {"Schema": None if value is None else go_schema(value), "JSONSchemas": None}


def _schema_or_bool(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"Allows": value, "Schema": None}
    return {"Allows": True, "Schema": go_schema(value)}


def _schema_or_strings(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {"Schema": None, "Property": value}
    return {"Schema": None if value is None else go_schema(value), "Property": None}


def _documentation(value: dict[str, Any]) -> dict[str, Any]:
    return {"Description": value.get("description", ""), "URL": value.get("url", "")}


#: Go field -> (JSON field, what it is when absent, how its value is shown), in the order of the struct.
FIELDS: dict[str, tuple[str, Any, Convert]] = {
    "ID": ("id", "", _same),
    "Schema": ("$schema", "", _same),
    "Ref": ("$ref", None, _same),
    "Description": ("description", "", _same),
    "Type": ("type", "", _same),
    "Nullable": ("nullable", False, _same),
    "Format": ("format", "", _same),
    "Title": ("title", "", _same),
    "Default": ("default", None, _same),
    "Maximum": ("maximum", None, _same),
    "ExclusiveMaximum": ("exclusiveMaximum", False, _same),
    "Minimum": ("minimum", None, _same),
    "ExclusiveMinimum": ("exclusiveMinimum", False, _same),
    "MaxLength": ("maxLength", None, _same),
    "MinLength": ("minLength", None, _same),
    "Pattern": ("pattern", "", _same),
    "MaxItems": ("maxItems", None, _same),
    "MinItems": ("minItems", None, _same),
    "UniqueItems": ("uniqueItems", False, _same),
    "MultipleOf": ("multipleOf", None, _same),
    "Enum": ("enum", None, _same),
    "MaxProperties": ("maxProperties", None, _same),
    "MinProperties": ("minProperties", None, _same),
    "Required": ("required", None, _same),
    "Items": ("items", None, _schema_or_array),
    "AllOf": ("allOf", None, _list(go_schema)),
    "OneOf": ("oneOf", None, _list(go_schema)),
    "AnyOf": ("anyOf", None, _list(go_schema)),
    "Not": ("not", None, go_schema),
    "Properties": ("properties", None, _map(go_schema)),
    "AdditionalProperties": ("additionalProperties", None, _schema_or_bool),
    "PatternProperties": ("patternProperties", None, _map(go_schema)),
    "Dependencies": ("dependencies", None, _map(_schema_or_strings)),
    "AdditionalItems": ("additionalItems", None, _schema_or_bool),
    "Definitions": ("definitions", None, _map(go_schema)),
    "ExternalDocs": ("externalDocs", None, _documentation),
    "Example": ("example", None, _same),
    "XPreserveUnknownFields": ("x-kubernetes-preserve-unknown-fields", None, _same),
    "XEmbeddedResource": ("x-kubernetes-embedded-resource", False, _same),
    "XIntOrString": ("x-kubernetes-int-or-string", False, _same),
    "XListMapKeys": ("x-kubernetes-list-map-keys", None, _same),
    "XListType": ("x-kubernetes-list-type", None, _same),
    "XMapType": ("x-kubernetes-map-type", None, _same),
    "XValidations": ("x-kubernetes-validations", None, _list(go_rule)),
}
