"""The contracts of authentication: what is asked of a request, and what an authenticator answers."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Protocol

from attrs import frozen
from zope.interface import Interface

from kube_twisted.api.user import UserInfo


class RequestCredentials(Protocol):
    """What authenticators look at; the HTTP layer's request provides it."""

    @property
    def peer_certificates(self) -> tuple[bytes, ...]:
        """The client's certificate and its intermediates, each DER; empty without one. Not yet verified."""

    @property
    def authorization(self) -> str:
        """The value of the Authorization header, empty without one."""

    def add_warning(self, text: str) -> None:
        """Have the answer carry a ``Warning: 299`` header with this text."""


class InvalidCredentials(Exception):
    """Credentials were sent, and they are no good. The text is for the log only."""


class IAuthenticator(Interface):
    """Recognises one kind of credentials."""

    def authenticate(credentials: RequestCredentials) -> Awaitable[UserInfo | None]:
        """The user; None without credentials of this kind. :class:`InvalidCredentials`."""


class ITokenAuthenticator(Interface):
    """Recognises bearer tokens of one kind."""

    def authenticate_token(token: str) -> Awaitable[UserInfo | None]:
        """The user; None for a token of another kind or an unknown one. :class:`InvalidCredentials`."""


@frozen
class Recognised:
    """Whom a token stands for, and for which of the audiences asked about it is meant."""

    user: UserInfo
    audiences: tuple[str, ...]


class IAudienceTokenAuthenticator(Interface):
    """Recognises tokens that are meant for certain audiences only."""

    def recognise(token: str, audiences: Sequence[str]) -> Awaitable[Recognised | None]:
        """The user, for at least one of the audiences; None for a token of another kind.

        :class:`InvalidCredentials` for a token that is no good, or for nobody among the audiences.
        """
