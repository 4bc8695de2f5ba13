"""How one resource is measured against ResourceQuotas; by itself, each object counts as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.resource_lists import ONE, ResourceList
from kube_twisted.api.gvk import GroupResource

Obj = dict[str, Any]

#: Quotas named these before every resource could be counted as ``count/<resource>``.
_ALIASES = frozenset({"configmaps", "resourcequotas", "replicationcontrollers", "secrets"})


def object_count(resource: GroupResource) -> str:
    """The name under which a quota counts the objects of a resource: ``count/deployments.apps``."""
    return f"count/{resource}"


class Evaluator:
    """Counts objects as they are created; subclasses measure more."""

    def __init__(self, resource: GroupResource) -> None:
        self.names = frozenset({object_count(resource)} | ({str(resource)} & _ALIASES))

    def handles(self, attributes: Attributes) -> bool:
        """Whether the write can change what is used."""
        return attributes.operation == "CREATE" and not attributes.subresource

    def matching(self, names: Iterable[str]) -> list[str]:
        """Those of a quota's resources that are measured here."""
        return [name for name in names if name in self.names]

    def in_scope(self, scope: Mapping[str, Any], obj: Obj) -> bool:
        """Whether the object is in a scope, given as a ScopedResourceSelectorRequirement."""
        return False

    def missing(self, required: list[str], obj: Obj) -> str:
        """What the object must say to be measured and doesn't; empty when nothing is missing."""
        return ""

    def usage(self, obj: Obj) -> ResourceList:
        """What the object uses."""
        return dict.fromkeys(self.names, ONE)


def selects(requirement: Mapping[str, Any], values: Iterable[str]) -> bool:
    """Whether a scope's operator and values accept an object that has the ``values`` for it."""
    having, wanted = set(values), set(requirement.get("values") or ())
    operator = requirement["operator"]
    if operator == "Exists":
        return bool(having)
    if operator == "DoesNotExist":
        return not having
    if operator == "In":
        return bool(having & wanted)
    return not having or bool(having - wanted)
