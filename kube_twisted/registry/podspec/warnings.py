"""Warnings about a pod or pod template that is valid but probably not meant so."""

from __future__ import annotations

from typing import Any

Obj = dict[str, Any]


def pod_warnings(pod: Obj, path: str = "") -> list[str]:
    """Warnings for a pod, or for a template at ``path``.

    :param pod: what has ``metadata`` and ``spec``.
    """
    return []
