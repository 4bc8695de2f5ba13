"""Several authorizers as one: the first that has an opinion decides."""

from __future__ import annotations

from attrs import frozen
from zope.interface import implementer

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    Rules,
)
from kube_twisted.authorization.reasons import joined


@implementer(IAuthorizer, IRuleResolver)
@frozen
class UnionAuthorizer:
    """Asks each in order; when none has an opinion, their reasons are joined, one a line."""

    authorizers: tuple[IAuthorizer, ...]

    async def authorize(self, attributes: Attributes) -> Decision:
        reasons: list[str] = []
        for one in self.authorizers:
            decision = await one.authorize(attributes)
            if decision.allowed or decision.denied:
                return decision
            if decision.reason:
                reasons.append(decision.reason)
        return Decision(False, "\n".join(reasons)) if reasons else NO_OPINION

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        """The rules of all that can tell theirs, in order."""
        resolvers = [IRuleResolver(one, None) for one in self.authorizers]
        found = [await one.rules_for(user, namespace) for one in resolvers if one is not None]
        return Rules(
            resources=tuple(rule for one in found for rule in one.resources),
            urls=tuple(rule for one in found for rule in one.urls),
            incomplete=any(one.incomplete for one in found),
            error=joined(one.error for one in found if one.error))
