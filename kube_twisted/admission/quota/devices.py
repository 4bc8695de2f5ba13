"""What ResourceClaims use: their number, and devices by device class.

Source of the rules: KEP-4381 (dynamic resource allocation), quota.
"""

from __future__ import annotations

from collections.abc import Iterable

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.quota.evaluator import Evaluator, Obj
from kube_twisted.admission.resource_lists import ONE, ResourceList, add_to, greatest
from kube_twisted.admission.resources import RESOURCE_CLAIMS
from kube_twisted.api.quantity import Quantity

_OF_CLASS = ".deviceclass.resource.k8s.io/devices"
#: The most devices that "all" can come to.
_ALL = 32


class ResourceClaimEvaluator(Evaluator):
    """Measures claims for devices; of alternatives the worst case of each class counts."""

    def __init__(self) -> None:
        super().__init__(RESOURCE_CLAIMS)

    def handles(self, attributes: Attributes) -> bool:
        return attributes.operation in ("CREATE", "UPDATE") and not attributes.subresource

    def matching(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if name in self.names or name.endswith(_OF_CLASS)]

    def usage(self, obj: Obj) -> ResourceList:
        usage: ResourceList = dict.fromkeys(self.names, ONE)
        for request in obj["spec"].get("devices", {}).get("requests") or ():
            if request.get("firstAvailable"):
                add_to(usage, greatest(map(_devices, request["firstAvailable"])))
            elif "exactly" in request:
                add_to(usage, _devices(request["exactly"]))
        return usage


def _devices(request: Obj) -> ResourceList:
    mode = request.get("allocationMode")
    number = request.get("count", 0) if mode == "ExactCount" else _ALL if mode == "All" else 0
    return {request.get("deviceClassName", "") + _OF_CLASS: Quantity.of(number)}
