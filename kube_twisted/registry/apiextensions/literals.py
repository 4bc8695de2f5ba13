"""Values of any kind inside of schemas: numbers in them are kept as Go's decoder reads them."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.apiextensions.walk import schemas

_KEYS = ("default", "enum", "example")
_LIMIT = 1 << 63


def normalize(spec: dict[str, Any]) -> None:
    """Bring the literal values in all schemas of a definition into the form that they are stored in, in place."""
    for version in spec.get("versions") or []:
        root = (version.get("schema") or {}).get("openAPIV3Schema")
        for one in schemas(root) if root is not None else ():
            for key in _KEYS:
                if one.get(key) is not None:
                    one[key] = literal(one[key])


def literal(value: Any) -> Any:
    """A whole number without a fraction, and one of more than 64 bits as a double."""
    if isinstance(value, dict):
        return {key: literal(one) for key, one in value.items()}
    if isinstance(value, list):
        return [literal(one) for one in value]
    if isinstance(value, float) and value.is_integer() and -_LIMIT <= value < _LIMIT:
        return int(value)
    if type(value) is int and not -_LIMIT <= value < _LIMIT:
        return float(value)
    return value
