"""From client-side to server-side apply: what the last-applied annotation allows, and what it becomes."""

from __future__ import annotations

import json
from typing import Any

from kube_twisted.schema.apply.compare import compare
from kube_twisted.schema.apply.elements import ElementError, json_text
from kube_twisted.schema.apply.fieldset import FieldSet, difference
from kube_twisted.schema.apply.owned import owned
from kube_twisted.schema.apply.typecheck import misfits
from kube_twisted.schema.apply.versions import View

ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
#: Bytes that the keys and values of all annotations may have together.
ANNOTATIONS_LIMIT = 256 * 1024


def allowed_by_last_applied(view: View, live: dict[str, Any]) -> FieldSet | None:
    """The fields that still are as client-side apply last made them; None without a usable annotation."""
    text = _annotations(live.get("metadata")).get(ANNOTATION)
    if not text:
        return None
    try:
        last = json.loads(text)
        if not isinstance(last, dict) or last.get("apiVersion") != view.api_version or not last.get("kind"):
            return None
        if misfits(view.whole, live) or misfits(view.whole, last):
            return None
        changes = compare(view.whole, last, live)
        return difference(difference(owned(view.whole, last), changes.changed), changes.removed)
    except (ValueError, ElementError):
        return None


def renew_last_applied(metadata: dict[str, Any], patch: dict[str, Any]) -> None:
    """Where an object has the annotation, keep it in step with what kubectl applies now."""
    annotations = _annotations(metadata)
    if not annotations.get(ANNOTATION):
        return
    annotations[ANNOTATION] = _configuration(patch)
    size = sum(len(f"{key}{value or ''}".encode()) for key, value in annotations.items())
    if size > ANNOTATIONS_LIMIT:
        del annotations[ANNOTATION]


def _configuration(patch: dict[str, Any]) -> str:
    metadata = patch.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("annotations"), dict):
        annotations = {key: value for key, value in metadata["annotations"].items() if key != ANNOTATION}
        patch = {**patch, "metadata": {**metadata, "annotations": annotations}}
    return json_text(patch) + "\n"


def _annotations(metadata: Any) -> dict[str, Any]:
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    return annotations if isinstance(annotations, dict) else {}
