"""How plugins refuse: 403 that names the object, also while it has only a generateName."""

from __future__ import annotations

from typing import Any

from kube_twisted.admission.attributes import Attributes
from kube_twisted.api import errors


def forbidden(attributes: Attributes, why: str, causes: list[dict[str, Any]] | None = None) -> errors.StatusError:
    """A 403 about the object that is written; ``why`` follows its name."""
    return errors.forbidden(attributes.resource.group_resource, shown_name(attributes), why, causes)


def shown_name(attributes: Attributes) -> str:
    """The object's name, what it will be generated from, or ``Unknown``."""
    if attributes.name:
        return attributes.name
    meta = attributes.obj.get("metadata", {}) if attributes.obj is not None else {}
    return str(meta.get("name") or meta.get("generateName") or "Unknown")


def aggregate(problems: list[str]) -> str:
    """Several texts as one: alone when single, in brackets without repeats otherwise."""
    texts = list(dict.fromkeys(problems))
    return texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"
