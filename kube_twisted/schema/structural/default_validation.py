"""Validation of a schema's own defaults: each has to be a valid value where it stands.

CEL rules are not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from kube_twisted.api.field import FieldError, invalid, to_aggregate
from kube_twisted.api.jsonvalue import deep_copy, same
from kube_twisted.schema.structural.embedded import validate_embedded
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.objectmeta import InvalidMetadata, coerce_embedded
from kube_twisted.schema.structural.pruning import META_FIELDS, prune
from kube_twisted.schema.structural.shown import shown
from kube_twisted.schema.structural.validation import validate
from kube_twisted.schema.types import Struct

#: Puts a value into the object around it.
_Surround: TypeAlias = Callable[[Any], Any]


def validate_defaults(node: Structural, meta: Struct, path: str) -> list[FieldError]:
    """All that is wrong with the defaults in a schema.

    :param meta: the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
    :param path: where the schema sits, such as ``spec.versions[0].schema.openAPIV3Schema``.
    """
    return list(_below(node, meta, path, None, None))


def _below(node: Structural, meta: Struct, path: str, resource: Structural | None,
           surround: _Surround | None) -> Iterator[FieldError]:
    """``resource`` is the embedded resource whose metadata the node is in; ``surround`` makes all of that resource."""
    if node.items is not None:
        yield from _errors(node.items, meta, f"{path}.items", resource, surround and _in_list(surround))
    for key, child in node.properties.items():
        here = f"{path}.properties[{key}]"
        if surround is not None:
            yield from _errors(child, meta, here, resource, _in_field(key, surround))
        elif node.embedded and key in META_FIELDS:
            yield from _errors(child, meta, here, node, _in_field(key, dict))
        else:
            yield from _errors(child, meta, here, None, None)


def _in_list(surround: _Surround) -> _Surround:
    return lambda value: surround([value])


def _in_field(key: str, surround: _Surround) -> _Surround:
    return lambda value: surround({key: value})


def _errors(node: Structural, meta: Struct, path: str, resource: Structural | None,
            surround: _Surround | None) -> Iterator[FieldError]:
    if node.default is not None:
        if resource is not None and surround is not None:
            whole = {"apiVersion": "validation/v1", "kind": "Validation", **surround(deep_copy(node.default))}
            yield from _metadata_errors(node, meta, f"{path}.default", resource, whole)
        else:
            yield from _value_errors(node, meta, f"{path}.default")
    if node.embedded:
        resource = surround = None
    yield from _below(node, meta, path, resource, surround)


def _value_errors(node: Structural, meta: Struct, path: str) -> list[FieldError]:
    errors = []
    value = deep_copy(node.default)
    prune(value, node, is_resource=node.embedded)
    if not same(value, node.default):
        errors.append(invalid(path, shown(node.default), "must not have unknown fields"))
    value = deep_copy(node.default)
    try:
        coerce_embedded(value, node, meta, path=path)
    except InvalidMetadata as invalid_metadata:
        return [*errors, invalid_metadata.error]
    return errors + (validate_embedded(value, node, meta, path) or validate(value, node, path))


def _metadata_errors(node: Structural, meta: Struct, path: str, resource: Structural,
                     whole: dict[str, Any]) -> list[FieldError]:
    try:
        coerce_embedded(whole, resource, meta)
    except InvalidMetadata as error:
        return [invalid(path, shown(node.default), f"must result in valid metadata: {error}")]
    errors = validate_embedded(whole, resource, meta)
    if errors:
        return [invalid(path, shown(node.default), f"must result in valid metadata: {to_aggregate(errors)}")]
    return validate(node.default, node, path)
