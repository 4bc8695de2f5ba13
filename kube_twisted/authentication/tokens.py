"""Static tokens: the administrator's, and those of the token file."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from twisted.internet.task import LoopingCall
from twisted.logger import Logger
from zope.interface import implementer

from kube_twisted.api.user import UserInfo, with_authenticated_group
from kube_twisted.authentication.interfaces import ITokenAuthenticator
from kube_twisted.util.clock import Clock
from kube_twisted.util.starting import StartError

#: Seconds between two looks at the token file.
RELOAD_INTERVAL = 10.0


class TokenFileError(StartError):
    """The token file cannot be used; the text names it."""


def _digest(token: str) -> bytes:
    """Tokens are kept and looked up by digest, so that a lookup's time says nothing about a token."""
    return sha256(token.encode("utf-8", "surrogateescape")).digest()


@implementer(ITokenAuthenticator)
class StaticTokens:
    """Tokens known at the start."""

    def __init__(self, users: Mapping[str, UserInfo]) -> None:
        self._users = {_digest(token): with_authenticated_group(user) for token, user in users.items()}

    async def authenticate_token(self, token: str) -> UserInfo | None:
        return self._users.get(_digest(token))


@implementer(ITokenAuthenticator)
class TokenFile:
    """Tokens of a CSV file, one a line: ``token,user,uid,"group1,group2"``, the groups being optional.

    The file is read again when it changes; when it is bad then, the old tokens stay and the log says why.

    :raises TokenFileError: when it cannot be used at the start.
    """

    _log = Logger()

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = _stamp(path)
        self._tokens = StaticTokens(read_token_file(path))
        self._loop: LoopingCall | None = None

    async def authenticate_token(self, token: str) -> UserInfo | None:
        return await self._tokens.authenticate_token(token)

    def start(self, clock: Clock) -> None:
        """Look for changes from now on."""
        self._loop = clock.looping_call(self.reload_if_changed)
        self._loop.start(RELOAD_INTERVAL, now=False)

    def stop(self) -> None:
        if self._loop is not None and self._loop.running:
            self._loop.stop()

    def reload_if_changed(self) -> None:
        """Read the file again if its size or time of change is another than before."""
        try:
            stamp = _stamp(self._path)
            if stamp == self._stamp:
                return
            self._tokens = StaticTokens(read_token_file(self._path))
            self._stamp = stamp
        except TokenFileError as error:
            self._log.error("keeping the tokens read before: {error}", error=error)
        else:
            self._log.info("read {path} again", path=str(self._path))


def read_token_file(path: Path) -> dict[str, UserInfo]:
    """Token -> user; of two lines with the same token the later one counts, and an empty token is skipped.

    :raises TokenFileError: when the file cannot be read or a line has fewer than three columns.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = [row for row in csv.reader(stream, strict=True) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise TokenFileError(f"token file {path}: {reason}") from error
    return {row[0]: _user(path, row) for row in rows if len(row) < 3 or row[0]}


def _user(path: Path, row: list[str]) -> UserInfo:
    if len(row) < 3:
        raise TokenFileError(f"token file {path}: each line needs at least 3 columns "
                             f"(token, user name, user uid), found {len(row)}")
    return UserInfo(row[1], row[2], tuple(row[3].split(",")) if len(row) > 3 else ())


def _stamp(path: Path) -> tuple[int, int, int]:
    try:
        status = path.stat()
    except OSError as error:
        raise TokenFileError(f"token file {path}: {error.strerror}") from error
    return status.st_mtime_ns, status.st_size, status.st_ino
