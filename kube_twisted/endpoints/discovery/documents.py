"""Serves the discovery documents: each is rendered once, and again after something has changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from hashlib import sha512
from typing import Any

from attrs import frozen

from kube_twisted.api import errors
from kube_twisted.codec import json
from kube_twisted.endpoints.discovery.aggregated import (
    aggregated_type,
    api_group_discovery_list,
    content_type,
)
from kube_twisted.endpoints.discovery.order import Priority, in_order, no_priority
from kube_twisted.endpoints.discovery.unaggregated import (
    api_group,
    api_group_list,
    api_resource_list,
    api_versions,
)
from kube_twisted.endpoints.formats import document
from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.endpoints.negotiation import JSON, Representation, negotiate, wants_pretty
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.routes import Routes

#: What the aggregator answers itself, for any method.
_GROUPS = re.compile("/apis(/[^/]+)?")
#: In front of the path of an aggregated document.
_AGGREGATED = "aggregated "


@frozen
class _Rendered:
    """A document in JSON."""

    body: bytes
    etag: str


class DiscoveryDocuments:
    """All discovery documents of what is installed.

    :param groups: asked again after :meth:`invalidate`.
    :param server_address: what ``/api`` tells clients to connect to; asked with the groups.
    :param otherwise: answers for groups and versions that are not installed.
    :param listed: the groups of the plain documents in order, with the versions' names; without it, all.
    """

    def __init__(self, groups: Callable[[], list[APIGroup]], server_address: Callable[[], str],
                 otherwise: Handler, priority: Priority = no_priority,
                 listed: Callable[[], list[APIGroup]] | None = None) -> None:
        self._groups = groups
        self._server_address = server_address
        self._otherwise = otherwise
        self._priority = priority
        self._listed = listed
        self._sources: dict[str, Callable[[], dict[str, Any]]] | None = None
        self._rendered: dict[str, _Rendered] = {}

    def invalidate(self) -> None:
        """Something was installed or removed: forget all documents."""
        self._sources = None
        self._rendered.clear()

    def paths(self) -> list[str]:
        """The paths of all documents, for the index page."""
        return [path for path in self._known() if not path.startswith(_AGGREGATED)]

    def install(self, routes: Routes) -> None:
        """Register the paths that documents can have."""
        routes.route("/api", self.answer_root, slash=True)
        routes.route("/apis", self.answer_root, slash=True)
        for path in ("/api/<version>", "/apis/<group>", "/apis/<group>/<version>"):
            routes.route(path, self.answer, listed=False, slash=True)

    # -- answering -------------------------------------------------------------------------------------------

    async def answer_root(self, request: Request) -> Response:
        """``/api`` and ``/apis``, aggregated for those who ask for it.

        :raises StatusError: 404 without such groups, 405, 406.
        """
        path = request.path.rstrip("/")
        media_type = aggregated_type(request.transport.header("accept")) if path in self._known() else ""
        if not media_type or (request.method != "GET" and path == "/api"):
            return await self.answer(request)
        rendered = self._find(_AGGREGATED + path)
        headers = [("ETag", rendered.etag), ("Vary", "Accept"), ("Cache-Control", "public")]
        if request.transport.header("if-none-match") == rendered.etag:
            return Response(304, b"", headers=headers)
        response = _in_format(rendered, Representation(media_type))
        return Response(200, response.body, content_type(media_type), headers)

    async def answer(self, request: Request, **_parts: str) -> Response:
        """The document at the request's path; the list of groups, and each of them, for any method.

        :raises StatusError: 405, 406.
        """
        path = request.path.rstrip("/")
        if path not in self._known():
            return await self._otherwise(request)
        routed = not _GROUPS.fullmatch(path)
        if request.method != "GET" and routed:
            raise errors.method_not_allowed()
        chosen = negotiate(request.transport.header("accept"), wants_pretty(request), transforms=(), routed=routed)
        return _in_format(self._find(path), chosen)

    # -- rendering -------------------------------------------------------------------------------------------

    def _find(self, path: str) -> _Rendered:
        rendered = self._rendered.get(path)
        if rendered is None:
            body = json.dumps(self._known()[path]()) + b"\n"
            rendered = self._rendered[path] = _Rendered(body, f'"{sha512(body).hexdigest().upper()}"')
        return rendered

    def _known(self) -> dict[str, Callable[[], dict[str, Any]]]:
        if self._sources is None:
            self._sources = self._collect()
        return self._sources

    def _collect(self) -> dict[str, Callable[[], dict[str, Any]]]:
        """What makes the document of each path."""
        groups = in_order(self._groups(), self._priority)
        named = [group for group in groups if group.name]
        listed = self._listed() if self._listed is not None else named
        sources: dict[str, Callable[[], dict[str, Any]]] = {
            "/apis": partial(api_group_list, listed),
            _AGGREGATED + "/apis": partial(api_group_discovery_list, named),
        }
        for group in groups:
            if group.name:
                prefix = f"/apis/{group.name}"
                sources[prefix] = partial(api_group, group)
            else:
                prefix = "/api"
                sources[prefix] = partial(api_versions, group, self._server_address())
                sources[_AGGREGATED + prefix] = partial(api_group_discovery_list, [group])
            for version in group.versions:
                sources[f"{prefix}/{version.group_version.version}"] = partial(api_resource_list, version)
        for group in listed:
            sources[f"/apis/{group.name}"] = partial(api_group, group)
        return sources


def _in_format(rendered: _Rendered, chosen: Representation) -> Response:
    if chosen.media_type != JSON:
        return document(chosen, json.parse(rendered.body))
    return Response(200, json.pretty(rendered.body) if chosen.pretty else rendered.body)
