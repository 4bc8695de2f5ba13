"""Tokens of service accounts: who they stand for, and whether what they are bound to is still there.

Source: the Kubernetes documentation on service account tokens; KEP-1205, KEP-4193.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Protocol

from attrs import frozen
from zope.interface import implementer

from kube_twisted.api.timefmt import parse_time
from kube_twisted.api.user import (
    CREDENTIAL_ID,
    UserInfo,
    service_account_groups,
    service_account_name,
    with_authenticated_group,
)
from kube_twisted.authentication.interfaces import (
    IAudienceTokenAuthenticator,
    InvalidCredentials,
    ITokenAuthenticator,
    Recognised,
)
from kube_twisted.authentication.jwt import BadToken, Signer, parse
from kube_twisted.util.clock import Clock

#: Seconds by which clocks may differ.
LEEWAY = 60
#: How many tokens whose signature was verified are remembered.
CACHE_SIZE = 4096
_EXTRA = "authentication.kubernetes.io/"
_INVALIDATED = "service account token has been invalidated"

_FOREVER = float("inf")

Claims = dict[str, Any]


class ObjectReader(Protocol):
    """Finds accounts, pods, secrets and nodes."""

    def peek(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """The object, not to be changed; None when it isn't there."""


@frozen
class _Bound:
    """An object that must still be there.

    :ivar what: how errors call it.
    :ivar deleted: what they say when it has been in deletion for too long.
    """

    resource: str
    namespace: str
    name: str
    uid: str
    what: str
    deleted: str


@frozen
class _Verified:
    """What a token says whose signature is good.

    :ivar audiences: whom it is for; empty for a token that doesn't say.
    :ivar not_before: and the other times, in seconds since the epoch.
    """

    user: UserInfo
    audiences: tuple[str, ...]
    not_before: float
    issued: float
    expires: float
    bound: tuple[_Bound, ...]


@implementer(ITokenAuthenticator, IAudienceTokenAuthenticator)
class ServiceAccountTokens:
    """Recognises tokens that the server's own key signed.

    :param audiences: the server's own, which a token must be for unless others are asked about.
    """

    def __init__(self, signer: Signer, issuer: str, audiences: Sequence[str], reader: ObjectReader,
                 clock: Clock) -> None:
        self._signer = signer
        self._issuer = issuer
        self._audiences = tuple(audiences)
        self._reader = reader
        self._clock = clock
        self._verified: OrderedDict[bytes, _Verified] = OrderedDict()

    async def authenticate_token(self, token: str) -> UserInfo | None:
        recognised = await self.recognise(token, self._audiences)
        return recognised.user if recognised is not None else None

    async def recognise(self, token: str, audiences: Sequence[str]) -> Recognised | None:
        verified = self._verify(token)
        if verified is None:
            return None
        own = verified.audiences or self._audiences
        common = tuple(one for one in audiences if one in own)
        if not common:
            raise InvalidCredentials(f"token audiences {_quoted(own)} is invalid for the target audiences "
                                     f"{_quoted(audiences)}")
        self._check_times(verified)
        for one in verified.bound:
            self._check_bound(one)
        return Recognised(verified.user, common)

    # -- the token itself -----------------------------------------------------------------------------------

    def _verify(self, token: str) -> _Verified | None:
        """What it says, once the signature is verified; None for tokens of other issuers."""
        digest = sha256(token.encode("utf-8", "surrogateescape")).digest()
        known = self._verified.get(digest)
        if known is not None:
            return known
        try:
            parsed = parse(token)
        except BadToken:
            return None
        if parsed.claims.get("iss") != self._issuer:
            return None
        try:
            self._signer.verify(parsed)
        except BadToken as error:
            raise InvalidCredentials(str(error)) from error
        verified = self._verified[digest] = _read(parsed.claims)
        if len(self._verified) > CACHE_SIZE:
            self._verified.popitem(last=False)
        return verified

    # -- whether it is still good ---------------------------------------------------------------------------

    def _check_times(self, verified: _Verified) -> None:
        now = self._clock.seconds()
        if verified.not_before > now + LEEWAY:
            raise InvalidCredentials("service account token is not valid yet")
        if verified.expires < now - LEEWAY:
            raise InvalidCredentials("service account token has expired")
        if verified.issued > now + LEEWAY:
            raise InvalidCredentials("service account token is issued in the future")

    def _check_bound(self, bound: _Bound) -> None:
        """The object must exist with the uid of the claim, and not be in deletion longer than the leeway."""
        obj = self._reader.peek("", bound.resource, bound.namespace, bound.name)
        if obj is None:
            if bound.resource == "serviceaccounts":
                raise InvalidCredentials(f'serviceaccounts "{bound.name}" not found')
            raise InvalidCredentials(_INVALIDATED)
        meta = obj["metadata"]
        if meta.get("uid") != bound.uid:
            raise InvalidCredentials(f"{bound.what} UID ({meta.get('uid')}) does not match claim ({bound.uid})")
        deletion = meta.get("deletionTimestamp")
        if deletion and parse_time(deletion).timestamp() < self._clock.seconds() - LEEWAY:
            raise InvalidCredentials(bound.deleted)


def _read(claims: Claims) -> _Verified:
    """What the claims mean."""
    private = claims.get("kubernetes.io") or {}
    namespace = private.get("namespace", "")
    account = private.get("serviceaccount") or {}
    name, uid = account.get("name", ""), account.get("uid", "")
    secret, pod, node = private.get("secret"), private.get("pod"), private.get("node")
    bound = [_Bound("serviceaccounts", namespace, name, uid, "service account",
                    f"service account {namespace}/{name} has been deleted")]
    if secret:
        bound.append(_bound("secrets", namespace, secret, "secret"))
    if pod:
        bound.append(_bound("pods", namespace, pod, "pod"))
    elif node:
        bound.append(_bound("nodes", "", node, "node"))
    user = service_account_user(namespace, name, uid, _extra(claims.get("jti", ""), pod, node))
    return _Verified(with_authenticated_group(user), _audiences_of(claims), claims.get("nbf", 0), claims.get("iat", 0),
                     claims.get("exp", _FOREVER), tuple(bound))


def service_account_user(namespace: str, name: str, uid: str = "",
                         extra: dict[str, tuple[str, ...]] | None = None) -> UserInfo:
    """A service account as a user."""
    return UserInfo(service_account_name(namespace, name), uid, service_account_groups(namespace), extra or {})


def _extra(token_id: str, pod: Claims | None, node: Claims | None) -> dict[str, tuple[str, ...]]:
    extra: dict[str, tuple[str, ...]] = {}
    if token_id:
        extra[CREDENTIAL_ID] = (f"JTI={token_id}",)
    for what, claim in (("pod", pod), ("node", node)):
        if claim:
            extra[f"{_EXTRA}{what}-name"] = (claim.get("name", ""),)
            if claim.get("uid"):
                extra[f"{_EXTRA}{what}-uid"] = (claim["uid"],)
    return extra


def _bound(resource: str, namespace: str, claim: Claims, what: str) -> _Bound:
    return _Bound(resource, namespace, claim.get("name", ""), claim.get("uid", ""), what, _INVALIDATED)


def _audiences_of(claims: Claims) -> tuple[str, ...]:
    audiences = claims.get("aud") or ()
    return (audiences,) if isinstance(audiences, str) else tuple(audiences)


def _quoted(audiences: Sequence[str]) -> str:
    return "[" + " ".join(f'"{one}"' for one in audiences) + "]"

