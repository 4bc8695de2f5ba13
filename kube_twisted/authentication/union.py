"""All authenticators as one: the first that knows the user decides; without credentials, anonymous."""

from __future__ import annotations

from attrs import frozen
from twisted.logger import Logger

from kube_twisted.api import errors
from kube_twisted.api.user import ALL_UNAUTHENTICATED, ANONYMOUS, UserInfo, with_authenticated_group
from kube_twisted.authentication.interfaces import IAuthenticator, InvalidCredentials, RequestCredentials

#: Who a request without credentials comes from.
ANONYMOUS_USER = UserInfo(ANONYMOUS, groups=(ALL_UNAUTHENTICATED,))

_log = Logger()


@frozen
class UnionAuthenticator:
    """What the handler chain asks.

    Bad credentials do no harm beside good ones; alone they are a 401, never anonymous.

    :ivar anonymous: whether requests without credentials go on, as ``system:anonymous``.
    """

    authenticators: tuple[IAuthenticator, ...]
    anonymous: bool = True

    async def authenticate(self, credentials: RequestCredentials) -> UserInfo:
        """The user, with the group of all authenticated users added.

        :raises StatusError: 401.
        """
        failures: list[str] = []
        for one in self.authenticators:
            try:
                user = await one.authenticate(credentials)
            except InvalidCredentials as error:
                failures.append(str(error))
                continue
            if user is not None:
                return with_authenticated_group(user)
        if failures:
            _log.info("unable to authenticate the request: {failures}", failures="; ".join(failures))
        elif self.anonymous:
            return ANONYMOUS_USER
        raise errors.unauthorized()
