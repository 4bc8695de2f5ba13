"""Tests for kube_twisted.authentication.jwt."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from functools import cache

import orjson
from cryptography.hazmat.primitives.asymmetric import rsa
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.authentication.jwt import BadToken, Signer, parse


@cache
def signer(number: int = 0) -> Signer:
    """One of several signers."""
    return Signer(rsa.generate_private_key(65537, 2048))


def part(value: object) -> str:
    return urlsafe_b64encode(orjson.dumps(value)).rstrip(b"=").decode()


class SignerTests(SynchronousTestCase):
    """Signing and verifying."""

    def test_round_trip(self) -> None:
        """A token carries its claims, and its key knows it again."""
        token = parse(signer().sign({"b": 1, "a": "é"}))
        signer().verify(token)
        self.assertEqual(token.claims, {"a": "é", "b": 1})
        self.assertEqual(token.header, {"alg": "RS256", "kid": signer().key_id})

    def test_changed_claims(self) -> None:
        """A token whose claims were changed is refused."""
        head, _, signature = signer().sign({"sub": "a"}).split(".")
        self.assertRaises(BadToken, signer().verify, parse(f"{head}.{part({'sub': 'b'})}.{signature}"))

    def test_other_key(self) -> None:
        """A token of another key is refused, whether it names that key or none."""
        self.assertRaises(BadToken, signer().verify, parse(signer(1).sign({})))
        _, claims, signature = signer(1).sign({}).split(".")
        self.assertRaises(BadToken, signer().verify, parse(f"{part({'alg': 'RS256'})}.{claims}.{signature}"))

    def test_other_algorithm(self) -> None:
        """Unsigned tokens, and algorithms other than RS256, are refused."""
        for algorithm in ("none", "HS256", None):
            token = parse(f"{part({'alg': algorithm})}.{part({})}.")
            self.assertRaises(BadToken, signer().verify, token)

    def test_no_tokens(self) -> None:
        """Texts that are no tokens."""
        for text in ("", "a.b", "a.b.c", f"{part([])}.{part({})}.", f"{part({})}.{part(1)}.", "é.é.é",
                     "e30=.e30.", f"{part({})}.{part({})}..", "e3+.e30."):
            self.assertRaises(BadToken, parse, text)

    def test_key_set(self) -> None:
        """The key set has the public numbers, in base64 for URLs."""
        key, = signer().key_set()["keys"]
        self.assertEqual((key["kty"], key["use"], key["alg"], key["e"]), ("RSA", "sig", "RS256", "AQAB"))
        self.assertEqual(key["kid"], signer().key_id)
        self.assertEqual(len(key["n"]), 342)
