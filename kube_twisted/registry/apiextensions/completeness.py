"""What a value validation talks about is also specified outside of it."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, required
from kube_twisted.registry.apiextensions.walk import Schema


def validate_completeness(path: str, schema: Schema) -> list[FieldError]:
    return _of_values(schema, schema, path, path)


def _of_values(values: Schema, schema: Schema, path: str, values_path: str) -> list[FieldError]:
    errors = []
    if "not" in values:
        errors += _of_clause(values["not"], schema, path, f"{values_path}.not")
    for key in ("allOf", "anyOf", "oneOf"):
        for index, clause in enumerate(values.get(key) or []):
            errors += _of_clause(clause, schema, path, f"{values_path}.{key}[{index}]")
    return errors


def _of_clause(clause: Schema, schema: Schema | None, path: str, clause_path: str) -> list[FieldError]:
    if schema is None:
        return [required(path, f"because it is defined in {clause_path}")]
    errors = _of_values(clause, schema, path, clause_path)
    if clause.get("items") is not None:
        errors += _of_clause(clause["items"], schema.get("items"), f"{path}.items", f"{clause_path}.items")
    specified = schema.get("properties") or {}
    for key, value in (clause.get("properties") or {}).items():
        step = f".properties[{key}]"
        errors += _of_clause(value, specified.get(key), path + step, clause_path + step)
    return errors
