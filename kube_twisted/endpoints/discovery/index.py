"""The index page: all paths that the server knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kube_twisted.codec import json
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.routes import Routes


def install_index(tree: Routes, paths: Callable[[], Iterable[str]]) -> None:
    """Serve ``{"paths": [...]}`` at ``/`` and ``/index.html``, for any method.

    :param paths: asked each time; the index itself need not be among them.
    """

    async def index(_request: Request) -> Response:
        listed = sorted({path for path in paths() if path and path != "/" and path != "/index.html"})
        return Response(200, json.dumps({"paths": listed}) + b"\n")

    tree.route("/", index, listed=False)
    tree.route("/index.html", index, listed=False)
