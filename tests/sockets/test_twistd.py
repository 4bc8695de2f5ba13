"""A real twistd that cannot start."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from twisted.trial.unittest import SynchronousTestCase

from kube_twisted.storage.sqlite_file import StoreFile

ROOT = Path(__file__).parents[2]
TWISTD = "from twisted.scripts.twistd import run; run()"


class StartErrorTests(SynchronousTestCase):
    def setUp(self) -> None:
        self.folder = Path(self.mktemp())
        self.folder.mkdir()
        self.data = Path(self.mktemp()).absolute()
        self.options = ("--bind-address", "127.0.0.1", "--secure-port", "0", "--data-dir", str(self.data))

    def twistd(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run it to its end, in a folder of its own."""
        return subprocess.run([sys.executable, "-c", TWISTD, "--pidfile=", *arguments],
                              cwd=self.folder, text=True,
                              env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                              timeout=60)

    def check(self, line: str, *arguments: str) -> None:
        """In the foreground and as a daemon: status 1, and nothing but the line on stderr."""
        for mode in (["--nodaemon"], []):
            ended = self.twistd(*mode, "kapiserver", *arguments)
            self.assertEqual((ended.returncode, ended.stderr), (1, f"kapiserver: {line}\n"), mode)
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_bad_configuration(self) -> None:
        """A configuration that isn't there ends the start."""
        self.check("missing.yaml: No such file or directory", "--config", "missing.yaml")

    def test_address_of_the_other_family(self) -> None:
        """So does an IPv6 address with a range of IPv4 addresses for Services."""
        self.check("command line: server.bindAddress: must be of the IP family of services.clusterIPRange, "
                   '10.0.0.0/24, unless endpointReconciler is none; not "::1"', "--bind-address", "::1")

    def test_port_in_use(self) -> None:
        """So does a port that somebody else listens on."""
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            self.check(f"cannot listen on 127.0.0.1:{port}: Address already in use",
                       "--bind-address", "127.0.0.1", "--secure-port", str(port))

    def test_database_in_use(self) -> None:
        """So does a database that another process has, and the keys beside it are left alone."""
        database = StoreFile(str(self.data / "state.db"))
        connection = database.open()
        self.addCleanup(database.close)
        self.addCleanup(connection.close)
        self.check(f"{database.path} is locked by process {os.getpid()}", *self.options)
        self.assertFalse((self.data / "ca.key").exists())

    def test_no_database(self) -> None:
        """So does a database file that is none."""
        self.data.mkdir()
        database = self.data / "state.db"
        database.write_bytes(b"these are no pages of a database\n" * 1000)
        self.check(f"{database} cannot be used: file is not a database", *self.options)

    def test_damaged_database(self) -> None:
        """So does a database with junk for its tables."""
        file = StoreFile(str(self.data / "state.db"))
        file.open().close()
        file.close()
        database = Path(file.path)
        content = database.read_bytes()
        database.write_bytes(content[:8192] + b"\xa5" * (len(content) - 8192))
        self.check(f"{database} is damaged: database disk image is malformed", *self.options)

    def test_check_config(self) -> None:
        """The sample configuration is good."""
        ended = self.twistd("kapiserver", "--check-config", "--config", str(ROOT / "etc" / "apiserver.yaml"))
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "ok\n", ""))
