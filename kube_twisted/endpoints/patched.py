"""What a patch made of an object's JSON, as an object again."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.codec.body import Decoded, keep_reset, kind_of
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode

_SCHEME = "k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"


def decode_patched(patched: Any, expected: GroupVersionKind, schema: BuiltinSchema,
                   duplicates: list[str]) -> Decoded:
    """Decode patched JSON.

    :param duplicates: messages about duplicate fields of the patch.
    :raises ValueError: when it no longer is an object of the expected kind.
    """
    gvk = kind_of(patched, expected)
    if gvk != expected:
        if schema.is_registered(gvk):
            raise ValueError(f"unable to decode {gvk.api_version}, Kind={gvk.kind} into "
                             f"{expected.api_version}, Kind={expected.kind}")
        raise ValueError(f'no kind {go_quote(gvk.kind)} is registered for version {go_quote(gvk.api_version)} '
                         f"in scheme {go_quote(_SCHEME)}")
    unknown: list[str] = []
    obj = decode(schema.kind(expected), patched, unknown)
    keep_reset(patched, obj)
    return Decoded({"kind": expected.kind, "apiVersion": expected.api_version, **obj}, expected,
                   (*duplicates, *unknown))
