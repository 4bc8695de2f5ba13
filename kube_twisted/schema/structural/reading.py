"""Reads a custom object, sent or stored, as its schema wants it: what Go's decoder does for built-in kinds."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.structural.defaulting import prune_nulls
from kube_twisted.schema.structural.model import Structural
from kube_twisted.schema.structural.objectmeta import coerce_embedded, coerce_metadata
from kube_twisted.schema.structural.pruning import prune
from kube_twisted.schema.types import Struct


def read(obj: dict[str, Any], node: Structural, meta: Struct, *, stored: bool = False,
         prunes: bool = True) -> list[str]:
    """Bring metadata into its canonical form, and drop unknown fields and nulls; in place. Defaulting comes after.

    :param meta: the struct of ``io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta``.
    :param stored: the object comes from the store: metadata of a wrong type is dropped, and a missing generation is 1.
    :param prunes: whether unknown fields are dropped; definitions from before v1 may keep them.
    :returns: the paths of unknown fields, in the order of strict decoding's errors.
    :raises DecodeError: for metadata of a wrong type; the message is the original's.
    """
    unknown = coerce_metadata(obj, meta, drop_invalid=stored)
    if prunes:
        unknown += prune(obj, node, is_resource=True)
        prune_nulls(obj, node)
    unknown += coerce_embedded(obj, node, meta, drop_invalid=stored)
    metadata = obj.get("metadata")
    if stored and isinstance(metadata, dict) and not metadata.get("generation"):
        metadata["generation"] = 1
    return unknown
