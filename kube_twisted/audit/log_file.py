"""A file that lines are added to: it is put aside when it is full, and old ones are removed.

The names, and what is kept, are those of lumberjack, which kube-apiserver uses. Works in a thread of its own.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

_MEGABYTE = 1024 * 1024
_STAMP = "%Y-%m-%dT%H-%M-%S"


class StandardOutput:
    """Lines go to the standard output."""

    def write(self, lines: bytes) -> None:
        """:raises OSError: when they can't be written."""
        sys.stdout.buffer.write(lines)
        sys.stdout.buffer.flush()

    def close(self) -> None:
        """It is not ours."""


@frozen
class Rotation:
    """When a file is put aside, and which of those are kept.

    :ivar megabytes: of one file.
    :ivar days: how old files may be; 0 for any age.
    :ivar backups: how many are kept; 0 for any number.
    :ivar compress: whether they are packed with gzip.
    """

    megabytes: int = 100
    days: int = 366
    backups: int = 100
    compress: bool = False


class LogFile:
    """:param now: tells the time, in UTC.
    """

    def __init__(self, path: Path, rotation: Rotation, now: Callable[[], datetime]) -> None:
        self._path = path
        self._rotation = rotation
        self._now = now
        self._file: BinaryIO | None = None
        self._size = 0

    def write(self, lines: bytes) -> None:
        """:raises OSError: when they can't be written."""
        file = self._file if self._file is not None else self._open()
        if self._size and self._size + len(lines) > self._rotation.megabytes * _MEGABYTE:
            file = self._rotate()
        file.write(lines)
        file.flush()
        self._size += len(lines)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> BinaryIO:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o744)
        file = self._file = open(self._path, "ab", opener=_private)  # noqa: SIM115
        self._size = file.tell()
        return file

    def _rotate(self) -> BinaryIO:
        self.close()
        now = self._now()
        stamp = f"{now.strftime(_STAMP)}.{now.microsecond // 1000:03}"
        self._path.rename(self._path.with_name(f"{self._path.stem}-{stamp}{self._path.suffix}"))
        self._prune()
        return self._open()

    def _prune(self) -> None:
        """Remove what is too old or too much, and pack the rest."""
        kept = self._backups()
        rotation = self._rotation
        if rotation.backups:
            _remove(kept[rotation.backups:])
            kept = kept[:rotation.backups]
        if rotation.days:
            oldest = self._now() - timedelta(days=rotation.days)
            _remove([one for one in kept if one[0] < oldest])
            kept = [one for one in kept if one[0] >= oldest]
        if rotation.compress:
            for _, path in kept:
                if path.suffix != ".gz":
                    _compress(path)

    def _backups(self) -> list[tuple[datetime, Path]]:
        """Files that were put aside, the newest first."""
        found = []
        for path in self._path.parent.glob(f"{self._path.stem}-*{self._path.suffix}*"):
            stamp = path.name.removesuffix(".gz").removesuffix(self._path.suffix)[len(self._path.stem) + 1:]
            with suppress(ValueError):
                found.append((datetime.strptime(stamp, f"{_STAMP}.%f").replace(tzinfo=UTC), path))
        return sorted(found, reverse=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _remove(files: list[tuple[datetime, Path]]) -> None:
    for _, path in files:
        path.unlink(missing_ok=True)


def _compress(path: Path) -> None:
    packed = path.with_name(path.name + ".gz")
    with path.open("rb") as source, gzip.open(packed, "wb") as target:
        shutil.copyfileobj(source, target)
    packed.chmod(0o600)
    path.unlink()
