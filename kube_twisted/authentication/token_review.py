"""Asks all token authenticators about one token, as TokenReview does."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from kube_twisted.api.user import UserInfo, with_authenticated_group
from kube_twisted.authentication.bearer import bearer_token
from kube_twisted.authentication.interfaces import (
    IAudienceTokenAuthenticator,
    InvalidCredentials,
    ITokenAuthenticator,
    Recognised,
)

_INVALID = "invalid bearer token"


@frozen
class Review:
    """What is known about a token.

    :ivar user: None when nobody vouches for it.
    :ivar audiences: those of the ones asked about that it is for.
    :ivar error: why not.
    """

    user: UserInfo | None = None
    audiences: tuple[str, ...] = ()
    error: str = ""


@frozen
class TokenReviewer:
    """Knows the server's token authenticators.

    :ivar audiences: the server's own; tokens without audiences are for these.
    """

    tokens: tuple[ITokenAuthenticator, ...]
    audiences: tuple[str, ...]

    async def review(self, text: str, audiences: Sequence[str]) -> Review:
        """Who holds the token.

        :param audiences: empty for the server's own.
        """
        token = bearer_token(f"Bearer {text}")
        if not token:
            return Review()
        wanted = tuple(audiences) or self.audiences
        failures = [_INVALID]
        for one in self.tokens:
            try:
                found = await self._ask(one, token, wanted)
            except InvalidCredentials as error:
                failures.append(str(error))
                continue
            if found is not None:
                return Review(with_authenticated_group(found.user), found.audiences)
        return Review(error=_INVALID if len(failures) == 1 else f"[{', '.join(failures)}]")

    async def _ask(self, one: ITokenAuthenticator, token: str, wanted: tuple[str, ...]) -> Recognised | None:
        aware = IAudienceTokenAuthenticator(one, None)
        if aware is not None:
            recognised: Recognised | None = await aware.recognise(token, wanted)
            return recognised
        common = tuple(audience for audience in wanted if audience in self.audiences)
        user = await one.authenticate_token(token) if common else None
        return Recognised(user, common) if user is not None else None
