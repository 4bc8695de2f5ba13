"""What is recorded of which request: the first rule of the policy that matches decides.

Source of the rules: the Kubernetes documentation, "Auditing", and the API reference of audit.k8s.io/v1 Policy.
"""

from __future__ import annotations

from typing import NamedTuple

from attrs import frozen

from kube_twisted.audit.levels import Level


class Asked(NamedTuple):
    """What of a request rules look at."""

    user: str
    groups: tuple[str, ...]
    verb: str
    is_resource: bool
    group: str
    resource: str
    subresource: str
    namespace: str
    name: str
    path: str


@frozen
class GroupResources:
    """Resources of a group; none means all of them.

    :ivar resources: such as ``pods``, ``pods/log``, ``pods/*``, ``*/scale`` and ``*``.
    :ivar names: of objects; none means all.
    """

    group: str = ""
    resources: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def matches(self, asked: Asked) -> bool:
        if self.group not in (asked.group, "*"):
            return False
        if not self.resources:
            return True
        if self.names and asked.name not in self.names:
            return False
        whole = f"{asked.resource}/{asked.subresource}" if asked.subresource else asked.resource
        wanted = {"*", whole, f"{asked.resource}/*"}
        if asked.subresource:
            wanted.add(f"*/{asked.subresource}")
        return not wanted.isdisjoint(self.resources)


@frozen
class Rule:
    """What is recorded of requests that match; what is empty does not narrow them.

    :ivar omit_stages: of which there are no events; with those of the whole policy.
    """

    level: Level
    omit_stages: frozenset[str] = frozenset()
    omit_managed_fields: bool = False
    users: frozenset[str] = frozenset()
    groups: frozenset[str] = frozenset()
    verbs: frozenset[str] = frozenset()
    namespaces: frozenset[str] = frozenset()
    resources: tuple[GroupResources, ...] = ()
    paths: tuple[str, ...] = ()

    def matches(self, asked: Asked) -> bool:
        if self.users and asked.user not in self.users:
            return False
        if self.groups and self.groups.isdisjoint(asked.groups):
            return False
        if self.verbs and asked.verb not in self.verbs:
            return False
        if self.namespaces or self.resources:
            return asked.is_resource and self._matches_resource(asked)
        if self.paths:
            return not asked.is_resource and any(_covers(path, asked.path) for path in self.paths)
        return True

    def _matches_resource(self, asked: Asked) -> bool:
        if self.namespaces and asked.namespace not in self.namespaces:
            return False
        return not self.resources or any(one.matches(asked) for one in self.resources)


def _covers(rule: str, path: str) -> bool:
    """Whether a rule's path, which may end with ``*``, is or begins the path."""
    return rule in ("*", path) or (rule.endswith("*") and path.startswith(rule.rstrip("*")))


@frozen
class AuditPolicy:
    """A policy.

    :ivar otherwise: for requests that no rule matches.
    """

    rules: tuple[Rule, ...]
    otherwise: Rule = Rule(Level.NONE)

    def rule_for(self, asked: Asked) -> Rule:
        for rule in self.rules:
            if rule.matches(asked):
                return rule
        return self.otherwise
