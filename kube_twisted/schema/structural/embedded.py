"""Validation of embedded resources (``x-kubernetes-embedded-resource``): they have a kind and sound metadata."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.api.metadata import validate_object_meta
from kube_twisted.api.names import dns1035_label, path_segment
from kube_twisted.schema.decode import DecodeError, decode
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.shown import shown
from kube_twisted.schema.types import Struct

_BAD_KIND = "may have mixed case, but should otherwise match: "


def validate_embedded(obj: Any, node: Structural, meta: Struct, path: str = "") -> list[FieldError]:
    """All that is wrong with the apiVersion, kind and metadata of objects embedded in a value.

    :param meta: the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
    :param path: where the value sits.
    """
    return list(_errors(path, obj, node, meta))


def _errors(path: str, value: Any, node: Structural | None, meta: Struct) -> Iterator[FieldError]:
    if node is None or not node.embedded_below:
        return
    if isinstance(value, dict):
        if node.embedded:
            yield from _resource_errors(f"{path}." if path else "", value, meta)
        for key, item in value.items():
            if key in node.properties:
                yield from _errors(f"{path}.{key}" if path else key, item, node.properties[key], meta)
            else:
                yield from _errors(f"{path}[{key}]", item, node.additional, meta)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _errors(f"{path}[{index}]", item, node.items, meta)


def _resource_errors(prefix: str, value: dict[str, Any], meta: Struct) -> Iterator[FieldError]:
    for key in ("apiVersion", "kind"):
        if key not in value:
            yield required(prefix + key)
    for key, check in (("apiVersion", _version_problem), ("kind", _kind_problem)):
        if key in value:
            problem = check(value[key])
            if problem:
                yield invalid(prefix + key, shown(value[key]), problem)
    if "metadata" in value:
        yield from _metadata_errors(f"{prefix}metadata", value["metadata"], meta)


def _version_problem(value: Any) -> str:
    if not isinstance(value, str):
        return "must be a string"
    if not value:
        return "must not be empty"
    try:
        GroupVersion.parse(value)
    except ValueError as error:
        return str(error)
    return ""


def _kind_problem(value: Any) -> str:
    if not isinstance(value, str):
        return "must be a string"
    if not value:
        return "must not be empty"
    messages = dns1035_label(value.lower())
    return _BAD_KIND + ",".join(messages) if messages else ""


def _metadata_errors(path: str, value: Any, meta: Struct) -> list[FieldError]:
    """An embedded object needs no name, and may be in a namespace or not."""
    try:
        metadata = decode(meta, value)
    except DecodeError as error:
        return [invalid(path, shown(value), str(error))]
    named = {**metadata, "name": metadata.get("name") or "fakename"}
    return validate_object_meta(named, bool(metadata.get("namespace")), path_segment, path)
