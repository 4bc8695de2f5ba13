"""What a patch made of an object's JSON, as an object again."""

from __future__ import annotations

from collections.abc import Container
from contextlib import suppress
from typing import Any

from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.codec.body import Decoded, internal_type, keep_reset, kind_of, scheme_of
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode
from kube_twisted.schema.unstructured import read


def decode_patched(patched: Any, expected: GroupVersionKind, schema: BuiltinSchema,
                   duplicates: list[str], relatives: Container[GroupVersionKind] = ()) -> Decoded:
    """Decode patched JSON, in the version that it names.

    :param duplicates: messages about duplicate fields of the patch.
    :param relatives: other versions of the kind, of which the caller can make the expected one.
    :raises ValueError: when it no longer is an object of the expected kind.
    """
    gvk = kind_of(patched, expected)
    if gvk != expected and gvk not in relatives:
        if schema.is_registered(gvk):
            with suppress(KeyError):  # there are kinds of which only the name is known
                decode(schema.kind(gvk), patched)
            raise ValueError(f"converting ({gvk.version}.{gvk.kind}) to ({internal_type(expected)}.{expected.kind}): "
                             "unknown conversion")
        raise ValueError(f'no kind {go_quote(gvk.kind)} is registered for version {go_quote(gvk.api_version)} '
                         f"in scheme {go_quote(scheme_of(expected.group))}")
    unknown: list[str] = []
    obj = decode(schema.kind(gvk), patched, unknown)
    return _decoded(patched, obj, gvk, (*duplicates, *unknown))


def read_merged(merged: Any, expected: GroupVersionKind, schema: BuiltinSchema, duplicates: list[str]) -> Decoded:
    """Read what a strategic merge or an apply made: it is of the expected kind, whatever it says itself.

    :param duplicates: messages about duplicate fields of the patch.
    :raises ValueError: when it does not fit the kind.
    """
    unknown: list[str] = []
    obj = read(schema.kind(expected), merged, unknown)
    return _decoded(merged, obj, expected, (*duplicates, *unknown))


def _decoded(patched: Any, obj: Obj, gvk: GroupVersionKind, complaints: tuple[str, ...]) -> Decoded:
    keep_reset(patched, obj)
    head = {"kind": gvk.kind, "apiVersion": gvk.api_version}
    return Decoded({**head, **obj, **head}, gvk, complaints)
