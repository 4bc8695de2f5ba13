"""LimitRanger: a namespace's LimitRanges give containers their defaults, and bound pods and claims.

Source of the rules: the Kubernetes documentation, "Limit Ranges".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation, ObjectReader
from kube_twisted.admission.limits import broken_claim_limits, broken_pod_limits
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import aggregate, forbidden
from kube_twisted.admission.resources import PERSISTENT_VOLUME_CLAIMS, PODS

_ANNOTATION = "kubernetes.io/limit-ranger"
_CONTAINERS = (("containers", "container"), ("initContainers", "init container"))


@implementer(IMutation, IValidation)
class LimitRanger(Plugin):
    """Looks at new pods, resized ones, and claims; not at what is being deleted."""

    name = "LimitRanger"
    resources = frozenset({PODS, PERSISTENT_VOLUME_CLAIMS})
    subresources = ("", "resize")

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        if attributes.resource.resource == PODS.resource and _applies(attributes):
            assert attributes.obj is not None
            for limit_range in self._limit_ranges(attributes):
                _fill(attributes.obj, limit_range)

    async def validate(self, attributes: Attributes) -> None:
        if not _applies(attributes):
            return
        assert attributes.obj is not None
        is_pod = attributes.resource.resource == PODS.resource
        check = broken_pod_limits if is_pod else broken_claim_limits
        for limit_range in self._limit_ranges(attributes):
            problems = check(limit_range, attributes.obj)
            if problems:
                raise forbidden(attributes, aggregate(problems))

    def _limit_ranges(self, attributes: Attributes) -> Iterable[dict[str, Any]]:
        return self._reader.peek_all("", "limitranges", attributes.namespace)


def _applies(attributes: Attributes) -> bool:
    if attributes.old is not None and attributes.old["metadata"].get("deletionTimestamp"):
        return False
    if attributes.resource.resource == PODS.resource:
        return (attributes.operation == "UPDATE") == (attributes.subresource == "resize")
    return not attributes.subresource


def _fill(pod: dict[str, Any], limit_range: dict[str, Any]) -> None:
    """Give the containers what they don't set, and say so in an annotation."""
    requests: dict[str, str] = {}
    limits: dict[str, str] = {}
    for limit in limit_range["spec"].get("limits") or ():
        if limit["type"] == "Container":
            requests.update(limit.get("defaultRequest") or {})
            limits.update(limit.get("default") or {})
    notes: list[str] = []
    for field, what in _CONTAINERS:
        for container in pod["spec"].get(field) or ():
            for kind, defaults in (("request", requests), ("limit", limits)):
                added = _add_missing(container, f"{kind}s", defaults)
                if added:
                    notes.append(f"{', '.join(added)} {kind} for {what} {container.get('name', '')}")
    if notes:
        annotations = pod["metadata"].setdefault("annotations", {})
        annotations[_ANNOTATION] = "LimitRanger plugin set: " + "; ".join(notes)


def _add_missing(container: dict[str, Any], field: str, defaults: dict[str, str]) -> list[str]:
    resources = container.setdefault("resources", {})
    current = resources.get(field) or {}
    missing = sorted(name for name in defaults if name not in current)
    if missing:
        resources[field] = current | {name: defaults[name] for name in missing}
    return missing
