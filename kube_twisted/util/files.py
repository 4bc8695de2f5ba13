"""Private files, written so that a reader sees the old or the new text, never half of it."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import ENOTDIR
from pathlib import Path

#: Readable for the owner alone.
PRIVATE = 0o600


def write_private(path: Path, data: bytes) -> None:
    """Replace the file's contents at once and durably; mode 0600.

    :raises OSError: when it cannot be written; the old file is then untouched.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def make_private_directory(path: Path) -> None:
    """Make it, with its parents, when missing: mode 0700. An existing one is left as it is.

    :raises OSError: when it cannot be made, or is no directory.
    """
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(path)) from None
