"""RuntimeClass: a pod gets the overhead and the scheduling rules of its RuntimeClass.

Source of the rules: the Kubernetes documentation, "Runtime Class" and "Pod Overhead".
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PODS
from kube_twisted.admission.tolerations import merge_tolerations
from kube_twisted.api.quantity import Quantity

_MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"


@implementer(IMutation, IValidation)
class RuntimeClass(Plugin):
    """Looks at the RuntimeClass that a new pod names."""

    name = "RuntimeClass"
    operations = ("CREATE",)
    resources = frozenset({PODS})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        runtime_class = await self._class_of(attributes, spec)
        if runtime_class is None:
            return
        if "overhead" in runtime_class:
            fixed = runtime_class["overhead"].get("podFixed") or {}
            if spec.get("overhead") and not _same(spec["overhead"], fixed):
                raise forbidden(attributes, _MISMATCH)
            spec["overhead"] = dict(fixed)
        if "scheduling" in runtime_class:
            _schedule(attributes, spec, runtime_class["scheduling"])

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        runtime_class = await self._class_of(attributes, spec)
        if runtime_class is not None and "overhead" in runtime_class:
            if not _same(spec.get("overhead") or {}, runtime_class["overhead"].get("podFixed") or {}):
                raise forbidden(attributes, _MISMATCH)
        elif "overhead" in spec:
            raise forbidden(attributes, "pod rejected: Pod Overhead set without corresponding RuntimeClass defined "
                                        "Overhead")

    async def _class_of(self, attributes: Attributes, spec: dict[str, Any]) -> dict[str, Any] | None:
        name = spec.get("runtimeClassName")
        if name is None:
            return None
        found = self._reader.peek("node.k8s.io", "runtimeclasses", "", name)
        if found is None:
            found = await self._reader.peek_latest("node.k8s.io", "runtimeclasses", "", name)
        if found is None:
            raise forbidden(attributes, f'pod rejected: RuntimeClass "{name}" not found')
        return found


def _schedule(attributes: Attributes, spec: dict[str, Any], scheduling: dict[str, Any]) -> None:
    """Only nodes that have the runtime, and they may be tainted."""
    selector = dict(spec.get("nodeSelector") or {})
    for key, value in (scheduling.get("nodeSelector") or {}).items():
        if selector.get(key, value) != value:
            raise forbidden(attributes, f"conflict: runtimeClass.scheduling.nodeSelector[{key}] = {value}; "
                                        f"pod.spec.nodeSelector[{key}] = {selector[key]}")
        selector[key] = value
    if selector:
        spec["nodeSelector"] = selector
    tolerations = merge_tolerations(spec.get("tolerations") or [], scheduling.get("tolerations") or [])
    if tolerations:
        spec["tolerations"] = deepcopy(tolerations)


def _same(one: dict[str, str], other: dict[str, str]) -> bool:
    return one.keys() == other.keys() and all(Quantity.parse(one[key]) == Quantity.parse(other[key]) for key in one)
