"""TaintNodesByCondition: a new node takes no pods until it is known to be ready.

Source of the rule: the Kubernetes documentation, "Taints and Tolerations", taint nodes by condition.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import NODES

_TAINT = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


@implementer(IMutation)
class TaintNodesByCondition(Plugin):
    """Adds the taint ``not-ready``, which the node lifecycle controller takes off."""

    name = "TaintNodesByCondition"
    operations = ("CREATE",)
    resources = frozenset({NODES})

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        taints = attributes.obj.setdefault("spec", {}).setdefault("taints", [])
        if not any(all(one.get(key) == value for key, value in _TAINT.items()) for one in taints):
            taints.append(dict(_TAINT))
