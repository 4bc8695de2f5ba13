"""Authorizers that answer the same to everybody, for tests."""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import (
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    ResourceRule,
    Rules,
    URLRule,
)

_ALLOWED = Decision(True)
_REFUSED = Decision(False, "Everything is forbidden.")
_EVERYTHING = Rules((ResourceRule(("*",), ("*",), ("*",)),), (URLRule(("*",), ("*",)),))


@implementer(IAuthorizer, IRuleResolver)
class AlwaysAllow:
    """Allows every request."""

    async def authorize(self, attributes: Attributes) -> Decision:
        return _ALLOWED

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        return _EVERYTHING


@implementer(IAuthorizer, IRuleResolver)
class AlwaysDeny:
    """Allows no request."""

    async def authorize(self, attributes: Attributes) -> Decision:
        return _REFUSED

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        return Rules()
