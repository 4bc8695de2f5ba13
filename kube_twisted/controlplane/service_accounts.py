"""Service account tokens of one server: what makes them and what recognises them, with the same key."""

from __future__ import annotations

from attrs import frozen
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

from kube_twisted.authentication.jwt import Signer
from kube_twisted.authentication.service_account import ObjectReader, ServiceAccountTokens
from kube_twisted.controlplane.special.token_issuer import TokenIssuer
from kube_twisted.util.clock import Clock


@frozen
class ServiceAccounts:
    """:ivar audiences: of tokens that are meant for the server itself."""

    issuer: TokenIssuer
    tokens: ServiceAccountTokens
    audiences: tuple[str, ...]


def new_service_accounts(issuer: str, key: RSAPrivateKey, reader: ObjectReader,
                         clock: Clock) -> ServiceAccounts:
    """:param issuer: its URL, which is the only audience as well."""
    signer, audiences = Signer(key), (issuer,)
    return ServiceAccounts(TokenIssuer(signer, issuer, audiences, clock),
                           ServiceAccountTokens(signer, issuer, audiences, reader, clock), audiences)
