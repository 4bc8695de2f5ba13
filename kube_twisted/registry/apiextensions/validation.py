"""A version's schema as a whole: the rules of its root, then structure and defaults, keywords, and its CEL rules."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid
from kube_twisted.registry.apiextensions import structural, unsupported
from kube_twisted.registry.apiextensions.go_schema import FIELDS, go_schema
from kube_twisted.registry.apiextensions.keywords import validate_keywords
from kube_twisted.registry.apiextensions.strictness import Strictness
from kube_twisted.registry.apiextensions.walk import Schema
from kube_twisted.schema.structural.model import compile_schema
from kube_twisted.schema.types import Struct

#: What may stand at the root when ``/status`` is served from ``properties.status`` alone.
_ROOT_FIELDS = ("Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum",
                "ExclusiveMinimum", "MaxLength", "MinLength", "Pattern", "MaxItems", "MinItems",
                "UniqueItems",
                "MultipleOf", "Required", "Items", "Properties", "ExternalDocs", "Example",
                "XPreserveUnknownFields", "XValidations")
_ROOT_TYPE = ('only "object" is allowed as the type at the root of the schema if the status subresource '
              "is enabled")
_ROOT_OTHERS = (f"only [{' '.join(_ROOT_FIELDS)}] fields are allowed at the root of the schema if the status "
                "subresource is enabled")


def validate_schema(path: str, validation: dict[str, Any] | None, has_status: bool, strictness: Strictness,
                    meta: Struct) -> list[FieldError]:
    """All that is wrong with one schema.

    :param validation: holds the schema under ``openAPIV3Schema``.
    :param has_status: whether the status subresource is on.
    :param meta: the type of metadata.
    """
    schema = (validation or {}).get("openAPIV3Schema")
    if schema is None:
        return []
    # only servers that have definitions pay for the expression language
    from kube_twisted.cel import definition_rules
    from kube_twisted.schema.structural.default_validation import validate_defaults

    path = f"{path}.openAPIV3Schema"
    errors = _validate_root(path, schema) if has_status else []
    if schema.get("nullable"):
        errors.append(forbidden(f"{path}.nullable", "nullable cannot be true at the root"))
    reason = unsupported.find(schema)
    wrong = [] if reason is not None else structural.validate(path, schema) or validate_defaults(
        compile_schema(schema), meta, path, require_pruned=strictness.pruned_defaults)
    keywords = validate_keywords(path, schema, strictness)
    errors += wrong + keywords
    if reason is None and not wrong:
        errors += definition_rules.validate_rules(path, schema, lambda place: _has_errors(place, keywords),
                                                  limit_each=strictness.cheap_rules)
    if reason is not None and not errors:
        errors.append(invalid(path, "", reason))
    return errors


def _has_errors(place: str, errors: list[FieldError]) -> bool:
    """Whether something is wrong with the schema at a place, or with one inside of it."""
    return any(one.field == place or one.field.startswith((f"{place}.", f"{place}[")) for one in errors)


def _validate_root(path: str, schema: Schema) -> list[FieldError]:
    for name, (key, zero, _) in FIELDS.items():
        if schema.get(key, zero) == zero:
            continue
        if name == "Type" and schema["type"] != "object":
            return [invalid(f"{path}.type", schema["type"], _ROOT_TYPE)]
        if name not in _ROOT_FIELDS:
            return [invalid(path, go_schema(schema), _ROOT_OTHERS)]
    return []
