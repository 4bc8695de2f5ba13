"""Parts of a version besides its schema: subresources, printer columns, selectable fields, deprecation."""

from __future__ import annotations

import unicodedata
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, required, too_many
from kube_twisted.cel import field_path
from kube_twisted.registry.apiextensions.walk import Schema

COLUMN_TYPES = ("boolean", "date", "integer", "number", "string")
COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")
MAX_SELECTABLE_FIELDS = 8
_SELECTABLE = ("must point to a field of type string, boolean or integer. Enum string fields and strings "
               "with formats are allowed.")


def validate_deprecation(path: str, version: dict[str, Any]) -> list[FieldError]:
    text = version.get("deprecationWarning")
    if text is None:
        return []
    if not version.get("deprecated"):
        return [invalid(path, text, "can only be set for deprecated versions")]
    errors = []
    if len(text.encode()) > 256:
        errors.append(invalid(path, text, "must be <= 256 characters long"))
    if not text:
        errors.append(invalid(path, text, "must not be an empty string"))
    return errors + _validate_printable(path, text)


def _validate_printable(path: str, text: str) -> list[FieldError]:
    index = 0
    for character in text:
        if unicodedata.category(character)[0] in "CZ" and character != " ":
            detail = f"non-printable character found at index {index}"
            return [invalid(path, text, f"must only contain printable UTF-8 characters; {detail}")]
        index += len(character.encode())
    return []


def validate_subresources(path: str, subresources: dict[str, Any] | None) -> list[FieldError]:
    """Paths to the counts that ``/scale`` shows are under spec and status."""
    scale = (subresources or {}).get("scale")
    if scale is None:
        return []
    errors = []
    for key, root in (("specReplicasPath", ".spec"), ("statusReplicasPath", ".status")):
        text = scale.get(key, "")
        errors += _validate_path_under(f"{path}.scale.{key}", text, root) if text else \
            [required(f"{path}.scale.{key}")]
    selector = scale.get("labelSelectorPath")
    if selector:
        errors += _validate_selector_path(f"{path}.scale.labelSelectorPath", selector)
    return errors


def _validate_path_under(path: str, text: str, root: str) -> list[FieldError]:
    errors = _validate_simple_path(path, text)
    if not errors and not text.startswith(f"{root}."):
        errors.append(invalid(path, text, f"should be a json path under {root}"))
    return errors


def _validate_selector_path(path: str, text: str) -> list[FieldError]:
    errors = _validate_simple_path(path, text)
    if not errors and not text.startswith((".spec.", ".status.")):
        errors.append(invalid(path, text, "should be a json path under either .spec or .status"))
    return errors


def _validate_simple_path(path: str, text: str) -> list[FieldError]:
    return [] if text.startswith(".") else [invalid(path, text, "must be a simple json path starting with .")]


def validate_columns(path: str, columns: list[dict[str, Any]] | None) -> list[FieldError]:
    return [error for index, column in enumerate(columns or [])
            for error in _validate_column(f"{path}[{index}]", column)]


def _validate_column(path: str, column: dict[str, Any]) -> list[FieldError]:
    errors = [] if column.get("name") else [required(f"{path}.name")]
    of_types = f"must be one of {','.join(COLUMN_TYPES)}"
    if not column.get("type"):
        errors.append(required(f"{path}.type", of_types))
    elif column["type"] not in COLUMN_TYPES:
        errors.append(invalid(f"{path}.type", column["type"], of_types))
    if column.get("format") and column["format"] not in COLUMN_FORMATS:
        errors.append(invalid(f"{path}.format", column["format"],
                              f"must be one of {','.join(COLUMN_FORMATS)}"))
    if not column.get("jsonPath"):
        return [*errors, required(f"{path}.JSONPath")]
    return errors + _validate_simple_path(f"{path}.JSONPath", column["jsonPath"])


def validate_selectable_fields(path: str, fields: list[dict[str, Any]], schema: Schema,
                               any_number: bool) -> list[FieldError]:
    """Each leads to a scalar outside metadata, none twice, not too many."""
    errors: list[FieldError] = []
    seen: set[tuple[str, ...]] = set()
    for index, one in enumerate(fields):
        errors += _validate_selectable(f"{path}[{index}].jsonPath", one.get("jsonPath", ""), schema, seen)
    if len(seen) > MAX_SELECTABLE_FIELDS and not any_number:
        errors.append(too_many(path, len(seen), MAX_SELECTABLE_FIELDS))
    return errors


def _validate_selectable(path: str, text: str, schema: Schema,
                         seen: set[tuple[str, ...]]) -> list[FieldError]:
    if not text:
        return [required(path)]
    try:
        steps, found = field_path.resolve(text, schema, brackets=False)
    except field_path.BadPath as error:
        return [invalid(path, text, f"is an invalid path: {error}")]
    errors = []
    if steps[:1] == ("metadata",):
        errors.append(invalid(path, text, "must not point to fields in metadata"))
    if found.get("type") not in ("string", "boolean", "integer"):
        errors.append(invalid(path, text, _SELECTABLE))
    if steps in seen:
        errors.append(duplicate(path, text))
    seen.add(steps)
    return errors
