"""Which storage class a PersistentVolumeClaim names, in its field or in the annotation of old."""

from __future__ import annotations

from typing import Any

#: How claims named their class before the field was there.
CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


def has_class(claim: dict[str, Any]) -> bool:
    """Whether it names one; an empty name is one."""
    return "storageClassName" in claim["spec"] or CLASS_ANNOTATION in (claim["metadata"].get("annotations") or {})


def class_of(claim: dict[str, Any]) -> str:
    """The name of the class, or empty text; the annotation wins over the field."""
    annotations = claim["metadata"].get("annotations") or {}
    return str(annotations.get(CLASS_ANNOTATION, claim["spec"].get("storageClassName", "")))
