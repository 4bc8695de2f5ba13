"""Bearer tokens: reads the Authorization header and asks who the token stands for."""

from __future__ import annotations

from attrs import frozen
from zope.interface import implementer

from kube_twisted.api.user import UserInfo
from kube_twisted.authentication.interfaces import (
    IAuthenticator,
    InvalidCredentials,
    ITokenAuthenticator,
    RequestCredentials,
)

_USUAL = "Bearer "
EXTRA_SPACE = "the provided Authorization header contains extra space before the bearer token, and is ignored"


@implementer(IAuthenticator)
@frozen
class BearerAuthenticator:
    """Asks each token authenticator in order; a token that none knows is an error.

    A header of another scheme, or without a token, counts as no credentials at all, as in kube-apiserver: the
    request may go on as anonymous.
    """

    tokens: tuple[ITokenAuthenticator, ...]

    async def authenticate(self, credentials: RequestCredentials) -> UserInfo | None:
        header = credentials.authorization
        if not header:
            return None
        token = bearer_token(header)
        if not token:
            if token == "":
                credentials.add_warning(EXTRA_SPACE)
            return None
        failures: list[str] = []
        for one in self.tokens:
            try:
                user = await one.authenticate_token(token)
            except InvalidCredentials as error:
                failures.append(str(error))
                continue
            if user is not None:
                return user
        raise InvalidCredentials("; ".join(failures) or "invalid bearer token")


def bearer_token(header: str) -> str | None:
    """The token; None when the header carries none, and empty when two spaces hide it."""
    if header.startswith(_USUAL) and (token := header[len(_USUAL):]) and " " not in token:
        return token
    parts = header.strip().split(" ", 2)
    if len(parts) < 2 or parts[0].lower() != "bearer":
        return None
    return parts[1]
