"""What a conversion webhook may change: not what an object is, and of its metadata only labels and annotations."""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.api.field import FieldError, to_aggregate
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.api.jsonvalue import go_type, json_kind
from kube_twisted.api.labels import validate_labels
from kube_twisted.api.metadata import validate_annotations

Obj = dict[str, Any]
_SAME = (("name", "name"), ("namespace", "namespace"), ("UID", "uid"))


class InvalidObject(ValueError):
    """The webhook gave something that can't be the object; the text goes on after the webhook's name."""


def checked(original: Obj, converted: Any, to: GroupVersion, index: int) -> Obj:
    """The converted object, with the original's metadata but for labels and annotations.

    :param index: where it was in the webhook's answer.
    :raises ValueError: when it isn't an object of the API. :raises InvalidObject: when it isn't the same object.
    """
    _check_is_object(converted)
    received = _group_version(converted)
    if received != to:
        raise InvalidObject(f"returned invalid object at index {index}: invalid groupVersion "
                            f"(expected {to}, received {received})")
    if converted["kind"] != original.get("kind"):
        raise InvalidObject(f"returned invalid object at index {index}: invalid kind "
                            f"(expected {original.get('kind')}, received {converted['kind']})")
    for word, name in _SAME:
        wanted, got = _meta(original, name), _meta(converted, name)
        if wanted != got:
            raise InvalidObject(f"returned invalid object: must have the same {word}: {wanted} != {got}")
    try:
        return {**converted, "metadata": _metadata(original, converted)}
    except ValueError as error:
        raise InvalidObject(f"returned invalid metadata: {error}") from None


def _check_is_object(value: Any) -> None:
    if value is None:
        raise ValueError("unexpected end of JSON input")
    if not isinstance(value, dict):
        raise ValueError(f"json: cannot unmarshal {json_kind(value)} into Go value of type unstructured.detector")
    if not isinstance(value.get("kind"), str) or not value["kind"]:
        raise ValueError(f"Object 'Kind' is missing in '{orjson.dumps(value).decode()}'")


def _group_version(obj: Obj) -> GroupVersion:
    api_version = obj.get("apiVersion")
    try:
        return GroupVersion.parse(api_version if isinstance(api_version, str) else "")
    except ValueError:
        return GroupVersion("", "")


def _meta(obj: Obj, name: str) -> str:
    metadata = obj.get("metadata")
    value = metadata.get(name) if isinstance(metadata, dict) else None
    return value if isinstance(value, str) else ""


def _metadata(original: Obj, converted: Obj) -> Obj:
    """
    :raises ValueError: when labels or annotations are no good.
    """
    if "metadata" not in converted:
        raise ValueError("missing metadata in converted object")
    given = converted["metadata"]
    if not isinstance(given, dict):
        raise ValueError(f"invalid metadata of type {_type(given)} in converted object")
    metadata = dict(original.get("metadata") or {})
    for name in ("labels", "annotations"):
        texts = given.get(name)
        if texts is None:
            metadata.pop(name, None)
            continue
        _check_texts(name, texts, metadata.get(name))
        metadata[name] = texts
    return metadata


def _check_texts(name: str, texts: Any, before: Any) -> None:
    """Labels or annotations; what was there before is not judged again."""
    if not isinstance(texts, dict):
        raise ValueError(f"invalid metadata.{name} of type {_type(texts)} in converted object")
    for key, value in texts.items():
        if not isinstance(value, str):
            raise ValueError(f"metadata.{name}[{key}] must be a string, but is {_type(value)} in converted object")
    if texts == (before or {}):
        return
    errors: list[FieldError]
    if name == "labels":
        errors = validate_labels(texts, "metadata.labels")
    else:
        errors = validate_annotations(texts, "metadata.annotation")
    if errors:
        raise ValueError(to_aggregate(errors))


def _type(value: Any) -> str:
    return "<nil>" if value is None else go_type(value)
