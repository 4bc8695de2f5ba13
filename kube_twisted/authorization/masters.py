"""The group that may do everything, whatever the roles say."""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.api.user import SYSTEM_MASTERS
from kube_twisted.authorization.interfaces import NO_OPINION, Attributes, Decision, IAuthorizer

_ALLOWED = Decision(True)


@implementer(IAuthorizer)
class SystemMasters:
    """Allows every request of members of ``system:masters``."""

    async def authorize(self, attributes: Attributes) -> Decision:
        return _ALLOWED if SYSTEM_MASTERS in attributes.user.groups else NO_OPINION
