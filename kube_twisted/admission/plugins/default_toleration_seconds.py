"""DefaultTolerationSeconds: a pod is evicted from a node that is not ready or unreachable after five minutes.

Source of the rule: the Kubernetes documentation, "Taints and Tolerations".
"""

from __future__ import annotations

from typing import Any

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.resources import PODS

_TAINTS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


@implementer(IMutation)
class DefaultTolerationSeconds(Plugin):
    """Adds the two tolerations where the pod doesn't have its own.

    :param seconds: how long a pod stays on such a node.
    """

    name = "DefaultTolerationSeconds"
    resources = frozenset({PODS})

    def __init__(self, seconds: int = 300) -> None:
        self._seconds = seconds

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        tolerations = spec.get("tolerations") or []
        missing = [taint for taint in _TAINTS if not any(_tolerates(one, taint) for one in tolerations)]
        if missing:
            spec["tolerations"] = tolerations + [
                {"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": self._seconds}
                for taint in missing]


def _tolerates(toleration: dict[str, Any], taint: str) -> bool:
    return (toleration.get("key") or taint) == taint and (toleration.get("effect") or "NoExecute") == "NoExecute"
