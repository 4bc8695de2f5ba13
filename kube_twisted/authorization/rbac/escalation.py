"""Nobody grants what they may not do themselves (the Kubernetes documentation, "Privilege escalation prevention").

Whoever writes a role must hold its rights already, or have the verb ``escalate`` on it; whoever binds a role must
hold its rights, or have the verb ``bind`` on it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupResource
from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer
from kube_twisted.authorization.rbac.authorizer import Bound, rules_of_user
from kube_twisted.authorization.rbac.bindings import RoleKey
from kube_twisted.authorization.rbac.covering import described, not_covered, quoted
from kube_twisted.authorization.rbac.policy import CLUSTER_ROLES, GROUP, ROLES, RoleMissing
from kube_twisted.authorization.rbac.rules import ALL, Rule, read_rules
from kube_twisted.authorization.reasons import joined

_EVERYTHING = (Rule((ALL,), (ALL,), (ALL,)), Rule((ALL,), urls=(ALL,)))
_RESOURCES = {"Role": ROLES, "ClusterRole": CLUSTER_ROLES}

Obj = Mapping[str, Any]


@frozen
class Granting:
    """A write of a role or a binding.

    :ivar resource: which of the four is written.
    :ivar name: as the path of the request has it; empty for a creation.
    """

    user: UserInfo
    resource: str
    namespace: str
    name: str = ""


@frozen
class EscalationGuard:
    """Refuses writes that would give more than their user has."""

    policy: Bound
    authorizer: IAuthorizer

    async def check_role(self, write: Granting, role: Obj, old: Obj | None) -> None:
        """:param old: the role as it was.

        :raises StatusError: 403.
        """
        if self._is_free(write) or await self._allowed("escalate", write, write.resource, write.name):
            return
        name = role["metadata"].get("name", "")
        self._check_held(write, name, read_rules(role.get("rules")).rules)
        if (_gathers(role) or (old is not None and _gathers(old))) and self._missing(write, _EVERYTHING):
            raise errors.forbidden(GroupResource(GROUP, write.resource), name,
                                   "must have cluster-admin privileges to use the aggregationRule")

    async def check_binding(self, write: Granting, binding: Obj) -> None:
        """:raises StatusError: 403; 404 when the role is missing, whose rights nobody can know."""
        if self._is_free(write):
            return
        reference = binding.get("roleRef") or {}
        kind, role = reference.get("kind", ""), reference.get("name", "")
        if kind in _RESOURCES and await self._allowed("bind", write, _RESOURCES[kind], role):
            return
        try:
            rules = self.policy.rules_of(RoleKey(kind, write.namespace if kind == "Role" else "", role)).rules
        except RoleMissing as error:
            if kind not in _RESOURCES:
                raise errors.plain_internal(str(error)) from error
            raise errors.not_found(GroupResource(GROUP, write.resource), role) from error
        self._check_held(write, binding["metadata"].get("name", ""), rules)

    def _is_free(self, write: Granting) -> bool:
        return SYSTEM_MASTERS in write.user.groups

    async def _allowed(self, verb: str, write: Granting, resource: str, name: str) -> bool:
        decision = await self.authorizer.authorize(Attributes(
            user=write.user, verb=verb, group=GROUP, version=ALL, resource=resource, namespace=write.namespace,
            name=name))
        return bool(decision.allowed)

    def _missing(self, write: Granting, wanted: Sequence[Rule]) -> list[Rule]:
        held, _ = rules_of_user(self.policy, write.user, write.namespace)
        return not_covered(held, wanted)

    def _check_held(self, write: Granting, name: str, wanted: Sequence[Rule]) -> None:
        """:raises StatusError: 403 with what is missing, a line each."""
        held, unknown = rules_of_user(self.policy, write.user, write.namespace)
        missing = not_covered(held, wanted)
        if not missing:
            return
        user, resource = write.user, GroupResource(GROUP, write.resource)
        text = "\n".join(described(missing))
        why = (f"user {go_quote(user.name)} (groups={quoted(user.groups)}) is attempting to grant RBAC permissions not "
               f"currently held:\n{text}")
        if unknown:
            why += f"; resolution errors: {_resolution_errors(resource, unknown)}"
        raise errors.forbidden(resource, name, why)


def _gathers(role: Obj) -> bool:
    """Whether the role takes over the rules of others."""
    return bool((role.get("aggregationRule") or {}).get("clusterRoleSelectors"))


def _resolution_errors(resource: GroupResource, missing: Sequence[RoleMissing]) -> str:
    """In a write, the original says of missing roles that they are of the resource which is written."""
    return f"[{joined(errors.not_found(resource, one.role.name) for one in missing)}]"
