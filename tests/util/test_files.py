"""Private files, replaced at once."""

from __future__ import annotations

import stat
from pathlib import Path

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.util.files import make_private_directory, write_private


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


class FilesTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.folder = Path(self.mktemp())

    def test_private(self) -> None:
        """Files and directories are for the owner alone, and no draft is left behind."""
        make_private_directory(self.folder)
        write_private(self.folder / "key", b"one")
        write_private(self.folder / "key", b"two")
        self.assertEqual((self.folder / "key").read_bytes(), b"two")
        self.assertEqual((mode(self.folder), mode(self.folder / "key")), (0o700, 0o600))
        self.assertEqual([one.name for one in self.folder.iterdir()], ["key"])

    def test_existing_directory(self) -> None:
        """A directory that exists keeps its mode."""
        self.folder.mkdir(mode=0o755)
        make_private_directory(self.folder)
        self.assertEqual(mode(self.folder), 0o755)

    def test_not_a_directory(self) -> None:
        """A file in the place of the directory, or of a parent, is an error that names the path."""
        self.folder.write_bytes(b"")
        self.assertRaisesRegex(NotADirectoryError, str(self.folder), make_private_directory, self.folder)
        self.assertRaises(NotADirectoryError, make_private_directory, self.folder / "inner")

    def test_failed_write(self) -> None:
        """A write that fails leaves neither a draft nor a changed file."""
        (self.folder / "key" / "inner").mkdir(parents=True)
        self.assertRaises(OSError, write_private, self.folder / "key", b"new")
        self.assertEqual([one.name for one in self.folder.iterdir()], ["key"])
