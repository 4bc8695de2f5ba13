"""All authenticators together, and their assembly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.serialization import Encoding
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import (
    ALL_AUTHENTICATED,
    ALL_UNAUTHENTICATED,
    ANONYMOUS,
    SYSTEM_MASTERS,
    UserInfo,
    with_authenticated_group,
)
from kube_twisted.authentication.assembly import Authentication, new_authentication
from kube_twisted.authentication.tokens import StaticTokens, TokenFileError
from kube_twisted.authentication.union import ANONYMOUS_USER
from kube_twisted.authentication.x509 import ClientCAError
from kube_twisted.config.authentication import AuthenticationSettings
from kube_twisted.util.clock import Clock
from tests.authentication.certs import COMMON_NAME, NOW, issue
from tests.authentication.credentials import Presented

ROOT = issue([(COMMON_NAME, "root")], authority=True)
CLIENT = issue([(COMMON_NAME, "jane")], ROOT)
STRANGER = issue([(COMMON_NAME, "jane")])


class AuthenticationTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.time = FakeTime()
        self.time.advance(NOW.timestamp())
        self.clock = Clock(self.time)

    def assemble(self, **settings: Any) -> Authentication:
        more = [StaticTokens({"sa": UserInfo("system:serviceaccount:ns:x")})]
        return new_authentication(AuthenticationSettings(**settings), ROOT.certificate, "admintoken",
                                  self.clock, more)

    def ask(self, authorization: str = "", *chain: bytes, **settings: Any) -> Deferred[UserInfo]:
        union = self.assemble(**settings).authenticator
        return Deferred.fromCoroutine(union.authenticate(Presented(authorization, chain)))

    def refused(self, *args: Any, **settings: Any) -> None:
        error = self.failureResultOf(self.ask(*args, **settings), StatusError).value
        self.assertEqual(error.status(), {
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": "Unauthorized", "reason": "Unauthorized", "code": 401})

    def test_administrator(self) -> None:
        """The administrator's token is that of a member of system:masters."""
        user = self.successResultOf(self.ask("Bearer admintoken"))
        self.assertEqual((user.name, user.groups), ("admin", (SYSTEM_MASTERS, ALL_AUTHENTICATED)))

    def test_certificate(self) -> None:
        """A certificate of the server's authority makes an authenticated user."""
        user = self.successResultOf(self.ask("", CLIENT.der))
        self.assertEqual((user.name, user.groups), ("jane", (ALL_AUTHENTICATED,)))

    def test_certificate_before_token(self) -> None:
        """With both good the certificate counts."""
        self.assertEqual(self.successResultOf(self.ask("Bearer admintoken", CLIENT.der)).name, "jane")

    def test_bad_beside_good(self) -> None:
        """Bad credentials do no harm beside good ones."""
        self.assertEqual(self.successResultOf(self.ask("Bearer admintoken", STRANGER.der)).name, "admin")
        self.assertEqual(self.successResultOf(self.ask("Bearer nope", CLIENT.der)).name, "jane")

    def test_bad_credentials(self) -> None:
        """Bad credentials alone are 401, never anonymous."""
        self.refused("Bearer nope")
        self.refused("", STRANGER.der)
        self.refused("Bearer nope", STRANGER.der)

    def test_anonymous(self) -> None:
        """Without credentials a request is anonymous, or 401 where that is off."""
        self.assertEqual(self.successResultOf(self.ask()), UserInfo(ANONYMOUS, groups=(ALL_UNAUTHENTICATED,)))
        self.assertEqual(self.successResultOf(self.ask("Basic x")), ANONYMOUS_USER)
        self.refused(anonymous=False)
        self.refused("Basic x", anonymous=False)

    def test_more_tokens(self) -> None:
        """Further token authenticators are asked after the administrator's."""
        user = self.successResultOf(self.ask("Bearer sa"))
        self.assertEqual(user.name, "system:serviceaccount:ns:x")

    def test_files(self) -> None:
        """Tokens and authorities of the configured files count beside the server's own."""
        tokens, authorities = Path(self.mktemp()), Path(self.mktemp())
        tokens.write_text("t,joe,8")
        authorities.write_bytes(STRANGER.certificate.public_bytes(Encoding.PEM))
        files = {"token_file": tokens, "client_ca_file": authorities}
        self.assertEqual(self.successResultOf(self.ask("Bearer t", **files)).name, "joe")
        self.assertEqual(self.successResultOf(self.ask("Bearer admintoken", **files)).name, "admin")
        assembled = self.assemble(**files)
        self.assertEqual(assembled.client_authorities, (ROOT.certificate, STRANGER.certificate))
        assembled.start(self.clock)
        self.assertEqual(len(self.time.getDelayedCalls()), 1)
        assembled.stop()
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_nothing_to_start(self) -> None:
        """Without a token file there is no timer."""
        assembled = self.assemble()
        assembled.start(self.clock)
        self.assertEqual(self.time.getDelayedCalls(), [])
        assembled.stop()

    def test_missing_files(self) -> None:
        """Files that are missing end the start."""
        self.assertRaises(TokenFileError, self.assemble, token_file=Path("missing"))
        self.assertRaises(ClientCAError, self.assemble, client_ca_file=Path("missing"))

    def test_group_adder(self) -> None:
        """The anonymous user and members of either group stay as they are."""
        for user in (ANONYMOUS_USER, UserInfo(ANONYMOUS), UserInfo("x", groups=(ALL_AUTHENTICATED,)),
                     UserInfo("x", groups=(ALL_UNAUTHENTICATED,))):
            self.assertIs(with_authenticated_group(user), user)
