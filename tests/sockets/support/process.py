"""One kapiserver in a child process, with a data directory of its own."""

from __future__ import annotations

import os
import re
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tests.sockets.support.https import Client

ROOT = Path(__file__).parents[3]
_TWISTD = "from twisted.scripts.twistd import run; run()"
_SERVING = re.compile(rb"serving on (https://\S+)")
#: Seconds for a start, and for an end, on a busy machine.
PATIENCE = 60.0
_TAIL = 4000


class ServerFailed(Exception):
    """The server did not do what was asked of it; the message ends with the last of its log."""


def command(*options: str) -> list[str]:
    """The command line of a server on any free port of 127.0.0.1, and with these options."""
    return [sys.executable, "-c", _TWISTD, "--nodaemon", "--pidfile=", "kapiserver",
            "--bind-address", "127.0.0.1", "--secure-port", "0", *options]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def run_to_its_end(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run a server that is expected not to start; what it wrote and its exit status."""
    return subprocess.run(command(*options), cwd=folder, env=environment(), stdin=subprocess.DEVNULL,
                          text=True, capture_output=True, timeout=PATIENCE)


class ServerProcess:
    """A server that listens on a port of 127.0.0.1 that the system chooses, a new one at each start.

    :ivar folder: where everything of it lies: ``data``, ``config.yaml``, ``server.log``.
    :param settings: the configuration, as in ``etc/apiserver.yaml``.
    :param controllers: the small controllers that run.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any] | None = None,
                 controllers: Sequence[str] = ()) -> None:
        self.folder = folder.absolute()
        self.data = self.folder / "data"
        self.log_file = self.folder / "server.log"
        self.settings = dict(settings or {})
        self.controllers = tuple(controllers)
        self.url = ""
        self._child: subprocess.Popen[bytes] | None = None
        self._log_start = 0

    # -- starting --------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start it and wait until it is ready.

        :raises ServerFailed: when it ends instead, or takes longer than :data:`PATIENCE`.
        """
        self.launch()
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        """Wait until it says that it is ready."""
        self.wait_until_serving()
        client = self.client()
        self.wait_for(lambda: client.request("GET", "/readyz").status == 200, "it is ready")
        client.close()

    def launch(self) -> None:
        """Start it, and wait for nothing."""
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "config.yaml"
        config.write_text(yaml.safe_dump(self.settings))
        self._log_start = self.log_file.stat().st_size if self.log_file.exists() else 0
        with self.log_file.open("ab") as log:
            self._child = subprocess.Popen(
                command("--config", str(config), "--data-dir", str(self.data),
                        f"--controllers={','.join(self.controllers)}"),
                cwd=self.folder, env=environment(), stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT)

    def wait_until_serving(self) -> None:
        """Wait for the line that tells the address."""
        self.wait_for(self._find_url, "it serves")

    def _find_url(self) -> bool:
        found = _SERVING.search(self._log_since_start())
        if found:
            self.url = found.group(1).decode()
        return found is not None

    def wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Ask until ``condition`` holds.

        :raises ServerFailed: when the server ends before, or :data:`PATIENCE` does.
        """
        end = time.monotonic() + PATIENCE
        while not condition():
            if not self.running:
                raise self.failure(f"the server ended before {what}")
            if time.monotonic() > end:
                raise self.failure(f"the server runs, but not so that {what}")
            time.sleep(0.02)

    # -- ending ----------------------------------------------------------------------------------------------

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.poll() is None

    def terminate(self) -> int:
        """Ask it to stop, as a service supervisor does, and give back its exit status."""
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self) -> None:
        """End it between two instructions."""
        self.signal(signal.SIGKILL)
        self.wait()

    def signal(self, number: signal.Signals) -> None:
        assert self._child is not None
        self._child.send_signal(number)

    def wait(self) -> int:
        """Wait for its end; the exit status.

        :raises ServerFailed: when it doesn't end; it is killed then.
        """
        assert self._child is not None
        try:
            return self._child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
            raise self.failure("the server did not end") from None

    def discard(self) -> None:
        """End it somehow; for cleaning up."""
        if self.running:
            self.kill()

    # -- talking to it ---------------------------------------------------------------------------------------

    @property
    def token(self) -> str:
        """The administrator's bearer token."""
        return (self.data / "admin.token").read_text().strip()

    @property
    def kubeconfig(self) -> Path:
        return self.data / "admin.kubeconfig"

    @property
    def authority(self) -> Path:
        """The certificate that the serving one is signed by."""
        return self.data / "ca.crt"

    def client(self, token: str | None = None) -> Client:
        """A connection of the administrator's, or of another token's owner."""
        context = ssl.create_default_context(cafile=str(self.authority))
        return Client(self.url, self.token if token is None else token, context)

    def resident_mb(self) -> int:
        """How much memory it occupies, in megabytes (Linux)."""
        assert self._child is not None
        found = re.search(r"^VmRSS:\s+(\d+) kB", Path(f"/proc/{self._child.pid}/status").read_text(), re.MULTILINE)
        assert found is not None
        return int(found.group(1)) // 1024

    # -- its log ---------------------------------------------------------------------------------------------

    def _log_since_start(self) -> bytes:
        with self.log_file.open("rb") as log:
            log.seek(self._log_start)
            return log.read()

    def output(self) -> str:
        """What it has written since its last start: its log, and its stderr."""
        return self._log_since_start().decode("utf-8", "replace")

    def failure(self, message: str) -> ServerFailed:
        """An error that shows the end of the log and tells where the rest is."""
        return ServerFailed(f"{message}\n--- {self.log_file}\n{self.output()[-_TAIL:]}")
