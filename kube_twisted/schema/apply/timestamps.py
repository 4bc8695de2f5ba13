"""A write that changes nothing but the times of ``managedFields`` changes nothing."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.apply.managed import Entry


def keep_times(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Put the old times back if the objects are equal otherwise, so that storing ``new`` is no change.

    Called after admission, before the object is stored. Equality is that of decoded objects.
    """
    before, after = _entries(old), _entries(new)
    if not after or len(before) != len(after) or before == after:
        return
    if any(_timeless(one) != _timeless(other) for one, other in zip(before, after, strict=True)):
        return
    restored = {**new, "metadata": {**new["metadata"], "managedFields": before}}
    if restored == old:
        new["metadata"]["managedFields"] = before


def _entries(obj: dict[str, Any]) -> list[Entry]:
    return obj.get("metadata", {}).get("managedFields") or []


def _timeless(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if key != "time"}
