"""Several reasons as one text."""

from __future__ import annotations

from collections.abc import Iterable


def joined(reasons: Iterable[object]) -> str:
    """Each reason once, in brackets when there are several; empty without any."""
    texts = tuple(dict.fromkeys(map(str, reasons)))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]" if texts else ""
