"""The yardstick: a twisted.web resource over TLS that answers with given bytes, and does nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from twisted.internet import ssl
from twisted.internet.interfaces import IReactorSSL
from twisted.web.resource import Resource
from twisted.web.server import Request, Site

from tests.sockets.support.process import ROOT, ServerProcess


class Bare(Resource):
    """Files by name."""

    isLeaf = True

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._bodies = {b"/" + one.name.encode(): one.read_bytes() for one in folder.iterdir()}

    def render(self, request: Request) -> bytes:
        request.setHeader(b"content-type", b"application/json")
        return self._bodies[request.path]


class BareSite(Site):
    def log(self, request: object) -> None:
        """Nothing is logged."""


class BareProcess:
    """The resource in a process of its own, with a server's certificate.

    :param bodies: what to answer, by name.
    """

    def __init__(self, folder: Path, server: ServerProcess, bodies: dict[str, bytes]) -> None:
        folder.mkdir()
        for name, body in bodies.items():
            (folder / name).write_bytes(body)
        pem = folder.with_suffix(".pem")
        pem.write_bytes((server.data / "apiserver.key").read_bytes() + (server.data / "apiserver.crt").read_bytes())
        self._child = subprocess.Popen([sys.executable, "-m", __name__, str(folder), str(pem)], cwd=ROOT,
                                       stdout=subprocess.PIPE, text=True)
        assert self._child.stdout is not None
        self.url = f"https://127.0.0.1:{int(self._child.stdout.readline())}"

    def stop(self) -> None:
        self._child.terminate()
        self._child.communicate()


def main(folder: str, pem: str) -> None:
    """Serve until the process is ended."""
    from twisted.internet import reactor as installed

    reactor = IReactorSSL(installed)
    certificate = ssl.PrivateCertificate.loadPEM(Path(pem).read_bytes())
    port = reactor.listenSSL(0, BareSite(Bare(Path(folder))), certificate.options(), interface="127.0.0.1")
    print(port.getHost().port, flush=True)
    installed.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
