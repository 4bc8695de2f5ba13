"""/statusz and /flagz: what runs here, since when, and with which settings (KEP-4827, KEP-4828).

The text is for people; YAML and JSON are there for who asks for the kind, as in
``Accept: application/json;v=v1beta1;g=config.k8s.io;as=Statusz``.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from kube_twisted.api import errors
from kube_twisted.endpoints.accept import clauses
from kube_twisted.endpoints.formats import document
from kube_twisted.endpoints.negotiation import JSON, YAML, Representation, wants_pretty
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.layer import LayerTree
from kube_twisted.util.clock import Clock

_TEXT = "text/plain"
_COMPONENT = "apiserver"
_GROUP = "config.k8s.io"
_VERSIONS = ("v1beta1", "v1alpha1")
#: Paths that are no debugging pages.
_NO_PAGES = ("/apis", "/api", "/openid", "/openapi", "/.well-known")
_HEAD = """
{} {}
Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for \
debugging purposes only.
"""
#: Gives what a page shows: as text, and as fields of its kind.
_Page = Callable[[], tuple[str, Mapping[str, Any]]]


def install_statusz(tree: LayerTree, clock: Clock, version: str, paths: Callable[[], list[str]]) -> None:
    """:param version: of Kubernetes, such as ``1.36``.
    :param paths: all that are listed.
    """
    began = clock.seconds()

    def page() -> tuple[str, Mapping[str, Any]]:
        seconds = int(clock.seconds() - began)
        start = datetime.fromtimestamp(began, UTC)
        pages = sorted({"/" + path.split("/")[1] for path in paths() if path.count("/") and path != "/"})
        pages = [one for one in pages if one not in _NO_PAGES]
        language = f"python{platform.python_version()}"
        text = (f"\nStarted: {start:%a %b %e %H:%M:%S} UTC {start:%Y}\n"
                f"Up: {seconds // 3600} hr {seconds // 60 % 60:02} min {seconds % 60:02} sec\n"
                f"Go version: {language}\nBinary version: {version}\nEmulation version: {version}\n"
                f"Paths: {' '.join(pages)}\n")
        return text, {"startTime": f"{start:%Y-%m-%dT%H:%M:%SZ}", "uptimeSeconds": seconds, "goVersion": language,
                      "binaryVersion": version, "emulationVersion": version, "paths": pages}

    tree.route("/statusz", _serve("Statusz", page))


def install_flagz(tree: LayerTree, settings: Mapping[str, str]) -> None:
    """:param settings: by name."""
    text = "".join(f"{name}={settings[name]}\n" for name in sorted(settings))
    tree.route("/flagz", _serve("Flagz", lambda: (text, {"flags": dict(settings)})))


def _serve(kind: str, page: _Page) -> Handler:
    name = kind.lower()

    async def serve(request: Request) -> Response:
        """Text, or an object of the kind; 406 for other representations."""
        media_type, version = _chosen(request.transport.header("accept"), kind)
        text, fields = page()
        if media_type == _TEXT:
            return Response(200, (_HEAD.format(_COMPONENT, name) + text).encode(), "text/plain; charset=utf-8")
        if version != _VERSIONS[0]:
            request.add_warning(f"This version of the {name} endpoint is deprecated. Please use a newer version.")
        data = {"kind": kind, "apiVersion": f"{_GROUP}/{version}", "metadata": {"name": _COMPONENT}, **fields}
        return document(Representation(media_type, pretty=wants_pretty(request)), data)

    return serve


def _chosen(accept: str | None, kind: str) -> tuple[str, str]:
    """Media type, and version of the kind. :raises StatusError: 406."""
    if not (accept or "").strip():
        return _TEXT, ""
    for clause in clauses(accept or ""):
        wanted = clause.parameters.get("as"), clause.parameters.get("g")
        if wanted == (None, None) and clause.matches(_TEXT):
            return _TEXT, ""
        if wanted == (kind, _GROUP) and (version := clause.parameters.get("v", "")) in _VERSIONS:
            for media_type in (JSON, YAML):
                if clause.matches(media_type):
                    return media_type, version
    raise errors.not_acceptable([JSON, YAML, _TEXT])
