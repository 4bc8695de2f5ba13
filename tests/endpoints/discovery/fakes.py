"""Requests without a socket, and groups as they are installed, without anything behind them."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.controlplane.resources import ResourceFacts, Resources, VersionFacts
from kube_twisted.endpoints.discovery.order import no_priority
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion, APIResource
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.request_info import resolve
from kube_twisted.server.layer import LayerTree
from kube_twisted.util.deferreds import run_eagerly

_RESOURCES = Resources.load()


@frozen
class FakeTransport:
    """A connection that has headers, and no body."""

    sent: dict[str, str] = field(factory=dict)
    peer_certificates: tuple[bytes, ...] = ()
    remote_address: str = "192.0.2.1"

    def header(self, name: str) -> str | None:
        return self.sent.get(name.lower())

    def headers(self, name: str) -> list[str]:
        value = self.header(name)
        return [] if value is None else [value]

    def any_header(self, prefix: str) -> bool:
        return any(name.startswith(prefix) for name in self.sent)

    def read_body(self) -> bytes:
        return b""


async def nothing_there(_request: Request) -> Response:
    """The end of the chain."""
    return Response(404, b"404 page not found\n", "text/plain; charset=utf-8")


def ask(tree: LayerTree, path: str, method: str = "GET", **headers: str) -> Response:
    """Send a request to whatever the tree has for its path; underscores of header names are dashes."""
    path, _, query = path.partition("?")
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    request = Request(method, path, query, FakeTransport(sent))
    request.info = resolve(method, path)
    handler = tree.resolve(path)
    if handler is None:
        return Response(404, b"not in the tree")
    response: Any = run_eagerly(handler(request))  # type: ignore[arg-type]
    assert isinstance(response, Response)
    return response


def headers_of(response: Response) -> dict[str, str]:
    return dict(response.headers or ())


def builtin_groups() -> list[APIGroup]:
    """All groups and versions that are on by default."""
    return [APIGroup(name, [_version(one) for one in versions if one.default])
            for name, versions in _RESOURCES.groups.items()]


def builtin_priority(group_version: GroupVersion) -> tuple[int, int]:
    """The priority in the table of resources, or that of custom resources."""
    for one in _RESOURCES.groups.get(group_version.group, ()):
        if one.group_version == group_version:
            return one.priority
    return no_priority(group_version)


def _version(facts: VersionFacts) -> APIGroupVersion:
    resources = {name: _resource(row) for name, row in facts.resources.items()}
    return APIGroupVersion(facts.group_version, resources)


def _resource(row: ResourceFacts) -> APIResource:
    response = row.response
    return APIResource(
        row.name, row.kind, row.namespaced, row.verbs, {}, row.singular, row.short_names, row.categories,
        response.group if response else "", response.version if response else "", row.storage_version_hash)
