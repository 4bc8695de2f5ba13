"""Metadata of custom objects, and of the objects embedded in them, read as ObjectMeta.

``meta`` is everywhere the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.schema.decode import DecodeError, decode
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.shown import shown
from kube_twisted.schema.types import Struct

Obj = dict[str, Any]

_UNKNOWN = 'unknown field "'


class InvalidMetadata(DecodeError):
    """A field of an embedded resource has a wrong type.

    :ivar error: which one, and what is wrong.
    """

    def __init__(self, error: FieldError) -> None:
        super().__init__(str(error))
        self.error = error


def coerce_metadata(obj: Obj, meta: Struct, *, drop_invalid: bool = False) -> list[str]:
    """Read the metadata of a whole object as ObjectMeta, in place: unknown fields go, the rest is canonical.

    :param drop_invalid: leave out fields of a wrong type, as is done with what is read from the store.
    :returns: the paths of the unknown fields.
    :raises DecodeError: for a wrong type; the message is the original's.
    """
    if "metadata" not in obj:
        return []
    metadata, unknown = _read(obj["metadata"], meta, drop_invalid)
    obj["metadata"] = metadata
    return [f"metadata.{one}" for one in unknown]


def coerce_embedded(obj: Any, node: Structural, meta: Struct, *, path: str = "",
                    drop_invalid: bool = False) -> list[str]:
    """Read the metadata of all objects embedded in a value, in place.

    :param path: where the value sits.
    :returns: the paths of unknown fields, sorted.
    :raises InvalidMetadata: for a wrong type.
    """
    unknown: list[str] = []
    _coerce(obj, node, path, meta, drop_invalid, unknown)
    return sorted(unknown)


def _coerce(value: Any, node: Structural | None, path: str, meta: Struct, drop_invalid: bool,
            unknown: list[str]) -> None:
    if node is None or not node.embedded_below:
        return
    if isinstance(value, dict):
        if node.embedded:
            _coerce_resource(value, path, meta, drop_invalid, unknown)
        for key, item in value.items():
            if key in node.properties:
                _coerce(item, node.properties[key], f"{path}.{key}" if path else key, meta, drop_invalid, unknown)
            else:
                _coerce(item, node.additional, f"{path}[{key}]", meta, drop_invalid, unknown)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _coerce(item, node.items, f"{path}[{index}]", meta, drop_invalid, unknown)


def _coerce_resource(value: Obj, path: str, meta: Struct, drop_invalid: bool, unknown: list[str]) -> None:
    prefix = f"{path}." if path else ""
    for key in ("apiVersion", "kind"):
        if key not in value or isinstance(value[key], str):
            continue
        if not drop_invalid:
            raise InvalidMetadata(invalid(prefix + key, shown(value[key]), "must be a string"))
        del value[key]
    if "metadata" not in value:
        return
    try:
        value["metadata"], found = _read(value["metadata"], meta, drop_invalid)
    except DecodeError as error:
        if not drop_invalid:
            raise InvalidMetadata(invalid(f"{prefix}metadata", shown(value["metadata"]), str(error))) from None
        return
    unknown += [f"{prefix}metadata.{one}" for one in found]


def _read(value: Any, meta: Struct, drop_invalid: bool) -> tuple[Obj, list[str]]:
    """The canonical metadata and the names of unknown fields."""
    messages: list[str] = []
    try:
        result = decode(meta, value, messages)
    except DecodeError:
        if not drop_invalid or not isinstance(value, dict):
            raise
        messages.clear()
        result = decode(meta, {key: item for key, item in value.items() if _is_readable(key, item, meta)}, messages)
    return result, [one.removeprefix(_UNKNOWN).removesuffix('"') for one in messages if one.startswith(_UNKNOWN)]


def _is_readable(key: str, item: Any, meta: Struct) -> bool:
    try:
        decode(meta, {key: item})
    except DecodeError:
        return False
    return True
