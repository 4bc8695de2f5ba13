"""PodResizeValidator: a pod is not resized to more than its node has.

Source of the rule: KEP-1287 (in-place resize of pods).
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ObjectReader
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.pod_resources import requests_with_overhead
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resource_lists import ZERO, parse_list
from kube_twisted.admission.resources import PODS


@implementer(IValidation)
class PodResizeValidator(Plugin):
    """Looks at ``pods/resize`` of pods on a node."""

    name = "PodResizeValidator"
    operations = ("UPDATE",)
    resources = frozenset({PODS})
    subresources = ("resize",)

    def __init__(self, reader: ObjectReader) -> None:
        self._reader = reader

    async def validate(self, attributes: Attributes) -> None:
        pod, old = attributes.obj, attributes.old
        assert pod is not None and old is not None
        node_name = pod["spec"].get("nodeName")
        if not node_name or pod["metadata"].get("generation") == old["metadata"].get("generation"):
            return
        node = self._reader.peek("", "nodes", "", node_name)
        if node is None:
            raise forbidden(attributes, f'node "{node_name}" not found')
        system = (node["metadata"].get("labels") or {}).get("kubernetes.io/os", "linux")
        if system != "linux":
            raise forbidden(attributes, f'pod resize is only supported on linux nodes, node "{node_name}" is '
                                        f'"{system}"', [{"reason": "UnsupportedPlatform"}])
        lacking = _lacking(pod, node)
        if lacking:
            raise forbidden(attributes, "node didn't have enough allocatable resources: " + "; ".join(lacking),
                            [{"reason": "NodeCapacity"}])


def _lacking(pod: dict[str, Any], node: dict[str, Any]) -> list[str]:
    requests = requests_with_overhead(pod["spec"])
    allocatable = parse_list(node.get("status", {}).get("allocatable"))
    found = []
    wanted, there = requests.get("cpu", ZERO), allocatable.get("cpu", ZERO)
    if wanted > there:
        found.append(f"cpu, requested: {wanted.milli()}, allocatable: {there.milli()}")
    wanted, there = requests.get("memory", ZERO), allocatable.get("memory", ZERO)
    if wanted > there:
        found.append(f"memory, requested: {wanted.value()}, allocatable: {there.value()}")
    return found
