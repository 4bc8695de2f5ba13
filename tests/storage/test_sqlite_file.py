"""Opening the file of a store: owned by one, made for its user alone, clear words when it can't be used."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

from twisted.internet import reactor
from twisted.internet.task import Clock as FakeTime
from twisted.trial.unittest import SynchronousTestCase, TestCase

from kube_twisted.storage.interfaces import Create, StoreUnusable
from kube_twisted.storage.sqlite import SqliteStore
from kube_twisted.storage.sqlite_file import StoreFile
from kube_twisted.util.clock import Clock

ROOT = Path(__file__).parents[2]
OPEN_ELSEWHERE = """
import sys
from kube_twisted.storage.sqlite_file import StoreFile
StoreFile(sys.argv[1]).open()
print("open", flush=True)
sys.stdin.read()
"""


class OpenTests(SynchronousTestCase):
    """``StoreFile.open``."""

    def setUp(self) -> None:
        self.path = os.path.abspath(os.path.join(self.mktemp(), "state.db"))
        self.file = StoreFile(self.path)

    def fill(self, *statements: str) -> None:
        """A database made by someone else, or changed by hand."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        connection = sqlite3.connect(self.path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    def make(self) -> None:
        """A store's file, closed."""
        self.file.open().close()
        self.file.close()

    def reason(self) -> str:
        """Why the file cannot be used, without its name; asking beforehand tells the same."""
        text, beforehand = (str(self.assertRaises(StoreUnusable, way)) for way in (self.file.open, self.file.verify))
        self.assertEqual(beforehand, text)
        self.assertTrue(text.startswith(self.path), text)
        self.assertNotIn("\n", text)
        return text[len(self.path) + 1:]

    def test_durable(self) -> None:
        """A commit is synced to the disk's write-ahead log before it returns."""
        connection = self.file.open()
        settings = [connection.execute(f"PRAGMA {name}").fetchone()[0]
                    for name in ("journal_mode", "synchronous")]
        connection.close()
        self.file.close()
        self.assertEqual(settings, ["wal", 2])

    def test_private(self) -> None:
        """The folder and the files are made for their user alone: there are secrets in them."""
        self.make()
        modes = [stat.S_IMODE(os.stat(path).st_mode)
                 for path in (os.path.dirname(self.path), self.path, self.path + ".lock")]
        self.assertEqual(modes, [0o700, 0o600, 0o600])

    def test_reader_cannot_write(self) -> None:
        """The connection for reading refuses to write."""
        connection, reader = self.file.open(), self.file.open_reader()
        self.assertRaises(sqlite3.OperationalError, reader.execute, "DELETE FROM log")
        reader.close()
        connection.close()
        self.file.close()

    def test_not_a_database(self) -> None:
        """A file of another kind."""
        os.makedirs(os.path.dirname(self.path))
        Path(self.path).write_bytes(b"apiVersion: v1\n" * 1000)
        self.assertEqual(self.reason(), "cannot be used: file is not a database")

    def test_foreign(self) -> None:
        """A database of another program is not touched."""
        self.fill("CREATE TABLE kine (id INTEGER)")
        self.assertEqual(self.reason(), "is the database of another program")

    def test_newer(self) -> None:
        """A file of a later version of the schema is not touched."""
        self.make()
        self.fill("PRAGMA user_version = 7")
        self.assertEqual(self.reason(),
                         "was written by a newer version: its schema is 7, the newest known here is 1")

    def test_folder_in_place(self) -> None:
        """A folder where the file should be."""
        os.makedirs(self.path)
        self.assertEqual(self.reason(), "cannot be used: Is a directory")

    def test_no_folder(self) -> None:
        """A file where the folder should be."""
        Path(os.path.dirname(self.path)).write_text("")
        self.assertEqual(self.reason(), "cannot be used: File exists")

    def test_locked_in_process(self) -> None:
        """A second store of the same process is refused, until the first gives the file up."""
        connection = self.file.open()
        error = self.assertRaises(StoreUnusable, StoreFile(self.path).open)
        self.assertEqual(str(error), f"{self.path} is locked by process {os.getpid()}")
        connection.close()
        self.file.close()
        self.make()

    def test_locked_by_another(self) -> None:
        """A second process is refused, until the first ends in whatever way."""
        command = [sys.executable, "-c", OPEN_ELSEWHERE, self.path]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as other:
            assert other.stdout is not None
            self.assertEqual(other.stdout.readline(), b"open\n")
            self.assertEqual(self.reason(), f"is locked by process {other.pid}")
            other.kill()
        self.make()

    def test_verify_gives_up(self) -> None:
        """Asking whether a file can be used leaves it free, and makes no database."""
        self.file.verify()
        self.assertFalse(os.path.exists(self.path))
        self.make()
        before = Path(self.path).read_bytes()
        self.file.verify()
        self.assertEqual(Path(self.path).read_bytes(), before)
        self.make()

    def test_verify_after_a_crash(self) -> None:
        """What a process that was killed has left in its write-ahead log is neither complained of nor touched."""
        command = [sys.executable, "-c", OPEN_ELSEWHERE, self.path]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as other:
            assert other.stdout is not None
            self.assertEqual(other.stdout.readline(), b"open\n")
            other.kill()
        log = Path(f"{self.path}-wal")
        before = log.read_bytes()
        self.assertNotEqual(before, b"")
        self.file.verify()
        self.assertEqual(log.read_bytes(), before)
        self.make()

    def test_verify_damaged(self) -> None:
        """Pages that are none where the tables begin are found out."""
        self.make()
        path = Path(self.path)
        content = path.read_bytes()
        path.write_bytes(content[:8192] + b"\xa5" * (len(content) - 8192))
        error = self.assertRaises(StoreUnusable, self.file.verify)
        self.assertEqual(str(error), f"{self.path} is damaged: database disk image is malformed")

    def test_failure_gives_up(self) -> None:
        """A file that could not be used is not kept locked."""
        self.fill("CREATE TABLE kine (id INTEGER)")
        self.reason()
        os.remove(self.path)
        self.make()


class StartTests(TestCase):
    """What the store's ``start`` makes of such files."""

    def setUp(self) -> None:
        self.path = os.path.abspath(os.path.join(self.mktemp(), "state.db"))

    def make_store(self) -> SqliteStore:
        return SqliteStore(self.path, reactor, Clock(FakeTime()))

    async def test_locked(self) -> None:
        """Start fails with the one line, and the store that owns the file is not disturbed."""
        owner = self.make_store()
        await owner.start()
        error = await self.assertFailure(self.make_store().start(), StoreUnusable)
        self.assertEqual(str(error), f"{self.path} is locked by process {os.getpid()}")
        self.assertEqual(await owner.transact([Create("/a", b"")]), 2)
        await owner.stop()

    async def test_damaged(self) -> None:
        """A database with damaged pages is found out at the start."""
        store = self.make_store()
        await store.start()
        await store.transact([Create(f"/{number}", b"v" * 1000) for number in range(500)])
        await store.stop()
        size = os.path.getsize(self.path)
        with open(self.path, "r+b") as file:
            file.seek(8192)
            file.write(b"\x99" * (size - 8192))
        error = await self.assertFailure(self.make_store().start(), StoreUnusable)
        self.assertEqual(str(error), f"{self.path} is damaged: database disk image is malformed")
        self.assertIn("damaged", str(await self.assertFailure(self.make_store().start(), StoreUnusable)))
