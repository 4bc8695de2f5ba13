"""ExtendedResourceToleration: a pod that asks for an extended resource tolerates nodes dedicated to it.

Source of the rule: the Kubernetes documentation, "Admission Control", ExtendedResourceToleration.
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IMutation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.pod_resources import is_extended
from kube_twisted.admission.resources import PODS


@implementer(IMutation)
class ExtendedResourceToleration(Plugin):
    """Adds a toleration for each extended resource that containers request."""

    name = "ExtendedResourceToleration"
    resources = frozenset({PODS})

    async def admit(self, attributes: Attributes) -> None:
        assert attributes.obj is not None
        spec = attributes.obj["spec"]
        requested = {name for field in ("containers", "initContainers") for container in spec.get(field) or ()
                     for name in container.get("resources", {}).get("requests") or () if is_extended(name)}
        for name in sorted(requested):
            wanted = {"key": name, "operator": "Exists", "effect": "NoSchedule"}
            tolerations = spec.setdefault("tolerations", [])
            if not any(all(one.get(key, "") == value for key, value in wanted.items()) for one in tolerations):
                tolerations.append(wanted)
