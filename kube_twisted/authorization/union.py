"""Several authorizers as one: the first that has an opinion decides."""

from __future__ import annotations

from attrs import frozen
from zope.interface import implementer

from kube_twisted.authorization.interfaces import NO_OPINION, Attributes, Decision, IAuthorizer


@implementer(IAuthorizer)
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
