"""JSON Web Tokens signed with RSA and SHA-256 (RS256), and the key set that others verify them with.

Source: RFC 7515, 7517 and 7519.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from hashlib import sha256
from typing import Any

import orjson
from attrs import frozen
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ALGORITHM = "RS256"


class BadToken(Exception):
    """The text is no such token, or nobody's we know; the message says why."""


@frozen
class Parsed:
    """A token taken apart, its signature not verified yet."""

    header: dict[str, Any]
    claims: dict[str, Any]
    signed: bytes
    signature: bytes


def parse(token: str) -> Parsed:
    """Take a token apart.

    :raises BadToken: when it is none.
    """
    parts = token.split(".")
    if len(parts) != 3:
        raise BadToken("not three parts")
    try:
        header, claims = (orjson.loads(_decoded(one)) for one in parts[:2])
        signature = _decoded(parts[2])
    except (Base64Error, ValueError) as error:
        raise BadToken("not base64 or not JSON") from error
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise BadToken("not JSON objects")
    return Parsed(header, claims, token.rpartition(".")[0].encode(), signature)


class Signer:
    """One key: signs tokens and recognises its own.

    :ivar key_id: derived from the public key, one way.
    """

    def __init__(self, key: RSAPrivateKey) -> None:
        self._key = key
        self.public_key: RSAPublicKey = key.public_key()
        der = self.public_key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.key_id = _encoded(sha256(der).digest())
        self._header = _encoded(orjson.dumps({"alg": ALGORITHM, "kid": self.key_id}))

    def sign(self, claims: dict[str, Any]) -> str:
        """A token with these claims."""
        text = f"{self._header}.{_encoded(orjson.dumps(claims, option=orjson.OPT_SORT_KEYS))}"
        return f"{text}.{_encoded(self._key.sign(text.encode(), PKCS1v15(), SHA256()))}"

    def verify(self, token: Parsed) -> None:
        """Check that this key signed the token.

        :raises BadToken: when it did not.
        """
        if token.header.get("kid", self.key_id) != self.key_id:
            raise BadToken("invalid signature, no keys found")
        if token.header.get("alg") != ALGORITHM:
            raise BadToken("unexpected signature algorithm")
        try:
            self.public_key.verify(token.signature, token.signed, PKCS1v15(), SHA256())
        except InvalidSignature:
            raise BadToken("error in cryptographic primitive") from None

    def key_set(self) -> dict[str, Any]:
        """The public key as a JSON Web Key Set."""
        numbers = self.public_key.public_numbers()
        return {"keys": [{"use": "sig", "kty": "RSA", "kid": self.key_id, "alg": ALGORITHM,
                          "n": _number(numbers.n), "e": _number(numbers.e)}]}


def _number(value: int) -> str:
    return _encoded(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    if "=" in text or not text.isascii() or "+" in text or "/" in text:
        raise ValueError("not unpadded base64 for URLs")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
