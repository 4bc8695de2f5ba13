"""The rules of a webhook: operations, groups, versions, resources and scope, each with wildcards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.api.gvk import GroupVersionResource

_ANY = "*"
_NAMESPACES = GroupVersionResource("", "v1", "namespaces")


@frozen
class Rule:
    """One rule.

    :ivar resources: names and subresources, each of which may be ``*``; the resource itself has an empty subresource.
    :ivar scope: ``Namespaced``, ``Cluster`` or ``*``.
    """

    operations: frozenset[str]
    groups: frozenset[str]
    versions: frozenset[str]
    resources: tuple[tuple[str, str], ...]
    scope: str = _ANY

    @classmethod
    def of(cls, rule: Mapping[str, Any]) -> Rule:
        """As a configuration has it."""
        split = (one.partition("/") for one in rule.get("resources") or ())
        return cls(frozenset(rule.get("operations") or ()), frozenset(rule.get("apiGroups") or ()),
                   frozenset(rule.get("apiVersions") or ()), tuple((name, sub) for name, _, sub in split),
                   rule.get("scope") or _ANY)

    def matches(self, operation: str, resource: GroupVersionResource, subresource: str, namespaced: bool) -> bool:
        """Whether the rule is about such a write.

        :param namespaced: whether it is in a namespace; for this, a namespace is in itself.
        """
        return (self._in_scope(resource, namespaced)
                and _has(self.operations, operation)
                and _has(self.groups, resource.group)
                and _has(self.versions, resource.version)
                and any(name in (_ANY, resource.resource) and sub in (_ANY, subresource)
                        for name, sub in self.resources))

    def _in_scope(self, resource: GroupVersionResource, namespaced: bool) -> bool:
        if self.scope == _ANY:
            return True
        inside = namespaced and resource != _NAMESPACES
        return inside if self.scope == "Namespaced" else not inside


def _has(items: frozenset[str], wanted: str) -> bool:
    return wanted in items or _ANY in items
