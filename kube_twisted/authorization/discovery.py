"""Paths that anybody, or anybody with a name, may read: what the bootstrap roles for discovery grant."""

from __future__ import annotations

from collections.abc import Mapping

from zope.interface import implementer

from kube_twisted.api.user import ALL_AUTHENTICATED, ALL_UNAUTHENTICATED, SERVICE_ACCOUNTS, UserInfo
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    Rules,
    URLRule,
)

#: The role system:public-info-viewer.
PUBLIC = ("/livez", "/readyz", "/healthz", "/version", "/version/")
#: The role system:discovery; a star at the end stands for any rest.
DISCOVERY = (*PUBLIC, "/openapi", "/openapi/*", "/api", "/api/*", "/apis", "/apis/*")
#: The role system:service-account-issuer-discovery.
ISSUER_DISCOVERY = ("/.well-known/openid-configuration", "/.well-known/openid-configuration/",
                    "/openid/v1/jwks", "/openid/v1/jwks/")
#: Group -> the paths that its members may get.
READABLE: Mapping[str, tuple[str, ...]] = {
    ALL_UNAUTHENTICATED: PUBLIC, ALL_AUTHENTICATED: DISCOVERY, SERVICE_ACCOUNTS: ISSUER_DISCOVERY}

_ALLOWED = Decision(True)


def path_matches(pattern: str, path: str) -> bool:
    """Whether a non-resource URL of a rule covers the path: equal, or below a prefix that ends in a star."""
    if pattern.endswith("*"):
        return path.startswith(pattern.rstrip("*"))
    return pattern == path


@implementer(IAuthorizer, IRuleResolver)
class Discovery:
    """Allows reading the paths in ``READABLE``."""

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        groups = [group for group in user.groups if group in READABLE]
        return Rules(urls=tuple(URLRule(("get",), READABLE[group]) for group in groups))

    async def authorize(self, attributes: Attributes) -> Decision:
        if attributes.resource_request or attributes.verb != "get":
            return NO_OPINION
        for group in attributes.user.groups:
            if any(path_matches(pattern, attributes.path) for pattern in READABLE.get(group, ())):
                return _ALLOWED
        return NO_OPINION
