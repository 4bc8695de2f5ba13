"""Lists of tolerations as sets: what covers what, and unions without what is covered."""

from __future__ import annotations

from typing import Any

Toleration = dict[str, Any]


def merge_tolerations(first: list[Toleration], second: list[Toleration]) -> list[Toleration]:
    """Both lists, without tolerations that another one covers; of equal ones the first stays."""
    everything = first + second
    merged: list[Toleration] = []
    for position, one in enumerate(everything):
        if any(covers(other, one) for other in merged):
            continue
        if any(other != one and covers(other, one) for other in everything[position + 1:]):
            continue
        merged.append(one)
    return merged


def covers(wide: Toleration, narrow: Toleration) -> bool:
    """Whether ``wide`` tolerates all that ``narrow`` does."""
    if wide == narrow:
        return True
    key, operator, effect = wide.get("key", ""), wide.get("operator", ""), wide.get("effect", "")
    if narrow.get("key", "") != key and (key or operator != "Exists"):
        return False
    if effect and narrow.get("effect", "") != effect:
        return False
    if effect == "NoExecute" and not _lasts(wide, narrow):
        return False
    if operator in ("", "Equal"):
        return narrow.get("operator") == "Equal" and narrow.get("value", "") == wide.get("value", "")
    return bool(operator == "Exists")


def _lasts(wide: Toleration, narrow: Toleration) -> bool:
    limit = wide.get("tolerationSeconds")
    return limit is None or (narrow.get("tolerationSeconds") is not None and narrow["tolerationSeconds"] <= limit)
