"""The authorizer of the mode RBAC: a request is allowed when a rule of a role that its user is bound to allows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from attrs import frozen
from zope.interface import implementer

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    ResourceRule,
    Rules,
    URLRule,
)
from kube_twisted.authorization.rbac.bindings import Binding, RoleKey
from kube_twisted.authorization.rbac.policy import RoleMissing
from kube_twisted.authorization.rbac.rules import Rule, RuleSet, question
from kube_twisted.authorization.reasons import joined


class Bound(Protocol):
    """Knows all roles and bindings."""

    def bindings_of(self, user: UserInfo, namespace: str) -> Iterator[Binding]:
        """The bindings that apply to the user, for the whole cluster and in a namespace."""

    def rules_of(self, role: RoleKey) -> RuleSet:
        """:raises RoleMissing: when there is no such role."""


@implementer(IAuthorizer, IRuleResolver)
@frozen
class RBACAuthorizer:
    """Asks the roles that the user, and the user's groups, are bound to."""

    policy: Bound

    async def authorize(self, attributes: Attributes) -> Decision:
        """The reason of a refusal tells of roles that are bound but missing."""
        policy, user = self.policy, attributes.user
        asked = question(attributes)
        missing: list[RoleMissing] = []
        for binding in policy.bindings_of(user, attributes.namespace):
            try:
                rules = policy.rules_of(binding.role)
            except RoleMissing as error:
                missing.append(error)
                continue
            if rules.allow(asked):
                return binding.decision_for(user)
        return Decision(False, f"RBAC: {joined(missing)}") if missing else NO_OPINION

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        found, missing = rules_of_user(self.policy, user, namespace)
        return Rules(
            tuple(ResourceRule(one.verbs, one.groups, one.resources, one.names) for one in found if one.resources),
            tuple(URLRule(one.verbs, one.urls) for one in found if one.urls),
            error=joined(missing))


def rules_of_user(policy: Bound, user: UserInfo, namespace: str) -> tuple[list[Rule], list[RoleMissing]]:
    """All rules of the roles that the user is bound to, and which of these roles are missing."""
    rules: list[Rule] = []
    missing: list[RoleMissing] = []
    for binding in dict.fromkeys(policy.bindings_of(user, namespace)):
        try:
            rules += policy.rules_of(binding.role).rules
        except RoleMissing as error:
            missing.append(error)
    return rules, missing
