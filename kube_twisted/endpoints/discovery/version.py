"""``/version``: which version of Kubernetes this server is, and what it was made with."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from kube_twisted.api import errors
from kube_twisted.codec import json
from kube_twisted.endpoints.negotiation import JSON, check_named
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.routes import Routes

#: The patch release whose behaviour is meant, by emulated version.
_RELEASES = {"1.36": "1.36.2"}
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}


def release(emulated: str) -> str:
    """The version of Kubernetes in full, such as ``1.36.2``.

    :param emulated: ``1.36``.
    """
    return _RELEASES.get(emulated, f"{emulated}.0")


def version_info(emulated: str) -> dict[str, str]:
    """The document; clients that look at ``compiler`` expect a Go one."""
    major, _, minor = emulated.partition(".")
    machine = platform.machine()
    return {
        "major": major,
        "minor": minor,
        "emulationMajor": major,
        "emulationMinor": minor,
        "minCompatibilityMajor": major,
        "minCompatibilityMinor": str(int(minor) - 1),
        "gitVersion": f"v{release(emulated)}+kube-twisted.{_own_version()}",
        "gitCommit": "",
        "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z",
        "goVersion": f"python{platform.python_version()}",
        "compiler": "gc",
        "platform": f"{platform.system().lower()}/{_MACHINES.get(machine, machine)}",
    }


def _own_version() -> str:
    try:
        return version("kube_twisted")
    except PackageNotFoundError:
        return "0"


def install_version(tree: Routes, emulated: str) -> None:
    """Serve ``/version``."""
    body = json.pretty(json.dumps(version_info(emulated)))

    async def answer(request: Request) -> Response:
        """The document; 405 for other methods than GET, 406 for those who don't want JSON."""
        if request.method != "GET":
            raise errors.method_not_allowed()
        check_named(request.transport.header("accept"), (JSON,))
        return Response(200, body)

    async def nothing_below(_request: Request, **_parts: str) -> Response:
        raise errors.resource_not_found()

    tree.route("/version", answer, slash=True)
    tree.route("/version/<path:rest>", nothing_below, listed=False)
