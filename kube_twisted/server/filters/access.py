"""Who asks, and whether they may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kube_twisted.api.errors import StatusError
from kube_twisted.authentication.union import UnionAuthenticator
from kube_twisted.authorization.forbidden import forbidden
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.endpoints.authorizing import attributes_of
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.filters.headers import unsniffed

if TYPE_CHECKING:
    from kube_twisted.audit.auditor import Auditor

_DECISION, _REASON = "authorization.k8s.io/decision", "authorization.k8s.io/reason"


def with_authentication(handler: Handler, authenticator: UnionAuthenticator, auditor: Auditor | None = None) -> Handler:
    """Set ``request.user``; 401 for bad credentials.

    :param auditor: is told of those.
    """

    async def authentication(request: Request) -> Response:
        try:
            request.user = await authenticator.authenticate(request)
        except StatusError as error:
            if auditor is not None:
                from kube_twisted.server.filters.audit import audit_refusal

                await audit_refusal(request, auditor, error)
            raise
        return await handler(request)

    return authentication


def with_authorization(handler: Handler, authorizer: IAuthorizer) -> Handler:
    """403 for what the user may not do."""

    async def authorization(request: Request) -> Response:
        request.authorizer = authorizer
        attributes = attributes_of(request)
        decision = await authorizer.authorize(attributes)
        if request.recording is not None:
            request.annotate(_DECISION, "allow" if decision.allowed else "forbid")
            request.annotate(_REASON, decision.reason)
        if not decision.allowed:
            raise unsniffed(forbidden(attributes, decision.reason))
        return await handler(request)

    return authorization
