"""Tests of continue tokens."""

from __future__ import annotations

import base64
from typing import Any

import orjson
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.continue_token import decode_token, encode_token

PREFIX = "/registry/configmaps/"


def token(document: Any) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(document)).rstrip(b"=").decode()


class TokenTests(SynchronousTestCase):
    def test_round_trip(self) -> None:
        """A token holds the snapshot and the key to go on from, without the resource's prefix."""
        made = encode_token(7, PREFIX + "ns/a\0", PREFIX)
        self.assertEqual(decode_token(made, PREFIX), (7, PREFIX + "ns/a\0"))
        self.assertEqual(decode_token(made, "/other/"), (7, "/other/ns/a\0"))
        self.assertNotIn("=", made)

    def test_of_the_original(self) -> None:
        """A token that kube-apiserver made is understood."""
        made = "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJucy9hXHUwMDAwIn0"
        self.assertEqual(decode_token(made, PREFIX), (5, PREFIX + "ns/a\0"))

    def test_bad_tokens(self) -> None:
        """What is no token is 400 with the reason."""
        good = {"v": "meta.k8s.io/v1", "rv": 5, "start": "a"}
        rows: tuple[tuple[str, str], ...] = (
            ("%", "illegal base64 data at input byte 0"), ("ébc", "illegal base64 data at input byte 0"),
            ("e30=", "illegal base64 data at input byte 3"), ("abcde", "illegal base64 data at input byte 4"),
            ("garbage", "invalid character '\\x81' looking for beginning of value"),
            ("eyJ2Ijoi", "unexpected end of JSON input"), (token("x")[:-1] + "_", "unexpected end"),
            ("Z2FyYmFnZQ", "invalid character 'g' looking for beginning of value"),
            (token({}), "server does not recognize this encoded version "),
            (token([]), "json: cannot unmarshal array into Go value of type storage.continueToken"),
            (token({"v": 1}), "json: cannot unmarshal number into Go struct field continueToken.v of type string"),
            (token(None), "does not recognize"), (token({**good, "v": "v9"}), "encoded version v9"),
            (token({**good, "rv": 0}), "incorrect encoded start resourceVersion"),
            (token({**good, "rv": "5"}), "cannot unmarshal string into Go struct field continueToken.rv of type int64"),
            (token({**good, "rv": True}), "cannot unmarshal bool into Go struct field continueToken.rv"),
            (token({**good, "rv": 1.5}), "cannot unmarshal number 1.5 into Go struct field continueToken.rv"),
            (token({**good, "start": ""}), "start key empty"),
            (token({**good, "start": 1}), "cannot unmarshal number into Go struct field continueToken.start"),
            *((token({**good, "start": start}), f"not valid: {start}")
              for start in ("../x", "a/../x", "a//x", "//x", "a/./x", "a/")))
        for text, why in rows:
            error = self.assertRaises(StatusError, decode_token, text, PREFIX)
            self.assertEqual(error.code, 400, text)
            self.assertIn(why, error.message)
            self.assertTrue(error.message.startswith("invalid continue token: continue key is not valid: "))
