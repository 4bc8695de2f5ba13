"""Removing what an applier no longer applies and nobody else owns."""

from __future__ import annotations

from kube_twisted.schema.apply.fieldset import FieldSet, difference, intersection, union
from kube_twisted.schema.apply.managed import Managed, Owned
from kube_twisted.schema.apply.merge import remove
from kube_twisted.schema.apply.owned import owned, with_named_fields
from kube_twisted.schema.apply.plan import MapNode
from kube_twisted.schema.apply.versions import Object, Versions


def prune(versions: Versions, merged: Object, managed: Managed, last: Owned) -> Object:
    """The merged object without what ``last`` owned, the new sets do not, and nobody else does.

    :param managed: all sets, the new one of the applier among them.
    """
    start = versions.at(merged, last.api_version)
    if start is None:
        return merged
    node, base = start[0].whole, start[1]
    pruned = remove(node, base, with_named_fields(node, last.fields))
    pruned = _add_back_owned(versions, base, pruned, managed, last.api_version)
    back = versions.at(pruned, last.api_version)
    if back is None:
        return merged
    gone = difference(_completed(node, base), _completed(node, back[1]))
    result = remove(node, base, intersection(gone, with_named_fields(node, last.fields)))
    final = versions.at(result, versions.own.api_version)
    return merged if final is None else final[1]


def _add_back_owned(versions: Versions, merged: Object, pruned: Object, managed: Managed,
                    first: str) -> Object:
    """What somebody owns comes back, in each of the versions in which somebody owns something."""
    for api_version, fields in _by_version(managed, first).items():
        whole, reduced = versions.at(merged, api_version), versions.at(pruned, api_version)
        if whole is None or reduced is None:
            continue
        node, merged, pruned = whole[0].whole, whole[1], reduced[1]
        kept = union(_completed(node, pruned), with_named_fields(node, fields))
        pruned = remove(node, merged, difference(_completed(node, merged), kept))
    return pruned


def _by_version(managed: Managed, first: str) -> dict[str, FieldSet]:
    sets: dict[str, FieldSet] = {first: {}}
    for one in managed.values():
        sets[one.api_version] = union(sets.get(one.api_version, {}), one.fields)
    return sets


def _completed(node: MapNode, obj: Object) -> FieldSet:
    return with_named_fields(node, owned(node, obj))
