"""Puts the authenticators together as the configuration wants them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen
from cryptography.x509 import Certificate

from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.authentication.bearer import BearerAuthenticator
from kube_twisted.authentication.interfaces import ITokenAuthenticator
from kube_twisted.authentication.tokens import StaticTokens, TokenFile
from kube_twisted.authentication.union import UnionAuthenticator
from kube_twisted.authentication.x509 import X509Authenticator, load_authorities
from kube_twisted.config.authentication import AuthenticationSettings
from kube_twisted.util.clock import Clock

#: Who the administrator's token stands for.
ADMIN = UserInfo("admin", "admin", (SYSTEM_MASTERS,))


@frozen
class Authentication:
    """The authenticators of a server, and what of them has a life of its own.

    :ivar client_authorities: who may issue client certificates; TLS names them to clients.
    :ivar tokens: the authenticators of bearer tokens.
    """

    authenticator: UnionAuthenticator
    client_authorities: tuple[Certificate, ...]
    token_file: TokenFile | None
    tokens: tuple[ITokenAuthenticator, ...]

    def start(self, clock: Clock) -> None:
        if self.token_file is not None:
            self.token_file.start(clock)

    def stop(self) -> None:
        if self.token_file is not None:
            self.token_file.stop()


def new_authentication(settings: AuthenticationSettings, authority: Certificate, admin_token: str,
                       clock: Clock, more_tokens: Sequence[ITokenAuthenticator] = ()) -> Authentication:
    """Certificates first, then the administrator's token, the token file, ``more_tokens``; anonymous at last.

    :param more_tokens: such as those of service accounts.
    :raises ClientCAError: when the client CA file is no good.
    :raises TokenFileError: when the token file is no good.
    """
    more_authorities = load_authorities(settings.client_ca_file) if settings.client_ca_file else []
    authorities = (authority, *more_authorities)
    token_file = TokenFile(settings.token_file) if settings.token_file else None
    tokens: list[ITokenAuthenticator] = [StaticTokens({admin_token: ADMIN})]
    if token_file is not None:
        tokens.append(token_file)
    all_tokens = (*tokens, *more_tokens)
    bearer = BearerAuthenticator(all_tokens)
    union = UnionAuthenticator((X509Authenticator(authorities, clock), bearer), settings.anonymous)
    return Authentication(union, authorities, token_file, all_tokens)
