"""The REST storage providers of all built-in groups, in the order in which they are installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from kube_twisted.controlplane.rest import GroupProvider, SpecialHandlers
from kube_twisted.controlplane.special.table import SPECIAL
from kube_twisted.registry.events.conversion import RELATIVES

#: Group -> the package of its strategies.
_PACKAGES = {
    "": "core", "apps": "apps", "batch": "batch", "autoscaling": "autoscaling", "policy": "policy",
    "networking.k8s.io": "networking", "discovery.k8s.io": "discovery", "storage.k8s.io": "storage",
    "scheduling.k8s.io": "scheduling", "rbac.authorization.k8s.io": "rbac", "coordination.k8s.io": "coordination",
    "node.k8s.io": "node", "events.k8s.io": "events", "certificates.k8s.io": "certificates",
    "admissionregistration.k8s.io": "admissionregistration", "flowcontrol.apiserver.k8s.io": "flowcontrol",
    "resource.k8s.io": "resource", "internal.apiserver.k8s.io": "internal",
    "authentication.k8s.io": "authentication", "authorization.k8s.io": "authorization",
}
APIEXTENSIONS = "apiextensions.k8s.io"
APIREGISTRATION = "apiregistration.k8s.io"


def provider(group: str, package: str, special: Mapping[str, SpecialHandlers] | None = None) -> GroupProvider:
    """The provider of one group, from the strategies and conversions of its package."""
    try:
        strategies = import_module(f"kube_twisted.registry.{package}").STRATEGIES
    except (AttributeError, ModuleNotFoundError):
        strategies = {}
    try:
        conversions = import_module(f"kube_twisted.registry.{package}.conversion").CONVERSIONS
    except ModuleNotFoundError:
        conversions = {}
    return GroupProvider(group, strategies, conversions, special or {}, RELATIVES.get(group, {}))


def builtin_providers() -> list[GroupProvider]:
    """All groups of the kube server."""
    return [provider(group, package, SPECIAL.get(group)) for group, package in _PACKAGES.items()]
