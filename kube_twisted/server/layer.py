"""One server layer's paths: a Klein app for the fixed ones, and group-versions mounted on it as branches.

Klein decides; but a group-version's prefix, once found in Klein's URL map, is remembered, so that a request
for ``/api/v1/namespaces/default/pods`` does not ask the map again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from klein import Klein
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import Map, RequestRedirect

from kube_twisted.endpoints.request import Handler, Request, Response

#: How many prefixes are remembered at most: clients can ask for any.
_MOST_PREFIXES = 1000


class LayerTree:
    """The paths that one server of the delegation chain serves itself.

    :ivar app: the Klein app; its endpoints are coroutine functions that take a :class:`Request`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.app = Klein()
        self.app.url_map.merge_slashes = False
        self._handlers: dict[str, Handler] = {}
        self._branches: dict[str, Handler] = {}
        #: prefixes that belong to a server further back
        self._foreign: set[str] = set()
        self._adapter: Any = None
        #: fixed paths, for the index page
        self.paths: list[str] = []

    def route(self, path: str, handler: Handler, *, listed: bool = True, slash: bool = False) -> None:
        """Serve one path, or with ``slash`` two; ``<name>`` parts become keyword arguments of the handler."""
        self._add(path, handler, [path, path + "/"] if slash else [path])
        if listed:
            self.paths.append(path)

    def mount(self, prefix: str, handler: Handler) -> None:
        """Serve what is below ``prefix``, such as ``/apis/apps/v1`` or ``/apis``, but not the prefix itself."""
        self._add(prefix + "/", handler, [prefix + "/<path:__rest__>"])

    def _add(self, path: str, handler: Handler, patterns: list[str]) -> None:
        known = path in self._handlers
        self._handlers[path] = handler
        self._adapter = None
        self._foreign.clear()
        if not known:
            async def endpoint(request: Request, **parts: str) -> Response:
                return await self._handlers[path](request, **parts)

            endpoint.__name__ = path
            for pattern in patterns:
                self.app.route(pattern, endpoint=path)(endpoint)  # type: ignore[type-var]

    def resolve(self, path: str) -> Handler | None:
        """What answers the path; None leaves it to the next server of the chain."""
        prefix = _group_version_prefix(path)
        if prefix:
            branch = self._branches.get(prefix)
            if branch is not None:
                return branch
            if prefix in self._foreign:
                return None
        handler = self._match(path, prefix)
        if handler is None and prefix and len(self._foreign) < _MOST_PREFIXES:
            self._foreign.add(prefix)
        return handler

    def _match(self, path: str, prefix: str) -> Handler | None:
        if self._adapter is None:
            url_map: Map = self.app.url_map
            self._adapter = url_map.bind("")
        try:
            endpoint, parts = self._adapter.match(path, method="GET")
        except (NotFound, RequestRedirect):
            return None
        except HTTPException:
            return None
        parts.pop("__rest__", None)
        if endpoint not in self._handlers:
            return None
        if not endpoint.endswith("/"):
            return self._bound(endpoint, parts)
        handler = self._handlers[endpoint]
        if prefix and len(self._branches) < _MOST_PREFIXES:
            self._branches[prefix] = handler
        return handler

    def _bound(self, endpoint: str, parts: dict[str, Any]) -> Handler:
        execute: Callable[..., Any] = self.app.execute_endpoint

        async def handler(request: Request) -> Response:
            response: Response = await execute(endpoint, request, **parts)
            return response

        return handler


def _group_version_prefix(path: str) -> str:
    """``/api/v1`` or ``/apis/apps/v1`` of a path below a group-version, empty for other paths."""
    if path.startswith("/api/"):
        end = path.find("/", 5)
    elif path.startswith("/apis/"):
        group = path.find("/", 6)
        end = path.find("/", group + 1) if group > 0 else -1
    else:
        return ""
    return path[:end] if 0 < end < len(path) - 1 else ""
