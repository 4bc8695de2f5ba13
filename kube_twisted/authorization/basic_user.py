"""What everybody with a name may ask about himself: what the bootstrap role system:basic-user grants."""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.api.user import ALL_AUTHENTICATED, UserInfo
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    ResourceRule,
    Rules,
)

_ALLOWED = Decision(True)
_RULES = (
    ResourceRule(("create",), ("authorization.k8s.io",),
                 ("selfsubjectaccessreviews", "selfsubjectrulesreviews")),
    ResourceRule(("create",), ("authentication.k8s.io",), ("selfsubjectreviews",)),
)
_RESOURCES = frozenset((rule.groups[0], resource) for rule in _RULES for resource in rule.resources)


@implementer(IAuthorizer, IRuleResolver)
class BasicUser:
    """Allows the reviews of oneself to all authenticated users."""

    async def authorize(self, attributes: Attributes) -> Decision:
        if (attributes.resource_request and attributes.verb == "create" and not attributes.subresource
                and (attributes.group, attributes.resource) in _RESOURCES
                and ALL_AUTHENTICATED in attributes.user.groups):
            return _ALLOWED
        return NO_OPINION

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        return Rules(_RULES) if ALL_AUTHENTICATED in user.groups else Rules()
