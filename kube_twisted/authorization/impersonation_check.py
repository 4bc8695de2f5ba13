"""May somebody act as a user? Asked for each part of the user: name, uid, groups, extra."""

from __future__ import annotations

from attrs import evolve, frozen

from kube_twisted.api.domains import domain_prefixed_path
from kube_twisted.api.field import go_quote, to_aggregate
from kube_twisted.api.names import dns_subdomain
from kube_twisted.api.user import (
    ALL_AUTHENTICATED,
    ALL_UNAUTHENTICATED,
    ANONYMOUS,
    NODE_PREFIX,
    NODES,
    SYSTEM_MASTERS,
    UserInfo,
    service_account_groups,
    split_service_account_name,
)
from kube_twisted.authorization.forbidden import forbidden
from kube_twisted.authorization.interfaces import Attributes, IAuthorizer

_AUTHENTICATION = ("authentication.k8s.io", "v1")
#: From so many groups or extra values on, permission for all of them is tried first.
_MANY = 4


def node_name(username: str) -> str:
    """The node that a user is; empty for others."""
    node = username[len(NODE_PREFIX):] if username.startswith(NODE_PREFIX) else ""
    return "" if dns_subdomain(node) else node


async def require(authorizer: IAuthorizer, attributes: Attributes) -> None:
    """:raises StatusError: 403."""
    decision = await authorizer.authorize(attributes)
    if not decision.allowed:
        raise forbidden(attributes, decision.reason)


@frozen
class UserCheck:
    """Asks for each part of the wanted user.

    :ivar constrained: whether this is one of the modes, which are stricter.
    :ivar any_node: permission must be for all nodes, since which one it is follows from the requestor.
    """

    authorizer: IAuthorizer
    requestor: UserInfo
    verb: str
    constrained: bool = False
    any_node: bool = False

    async def act_as(self, wanted: UserInfo) -> UserInfo:
        """The wanted user, with the groups that such a user always has.

        :raises StatusError: 403.
        """
        groups = await self._name(wanted)
        if wanted.uid:
            await require(self.authorizer, self._attributes("uids", wanted.uid))
        if wanted.groups:
            await self._groups(wanted.groups)
        if wanted.extra:
            await self._extra(wanted)
        return evolve(wanted, groups=_with_general_group(wanted.name, groups))

    def _attributes(self, resource: str, name: str, *, core: bool = False) -> Attributes:
        group, version = ("", "v1") if core and not self.constrained else _AUTHENTICATION
        return Attributes(user=self.requestor, verb=self.verb, group=group, version=version, resource=resource,
                          name=name)

    async def _name(self, wanted: UserInfo) -> tuple[str, ...]:
        """The groups, those that follow from the name among them."""
        asked, groups = self._attributes("users", wanted.name, core=True), wanted.groups
        node = node_name(wanted.name) if self.constrained else ""
        account = split_service_account_name(wanted.name)
        if node:
            asked, groups = evolve(asked, resource="nodes", name="*" if self.any_node else node), (NODES,)
        elif account is not None:
            namespace, name = account
            asked = evolve(asked, resource="serviceaccounts", namespace=namespace, name=name)
            groups = groups or service_account_groups(namespace)
        await require(self.authorizer, asked)
        return groups

    async def _groups(self, groups: tuple[str, ...]) -> None:
        asked = self._attributes("groups", "", core=True)
        if self.constrained:
            if "" in groups:
                raise forbidden(asked, "impersonating the empty string group is not allowed")
            if SYSTEM_MASTERS in groups:
                raise forbidden(evolve(asked, name=SYSTEM_MASTERS),
                                "impersonating the system:masters group is not allowed")
            if len(groups) >= _MANY and await self._is_allowed(evolve(asked, name="*")):
                return
        for group in groups:
            await require(self.authorizer, evolve(asked, name=group))

    async def _extra(self, wanted: UserInfo) -> None:
        asked = self._attributes("userextras", "")
        if self.constrained:
            problem = _extra_problem(wanted)
            if problem:
                raise forbidden(asked, problem)
            count = max(len(wanted.extra), sum(map(len, wanted.extra.values())))
            if count >= _MANY and await self._is_allowed(evolve(asked, subresource="*", name="*")):
                return
        for key, values in wanted.extra.items():
            for value in values:
                await require(self.authorizer, evolve(asked, subresource=key, name=value))

    async def _is_allowed(self, attributes: Attributes) -> bool:
        return bool((await self.authorizer.authorize(attributes)).allowed)


def _with_general_group(name: str, groups: tuple[str, ...]) -> tuple[str, ...]:
    """With the group of all that are anonymous, or of all that are not."""
    if name == ANONYMOUS:
        return groups if ALL_UNAUTHENTICATED in groups else (*groups, ALL_UNAUTHENTICATED)
    if ALL_UNAUTHENTICATED in groups or ALL_AUTHENTICATED in groups:
        return groups
    return (*groups, ALL_AUTHENTICATED)


def _extra_problem(wanted: UserInfo) -> str:
    """What a constrained mode does not take; empty when all is well."""
    for key, values in wanted.extra.items():
        if not key:
            return "impersonating the empty string key in extra is not allowed"
        problems = domain_prefixed_path(key, "extra.key")
        if problems:
            return f"impersonating an invalid key in extra is not allowed: {to_aggregate(problems)}"
        if key != key.lower():
            return f"impersonating a non-lowercase key in extra is not allowed: {go_quote(key)}"
        if not values:
            return "impersonating empty values in extra is not allowed"
        if "" in values:
            return "impersonating the empty string value in extra is not allowed"
    return ""
