"""Since when the use of service account tokens out of Secrets is tracked: the controller-manager asks before it
removes those that nobody uses (KEP-2799).
"""

from __future__ import annotations

from datetime import date

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.bootstrap.ensure import create_unless_there
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock

#: Seconds between two looks.
INTERVAL = 60.0
NAMESPACE, NAME = "kube-system", "kube-apiserver-legacy-service-account-token-tracking"
_PATH = f"/api/v1/namespaces/{NAMESPACE}/configmaps"
_SINCE = "since"


class LegacyTokenTracking:
    """Keeps the ConfigMap that tells the day."""

    def __init__(self, client: LoopbackClient, stores: Stores, clock: Clock) -> None:
        self._client = client
        self._stores = stores
        self._clock = clock

    async def ensure(self) -> None:
        """Create it, or put a day in where there is none; a day that is there stays."""
        found = self._stores.get("", "configmaps", NAMESPACE, NAME)
        today = {_SINCE: self._clock.now().date().isoformat()}
        if found is None:
            await create_unless_there(self._client, _PATH, {
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME, "namespace": NAMESPACE},
                "data": today})
        elif not _is_day((found.get("data") or {}).get(_SINCE, "")):
            try:
                await self._client.call("PUT", f"{_PATH}/{NAME}", {**found, "data": {**found.get("data", {}), **today}})
            except StatusError as error:
                if error.code not in (404, 409):  # somebody else was faster
                    raise


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == len("2026-01-01")
