"""Warnings about the spec of a claim or claim template."""

from __future__ import annotations

from typing import Any

from kube_twisted.registry.podspec.quantities import has_fraction

Obj = dict[str, Any]


def claim_warnings(path: str, spec: Obj) -> list[str]:
    """Fractions of bytes are not what they seem."""
    resources = spec.get("resources") or {}
    warnings = []
    for kind in ("requests", "limits"):
        text = (resources.get(kind) or {}).get("storage")
        if text is not None and has_fraction(text):
            warnings.append(f'{path}.resources.{kind}[storage]: fractional byte value "{text}" is invalid, '
                            "must be an integer")
    return warnings
