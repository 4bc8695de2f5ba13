"""/debug/pprof and /debug/flags: what a running server can be asked about itself."""

from __future__ import annotations

import sys
import threading
import traceback

from kube_twisted.endpoints.request import NO_SNIFFING, Request, Response
from kube_twisted.server.layer import LayerTree

_HTML, _TEXT = "text/html; charset=utf-8", "text/plain; charset=utf-8"
_PROFILES = """<html>
<head>
<title>/debug/pprof/</title>
</head>
<body>
/debug/pprof/<br>
<br>
profiles:<br>
<a href='goroutine?debug=1'>goroutine</a>: stack traces of all threads<br>
</body>
</html>
"""
_FLAGS = """<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
</body>
</html>
"""


def install_debugging(tree: LayerTree) -> None:
    """Serve both, unlisted."""
    tree.route("/debug/pprof", _to_profiles, listed=False)
    tree.route("/debug/pprof/", _profiles, listed=False)
    tree.route("/debug/pprof/<name>", _profile, listed=False)
    tree.route("/debug/flags", _flags, listed=False)
    tree.route("/debug/flags/v", _verbosity, listed=False)


async def _to_profiles(_request: Request) -> Response:
    return Response(302, b"", _HTML, [("Location", "/debug/pprof/")])


async def _profiles(_request: Request) -> Response:
    return Response(200, _PROFILES.encode(), _HTML, [NO_SNIFFING])


async def _profile(_request: Request, name: str = "") -> Response:
    """The stacks of all threads; 404 for profiles that only a Go program has."""
    if name != "goroutine":
        return Response(404, b"Unknown profile\n", _TEXT, [NO_SNIFFING])
    return Response(200, stacks().encode(), _TEXT, [NO_SNIFFING])


def stacks() -> str:
    """What each thread is doing, its innermost call last."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    return "\n".join(f"{names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}"
                     for ident, frame in sys._current_frames().items())


async def _flags(_request: Request) -> Response:
    return Response(200, _FLAGS.encode(), _HTML)


async def _verbosity(_request: Request) -> Response:
    """There is no verbosity to be set."""
    return Response(406, b"unsupported http method", "text/plain")
