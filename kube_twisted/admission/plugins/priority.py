"""Priority: a pod's priority comes from its PriorityClass, or from the class that is the default.

Source of the rules: the Kubernetes documentation, "Pod Priority and Preemption".
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation, IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PODS, PRIORITY_CLASSES

_GROUP, _RESOURCE = PRIORITY_CLASSES.group, PRIORITY_CLASSES.resource
#: What a pod gets when no class is the default.
_NO_CLASS: dict[str, Any] = {"metadata": {"name": ""}, "value": 0, "preemptionPolicy": "PreemptLowerPriority"}
#: What an update that leaves them out keeps.
_KEPT = ("priority", "preemptionPolicy")


@implementer(IMutation, IValidation)
class Priority(Plugin):
    """Fills in priorities of pods, and keeps two classes from being the default."""

    name = "Priority"
    resources = frozenset({PODS, PRIORITY_CLASSES})

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        if attributes.resource.resource != PODS.resource:
            return
        spec = attributes.obj["spec"]
        if attributes.operation == "CREATE":
            self._fill(attributes, spec)
        elif attributes.old is not None:
            old = attributes.old["spec"]
            spec.update((key, old[key]) for key in _KEPT if key in old and key not in spec)

    def _fill(self, attributes: Attributes, spec: dict[str, Any]) -> None:
        chosen = self._class_of(attributes, spec.get("priorityClassName", ""))
        name, value, policy = chosen["metadata"]["name"], chosen.get("value", 0), chosen.get("preemptionPolicy")
        if spec.get("priority", value) != value:
            raise forbidden(attributes, f"the integer value of priority ({spec['priority']}) must not be provided in "
                                        f"pod spec; priority admission controller computed {value} from the given "
                                        "PriorityClass name")
        if policy is not None and spec.get("preemptionPolicy", policy) != policy:
            raise forbidden(attributes, f"the string value of PreemptionPolicy ({spec['preemptionPolicy']}) must not "
                                        f"be provided in pod spec; priority admission controller computed {policy} "
                                        "from the given PriorityClass name")
        if name:
            spec["priorityClassName"] = name
        spec["priority"] = value
        if policy is not None:
            spec["preemptionPolicy"] = policy

    def _class_of(self, attributes: Attributes, name: str) -> dict[str, Any]:
        if not name:
            return self._default_class() or _NO_CLASS
        found = self._reader.peek(_GROUP, _RESOURCE, "", name)
        if found is None:
            raise forbidden(attributes, f"no PriorityClass with name {name} was found")
        return found

    def _default_class(self) -> dict[str, Any] | None:
        """The default class; the lowest, should a race have made several."""
        classes = [one for one in self._reader.peek_all(_GROUP, _RESOURCE) if one.get("globalDefault")]
        return min(classes, key=_value, default=None)

    async def validate(self, attributes: Attributes) -> None:
        obj = attributes.obj
        if attributes.resource.resource != _RESOURCE or obj is None or not obj.get("globalDefault"):
            return
        default = self._default_class()
        if default is None:
            return
        name = default["metadata"]["name"]
        if attributes.operation == "CREATE" or name != obj["metadata"].get("name"):
            raise forbidden(attributes,
                            f"PriorityClass {name} is already marked as default. Only one default can exist")


def _value(priority_class: dict[str, Any]) -> int:
    return int(priority_class.get("value", 0))
