"""The group that may do everything, whatever the roles say."""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
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

_ALLOWED = Decision(True)
_EVERYTHING = Rules((ResourceRule(("*",), ("*",), ("*",)),), (URLRule(("*",), ("*",)),))


@implementer(IAuthorizer, IRuleResolver)
class SystemMasters:
    """Allows every request of members of ``system:masters``."""

    async def authorize(self, attributes: Attributes) -> Decision:
        return _ALLOWED if SYSTEM_MASTERS in attributes.user.groups else NO_OPINION

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        return _EVERYTHING if SYSTEM_MASTERS in user.groups else Rules()
