"""JSON merge patch (RFC 7386).

Lists are replaced as a whole. Members of objects inside what is newly added are dropped when they are null; nulls in
lists stay.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.errors import StatusError, bad_request
from kube_twisted.api.jsonvalue import deep_copy, json_kind


def apply(document: dict[str, Any], patch: Any, lenient: bool = False) -> Any:
    """The patched document; the arguments stay as they are. Parts that are not patched are shared with the document.

    :param lenient: a list takes the document's place.
    :raises StatusError: 400 when the patch is no object.
    """
    if lenient and isinstance(patch, list):
        return _without_nulls(patch)
    if patch is None or (lenient and not isinstance(patch, dict)):
        raise invalid_patch()
    if not isinstance(patch, dict):
        raise bad_request(f"error decoding patch: json: cannot unmarshal {json_kind(patch)} into Go value of "
                          "type map[string]interface {}")
    return _merged(document, patch)


def invalid_patch() -> StatusError:
    """400 for what is no JSON, or no value that can be merged."""
    return bad_request("Invalid JSON Patch")


def _merged(document: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    merged = document.copy()
    for key, value in patch.items():
        current = document.get(key)
        if value is None:
            merged.pop(key, None)
        elif not isinstance(current, dict):
            merged[key] = _without_nulls(value)
        elif isinstance(value, dict):
            merged[key] = _merged(current, value)
        else:
            merged[key] = deep_copy(value)
    return merged


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [_without_nulls(one) for one in value]
    return value
