"""``format`` values that a schema may have and the server checks; others are allowed but warned about."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.apiextensions.walk import Schema, schemas

#: Formats of strings, dashes left out.
STRING_FORMATS = frozenset((
    "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4",
    "uuid5",
    "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date",
    "duration",
    "datetime", "k8sshortname", "k8slongname",
))
NUMBER_FORMATS = {"integer": ("int32", "int64"), "number": ("float", "double")}


def unrecognized(spec: dict[str, Any]) -> list[str]:
    """Formats in any version's schema that mean nothing to the server, in the order found."""
    roots = [one["schema"]["openAPIV3Schema"] for one in spec.get("versions") or []
             if (one.get("schema") or {}).get("openAPIV3Schema") is not None]
    found = [one["format"] for root in roots for one in schemas(root) if one.get("format")
             and not _is_known(one)]
    return list(dict.fromkeys(found))


def _is_known(schema: Schema) -> bool:
    kind, name = schema.get("type", ""), schema["format"]
    if kind in ("", "string"):
        return name.replace("-", "") in STRING_FORMATS
    return name in NUMBER_FORMATS.get(kind, ())
