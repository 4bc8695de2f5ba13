"""Strategies of the networking group."""

from __future__ import annotations

from kube_twisted.registry.networking import ingress, ingressclass, ipaddress, networkpolicy, servicecidr
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "ingressclasses": ingressclass.STRATEGY,
    "ingresses": ingress.STRATEGY,
    "ingresses/status": ingress.STATUS,
    "ipaddresses": ipaddress.STRATEGY,
    "networkpolicies": networkpolicy.STRATEGY,
    "servicecidrs": servicecidr.STRATEGY,
    "servicecidrs/status": servicecidr.STATUS,
}
