"""``managedFields`` between a resource and its scale subresource, which share the one field ``replicas``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from attrs import evolve

from kube_twisted.schema.apply.fieldset import Path, difference, field_path, from_paths, has
from kube_twisted.schema.apply.managed import Entry, Managed, Owned, decode, encode

SCALE_VERSION = "autoscaling/v1"
REPLICAS_IN_SCALE = field_path("spec", "replicas")

#: Version of the resource to where it keeps replicas, such as ``field_path("spec", "replicas")``; None if it
#: has no scale in that version.
ReplicasPaths: TypeAlias = Mapping[str, Path | None]


def to_scale(entries: list[Entry] | None, replicas: ReplicasPaths) -> list[Entry]:
    """The entries of a Scale: the managers of the resource that own its replicas.

    :raises FieldsError: for a malformed entry.
    """
    found: Managed = {}
    for identity, owned in decode(entries).items():
        path = replicas.get(owned.api_version)
        if path is not None and has(owned.fields, path):
            found[identity] = Owned(from_paths([REPLICAS_IN_SCALE]), SCALE_VERSION, owned.time)
    return encode(found)


def from_scale(entries: list[Entry] | None, scale_entries: list[Entry] | None, api_version: str,
               replicas: ReplicasPaths) -> list[Entry]:
    """The entries of the resource after a write to its Scale.

    Who owns replicas in the Scale owns them in the resource, in ``api_version``; others no longer do. As in
    the original, new owners have no time, and entries of versions not in ``replicas`` are dropped.

    :param entries: those of the resource before the write.
    :raises FieldsError: for a malformed entry.
    """
    before, scaled = decode(entries), decode(scale_entries)
    result = _without_lost_replicas(before, scaled, replicas)
    target = replicas.get(api_version)
    for identity, owned in scaled.items():
        if identity not in result and target is not None and has(owned.fields, REPLICAS_IN_SCALE):
            time = before[identity].time if identity in before else None
            result[identity] = Owned(from_paths([target]), api_version, time)
    return encode(result)


def _without_lost_replicas(before: Managed, scaled: Managed, replicas: ReplicasPaths) -> Managed:
    """The sets of the resource, where those who do not own the scale's replicas lose theirs."""
    result: Managed = {}
    for identity, owned in before.items():
        if owned.api_version not in replicas:
            continue
        path = replicas[owned.api_version]
        left = owned.fields
        if path is not None and identity not in scaled:
            left = difference(left, from_paths([path]))
        if left:
            result[identity] = owned if left is owned.fields else evolve(owned, fields=left)
    return result
