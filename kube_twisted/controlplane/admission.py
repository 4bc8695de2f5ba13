"""What admission plugins need of the server around them: writes of their own, made through its handler chain."""

from __future__ import annotations

from typing import Any

from kube_twisted.server.loopback import LoopbackClient


class PluginWrites:
    """The writes of plugins, as ``system:apiserver``.

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
