"""LimitPodHardAntiAffinityTopology: pods may keep away from others on their node, not in their whole zone.

Source of the rule: the Kubernetes documentation, "Admission Control", LimitPodHardAntiAffinityTopology.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.resources import PODS

_HOSTNAME = "kubernetes.io/hostname"


@implementer(IValidation)
class LimitPodHardAntiAffinityTopology(Plugin):
    """Looks at required anti-affinity of pods."""

    name = "LimitPodHardAntiAffinityTopology"
    resources = frozenset({PODS})

    async def validate(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        rules = attributes.obj["spec"].get("affinity", {}).get("podAntiAffinity", {})
        for term in rules.get("requiredDuringSchedulingIgnoredDuringExecution") or ():
            key = term.get("topologyKey", "")
            if key != _HOSTNAME:
                raise forbidden(attributes, f"affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey {key} "
                                            f"but only key {_HOSTNAME} is allowed")
