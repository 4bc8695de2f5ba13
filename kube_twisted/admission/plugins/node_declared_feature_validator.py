"""NodeDeclaredFeatureValidator: a pod on a node is not changed into one that needs what the node doesn't declare.

Source of the rule: KEP-5328 (node declared features).
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resource_lists import parse_list
from kube_twisted.admission.resources import PODS

Obj = dict[str, Any]

#: The features of nodes that a change of a pod can need.
POD_LEVEL_RESIZE = "InPlacePodLevelResourcesVerticalScaling"
INIT_CONTAINER_RESIZE = "InPlacePodVerticalScalingInitContainers"


@implementer(IValidation)
class NodeDeclaredFeatureValidator(Plugin):
    """Looks at changes of the spec of pods that are on a node."""

    name = "NodeDeclaredFeatureValidator"
    operations = ("UPDATE",)
    resources = frozenset({PODS})
    subresources = ("", "resize")

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def validate(self, attributes: Attributes) -> None:
        pod, old = attributes.obj, attributes.old
        assert pod is not None and old is not None
        node_name = pod["spec"].get("nodeName")
        if not node_name or pod["metadata"].get("generation") == old["metadata"].get("generation"):
            return
        needed = _needed(pod["spec"], old["spec"])
        if not needed:
            return
        node = self._reader.peek("", "nodes", "", node_name)
        if node is None:
            raise forbidden(attributes, f'node "{node_name}" not found')
        declared = (node.get("status") or {}).get("declaredFeatures") or ()
        lacking = [one for one in needed if one not in declared]
        if lacking:
            raise forbidden(attributes, f"pod update requires features {', '.join(lacking)} which are not available on "
                                        f'node "{node_name}"')


def _needed(spec: Obj, old: Obj) -> list[str]:
    """The features that the change needs, by name."""
    needed = []
    if _amounts(spec.get("resources")) != _amounts(old.get("resources")):
        needed.append(POD_LEVEL_RESIZE)
    pairs = zip(spec.get("initContainers") or (), old.get("initContainers") or (), strict=True)
    if any(before.get("restartPolicy") != "Always" and _amounts(one.get("resources")) != _amounts(
            before.get("resources")) for one, before in pairs):
        needed.append(INIT_CONTAINER_RESIZE)
    return needed


def _amounts(resources: Obj | None) -> Obj | None:
    """Resource requirements by what they amount to."""
    if resources is None:
        return None
    return {"requests": parse_list(resources.get("requests")), "limits": parse_list(resources.get("limits")),
            "claims": resources.get("claims") or []}
