"""Which of several StorageClasses or IngressClasses is the default."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def newest_default(classes: Sequence[dict[str, Any]], annotations: Iterable[str]) -> str:
    """The name of the newest class with one of the annotations set to ``true``, or empty text.

    Of several made in the same second, the first by name.
    """
    marked = [one["metadata"] for one in classes
              if any((one["metadata"].get("annotations") or {}).get(key) == "true" for key in annotations)]
    if not marked:
        return ""
    newest = max(meta.get("creationTimestamp", "") for meta in marked)
    return min(str(meta["name"]) for meta in marked if meta.get("creationTimestamp", "") == newest)
