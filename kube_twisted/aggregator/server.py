"""The server in front: passes on what APIServices say that others serve, and leaves the rest to the servers behind."""

from __future__ import annotations

from urllib.parse import unquote

from kube_twisted.aggregator.apiservice import GROUP
from kube_twisted.aggregator.apiservices import APIServices
from kube_twisted.aggregator.proxy import Proxy
from kube_twisted.aggregator.upstream import Upstreams
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.request import Answer, Request
from kube_twisted.registry.store import Store
from kube_twisted.server.generic import Delegate, GenericAPIServer
from kube_twisted.util.clock import Clock


class APIAggregator(GenericAPIServer):
    """The first server of the chain.

    :param store: of the APIServices.
    :ivar services: all APIServices.
    :ivar proxy: passes requests on.
    """

    def __init__(self, delegate: Delegate, store: Store, upstreams: Upstreams, clock: Clock) -> None:
        super().__init__("aggregator", delegate)
        self.upstreams = upstreams
        self.services = APIServices(store, self._own_versions)
        self.proxy = Proxy(upstreams, clock)

    def _own_versions(self) -> list[GroupVersion]:
        return [version.group_version for group in self.groups if group.name == GROUP for version in group.versions]

    @property
    def is_enabled(self) -> bool:
        """Whether there are APIServices at all; they can be switched off."""
        return bool(self._own_versions())

    def handle(self, request: Request) -> Answer:
        """Answer, pass the request on, or leave it to the delegate."""
        if self.services.remote:
            service = self.services.remote.get(prefix(request.path))
            if service is not None:
                return self.proxy.handle(request, service)
        return super().handle(request)

    def all_paths(self) -> list[str]:
        return sorted({*super().all_paths(), *self.services.remote})

    def priority(self, group_version: GroupVersion) -> tuple[int, int] | None:
        """groupPriorityMinimum and versionPriority of what another server serves; None for the rest."""
        service = self.services.remote.get(f"/apis/{group_version}")
        return service.priority if service is not None else None


def prefix(path: str) -> str:
    """The group-version that a path belongs to, such as ``/apis/apps/v1``; ``/api`` for all of the core group."""
    if "%" in path:
        path = unquote(path)
    if path == "/api" or path.startswith("/api/"):
        return "/api"
    return "/".join(path.split("/", 4)[:4]) if path.startswith("/apis/") else ""
