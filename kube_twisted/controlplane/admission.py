"""What admission plugins need of the server around them: writes of their own, and which resources there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.controlplane.resources import Resources
from kube_twisted.server.loopback import LoopbackClient


class PluginWrites:
    """The requests of plugins, as ``system:apiserver``, made through the server's handler chain.

    :ivar client: is there once the handler chain is built, which needs the plugins first.
    """

    client: LoopbackClient

    async def quota_status(self, quota: dict[str, Any]) -> dict[str, Any]:
        """Replace the status of a ResourceQuota.

        :raises StatusError: 409 when it has changed since it was read.
        """
        meta = quota["metadata"]
        path = f"/api/v1/namespaces/{meta['namespace']}/resourcequotas/{meta['name']}/status"
        return await self.client.call("PUT", path, quota)

    async def read(self, path: str) -> dict[str, Any]:
        """An object, or a list, as the API shows it.

        :raises StatusError: 404 when it is not there.
        """
        return await self.client.call("GET", path)

    async def namespace(self, name: str) -> None:
        """Create a namespace.

        :raises StatusError: 409 when it is there.
        """
        body = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        await self.client.call("POST", "/api/v1/namespaces", body)


class KindLookup:
    """Finds the resources whose objects are of a kind.

    :ivar custom: finds those of custom kinds; is set once there are any.
    """

    def __init__(self, resources: Resources) -> None:
        self._resources = resources
        self.custom: Callable[[GroupVersionKind], Sequence[tuple[str, bool]]] | None = None

    def __call__(self, kind: GroupVersionKind) -> Sequence[tuple[str, bool]]:
        """Resource names, and whether they are namespaced."""
        return self._built_in(kind) or (self.custom(kind) if self.custom is not None else ())

    def _built_in(self, kind: GroupVersionKind) -> Sequence[tuple[str, bool]]:
        return [(facts.name, facts.namespaced) for version in self._resources.groups.get(kind.group, ())
                if version.group_version == kind.group_version for facts in version.resources.values()
                if facts.kind == kind.kind and "/" not in facts.name]
