"""Strategies of ``resource.k8s.io`` (dynamic resource allocation, KEP-4381)."""

from __future__ import annotations

from kube_twisted.registry.resource import deviceclass, resourceclaim, resourceclaimtemplate, resourceslice
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "deviceclasses": deviceclass.STRATEGY,
    "resourceclaims": resourceclaim.STRATEGY,
    "resourceclaims/status": resourceclaim.STATUS,
    "resourceclaimtemplates": resourceclaimtemplate.STRATEGY,
    "resourceslices": resourceslice.STRATEGY,
}
