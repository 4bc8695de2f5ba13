"""Who asks, and whether they may."""

from __future__ import annotations

from kube_twisted.authentication.union import UnionAuthenticator
from kube_twisted.authorization.forbidden import forbidden
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.endpoints.authorizing import attributes_of
from kube_twisted.endpoints.request import Handler, Request, Response


def with_authentication(handler: Handler, authenticator: UnionAuthenticator) -> Handler:
    """Set ``request.user``; 401 for bad credentials."""

    async def authentication(request: Request) -> Response:
        request.user = await authenticator.authenticate(request)
        return await handler(request)

    return authentication


def with_authorization(handler: Handler, authorizer: IAuthorizer) -> Handler:
    """403 for what the user may not do."""

    async def authorization(request: Request) -> Response:
        request.authorizer = authorizer
        attributes = attributes_of(request)
        decision = await authorizer.authorize(attributes)
        if not decision.allowed:
            raise forbidden(attributes, decision.reason)
        return await handler(request)

    return authorization
