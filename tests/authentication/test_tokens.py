"""Bearer tokens, in headers and in files."""

from __future__ import annotations

import os
from pathlib import Path

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase
from zope.interface import implementer
from zope.interface.verify import verifyObject

from kube_twisted.api.user import UserInfo
from kube_twisted.authentication.bearer import EXTRA_SPACE, BearerAuthenticator
from kube_twisted.authentication.interfaces import IAuthenticator, InvalidCredentials, ITokenAuthenticator
from kube_twisted.authentication.tokens import (
    RELOAD_INTERVAL,
    StaticTokens,
    TokenFile,
    TokenFileError,
    read_token_file,
)
from kube_twisted.util.clock import Clock
from tests.authentication.credentials import Presented

JANE = UserInfo("jane", "7", ("team", "system:authenticated"))


@implementer(ITokenAuthenticator)
class Expired:
    """Knows every token, and all have expired."""

    async def authenticate_token(self, token: str) -> UserInfo | None:
        raise InvalidCredentials(f"{token} has expired")


class BearerTests(SynchronousTestCase):
    def ask(self, header: str, *tokens: ITokenAuthenticator) -> Deferred[UserInfo | None]:
        bearer = BearerAuthenticator(tokens or (StaticTokens({"secret": JANE}),))
        verifyObject(IAuthenticator, bearer)
        self.presented = Presented(header)
        return Deferred.fromCoroutine(bearer.authenticate(self.presented))

    def test_known_token(self) -> None:
        """The scheme may be in any case; words after the token and spaces around do no harm."""
        for header in ("Bearer secret", "bearer secret", "BEARER secret extra", " Bearer secret "):
            self.assertEqual(self.successResultOf(self.ask(header)), JANE, header)
            self.assertEqual(self.presented.warnings, [])

    def test_no_token(self) -> None:
        """No header, another scheme or a scheme alone are no credentials."""
        for header in ("", "Bearer", "Bearer ", "Basic YWxhZGRpbjpvcGVu", "Token secret", "Bearersecret x"):
            self.assertIsNone(self.successResultOf(self.ask(header)), header)
            self.assertEqual(self.presented.warnings, [])

    def test_two_spaces(self) -> None:
        """A token behind two spaces is ignored, with a warning."""
        self.assertIsNone(self.successResultOf(self.ask("Bearer  secret")))
        self.assertEqual(self.presented.warnings, [EXTRA_SPACE])

    def test_unknown_token(self) -> None:
        """A token that none knows is an error, also one that is no text."""
        self.failureResultOf(self.ask("Bearer other"), InvalidCredentials)
        self.failureResultOf(self.ask("Bearer \udcff"), InvalidCredentials)

    def test_several_authenticators(self) -> None:
        """One that refuses a token doesn't stop the next one; when all fail, the error tells why."""
        good = StaticTokens({"secret": JANE})
        self.assertEqual(self.successResultOf(self.ask("Bearer secret", Expired(), good)), JANE)
        failure = self.failureResultOf(self.ask("Bearer other", Expired(), good), InvalidCredentials)
        self.assertEqual(failure.getErrorMessage(), "other has expired")


class TokenFileTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.path = Path(self.mktemp())
        self.time = FakeTime()

    def write(self, text: str | bytes) -> None:
        self.path.write_bytes(text.encode() if isinstance(text, str) else text)
        self.stamp = getattr(self, "stamp", 0) + 1_000_000_000
        os.utime(self.path, ns=(self.stamp, self.stamp))

    def user(self, tokens: TokenFile, token: str) -> UserInfo | None:
        return self.successResultOf(Deferred.fromCoroutine(tokens.authenticate_token(token)))

    def test_columns(self) -> None:
        """Token, name and uid, then groups if there are any; an empty token and empty lines are skipped."""
        self.write('t1,jane,7,"a,b"\n\nt2,joe,8\n,nobody,9\n')
        self.assertEqual(read_token_file(self.path), {"t1": UserInfo("jane", "7", ("a", "b")),
                                                      "t2": UserInfo("joe", "8")})

    def test_later_lines_win(self) -> None:
        """Of two lines with the same token the later one counts."""
        self.write("t,jane,7\nt,joe,8\n")
        self.assertEqual(read_token_file(self.path)["t"].name, "joe")

    def test_bad_files(self) -> None:
        """A file that cannot be used is named with the reason."""
        name = f"token file {self.path}: "
        self.assertEqual(str(self.assertRaises(TokenFileError, TokenFile, self.path)),
                         name + "No such file or directory")
        self.write("t,jane\n")
        self.assertEqual(str(self.assertRaises(TokenFileError, TokenFile, self.path)),
                         name + "each line needs at least 3 columns (token, user name, user uid), found 2")
        for text in (b"\xff,a,b", b't,"jane,7'):
            self.write(text)
            self.assertTrue(str(self.assertRaises(TokenFileError, TokenFile, self.path)).startswith(name))

    def test_reload(self) -> None:
        """A changed file counts soon, for tokens that came and for those that went; until stopped."""
        self.write("t1,jane,7\n")
        tokens = TokenFile(self.path)
        verifyObject(ITokenAuthenticator, tokens)
        tokens.start(Clock(self.time))
        self.write("t2,joe,8\n")
        self.assertIsNone(self.user(tokens, "t2"))
        self.time.advance(RELOAD_INTERVAL)
        self.assertEqual(self.user(tokens, "t2"), UserInfo("joe", "8", ("system:authenticated",)))
        self.assertIsNone(self.user(tokens, "t1"))
        tokens.stop()
        self.assertEqual(self.time.getDelayedCalls(), [])

    def test_bad_reload_keeps_the_old_tokens(self) -> None:
        """A file that became bad or vanished changes nothing, and a good one counts again."""
        self.write("t1,jane,7\n")
        tokens = TokenFile(self.path)
        self.write("t2\n")
        tokens.reload_if_changed()
        self.path.unlink()
        tokens.reload_if_changed()
        self.assertIsNotNone(self.user(tokens, "t1"))
        self.write("t3,joe,8\n")
        tokens.reload_if_changed()
        self.assertIsNotNone(self.user(tokens, "t3"))
