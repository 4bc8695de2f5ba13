"""GenericAPIServer: what each server of the delegation chain is made of.

    aggregator -> kube -> apiextensions -> not found

Every server has a tree of its own and a delegate. A request goes to the first tree that knows its path. The server in
front takes over the delegate's groups for discovery, its health checks and its hooks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from attrs import define, field

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion
from kube_twisted.endpoints.request import NO_SNIFFING, Answer, Request, Response
from kube_twisted.server.health import HealthCheck
from kube_twisted.server.layer import LayerTree

#: Started in order once the server listens; a hook that fails ends the start.
Hook = Callable[[], Awaitable[None]]


class Delegate(Protocol):
    """What a server asks of the one behind it."""

    async def handle(self, request: Request) -> Response: ...

    def all_groups(self) -> list[APIGroup]: ...

    def installed_groups(self) -> list[APIGroup]: ...

    def all_paths(self) -> list[str]: ...

    def all_checks(self) -> list[HealthCheck]: ...

    def all_hooks(self) -> list[tuple[str, Hook]]: ...

    def all_stop_hooks(self) -> list[tuple[str, Hook]]: ...


class NotFound:
    """The end of the chain.

    :ivar front: the first server of the chain, which knows all groups; set when the chain is complete.
    """

    front: GenericAPIServer | None = None

    async def handle(self, request: Request) -> Response:
        """404: a Status below ``/api`` and the prefixes of installed groups, plain text elsewhere."""
        info = request.info
        legacy = info.prefix == "/api" and request.path.startswith("/api")
        if legacy or (info.prefix and self._is_known(request.path)):
            raise errors.resource_not_found()
        return Response(404, b"404 page not found\n", "text/plain; charset=utf-8", [NO_SNIFFING])

    def _is_known(self, path: str) -> bool:
        group = path.split("/")[2] if path.count("/") > 1 else ""
        return self.front is not None and any(one.name == group != "" for one in self.front.installed_groups())

    def all_groups(self) -> list[APIGroup]:
        return []

    def installed_groups(self) -> list[APIGroup]:
        return []

    def all_paths(self) -> list[str]:
        return []

    def all_checks(self) -> list[HealthCheck]:
        return []

    def all_hooks(self) -> list[tuple[str, Hook]]:
        return []

    def all_stop_hooks(self) -> list[tuple[str, Hook]]:
        return []


@define
class APIGroupInfo:
    """What a RESTStorageProvider brings: a group's versions, the preferred one first, with their resources."""

    group: str
    versions: list[APIGroupVersion] = field(factory=list)


class GenericAPIServer:
    """One server of the chain.

    :param name: for the log and in health checks.
    :param delegate: the next server.
    """

    def __init__(self, name: str, delegate: Delegate) -> None:
        self.name = name
        self.delegate = delegate
        self.tree = LayerTree(name)
        self.groups: list[APIGroup] = []
        #: tells the groups that come and go, such as those of custom resources
        self.changing_groups: Callable[[], list[APIGroup]] = list
        self.checks: list[HealthCheck] = []
        self.post_start_hooks: list[tuple[str, Hook]] = []
        self.pre_shutdown_hooks: list[tuple[str, Hook]] = []

    def handle(self, request: Request) -> Answer:
        """Answer, or leave it to the delegate."""
        return (self.tree.resolve(request.path) or self.delegate.handle)(request)

    # -- installing groups ----------------------------------------------------------------------------------------

    def install_legacy_api_group(self, prefix: str, info: APIGroupInfo) -> None:
        """Serve the core group below ``/api``."""
        self.groups.append(APIGroup("", info.versions))
        for version in info.versions:
            self.tree.mount(f"{prefix}/{version.group_version.version}", version.handle)

    def install_api_groups(self, infos: list[APIGroupInfo]) -> None:
        """Serve groups below ``/apis``."""
        for info in infos:
            self.groups.append(APIGroup(info.group, info.versions))
            for version in info.versions:
                self.tree.mount(f"/apis/{version.group_version}", version.handle)

    # -- what the server in front takes over ----------------------------------------------------------------------

    def all_groups(self) -> list[APIGroup]:
        """The groups of this server and of those behind it; versions of a group that several serve are joined."""
        return _joined([*self.groups, *self.changing_groups()], self.delegate.all_groups())

    def installed_groups(self) -> list[APIGroup]:
        """Those that are there as long as the server."""
        return _joined(self.groups, self.delegate.installed_groups())

    def all_paths(self) -> list[str]:
        return sorted({*self.tree.paths, *self.delegate.all_paths()})

    def all_checks(self) -> list[HealthCheck]:
        return [*self.delegate.all_checks(), *self.checks]

    def all_hooks(self) -> list[tuple[str, Hook]]:
        return [*self.delegate.all_hooks(), *self.post_start_hooks]

    def all_stop_hooks(self) -> list[tuple[str, Hook]]:
        return [*self.pre_shutdown_hooks, *self.delegate.all_stop_hooks()]

    def has_group_version(self, group_version: GroupVersion) -> bool:
        return any(version.group_version == group_version for group in self.all_groups() for version in group.versions)


def _joined(own: list[APIGroup], behind: list[APIGroup]) -> list[APIGroup]:
    merged: dict[str, APIGroup] = {}
    for group in (*own, *behind):
        known = merged.setdefault(group.name, APIGroup(group.name))
        have = {version.group_version for version in known.versions}
        known.versions += [one for one in group.versions if one.group_version not in have]
    return list(merged.values())
