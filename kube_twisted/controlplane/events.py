"""Events about objects, as the kube server's own loops write them (``events.k8s.io/v1``, KEP-383)."""

from __future__ import annotations

from attrs import define
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.api.names import dns_subdomain
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock

#: For how many seconds after its last occurrence the same thing is one more of a series.
_SERIES_SECONDS = 1800.0
_MERGE_PATCH = "application/merge-patch+json"


@define
class _Series:
    """An Event that may happen again.

    :ivar path: of the Event.
    :ivar last: when it happened last, in seconds.
    """

    path: str
    count: int
    last: float


class EventRecorder:
    """Writes Events; what happens again and again is counted in one of them.

    :param controller: reports them.
    :param instance: tells this server's controller from that of others.
    """

    _log = Logger()

    def __init__(self, client: LoopbackClient, clock: Clock, controller: str, instance: str) -> None:
        self._client = client
        self._clock = clock
        self._controller = controller
        self._instance = instance
        self._written = 0
        self._series: dict[tuple[str, str, str], _Series] = {}

    async def warn(self, obj: Obj, reason: str, action: str, note: str) -> None:
        """Tell about a problem of an object; that an Event can't be written is logged, and no more."""
        self._log.warn("{reason}: {note}", reason=reason, note=note)
        try:
            await self._write(obj, reason, action, note)
        except StatusError as error:
            self._log.warn("can't write the event {reason}: {error}", reason=reason, error=str(error))

    async def _write(self, obj: Obj, reason: str, action: str, note: str) -> None:
        now = self._clock.seconds()
        self._series = {key: one for key, one in self._series.items() if now - one.last < _SERIES_SECONDS}
        key = (obj["metadata"]["uid"], reason, note)
        series = self._series.get(key)
        if series is None or not await self._count(series):
            self._series[key] = _Series(await self._create(obj, reason, action, note), 1, now)

    async def _count(self, series: _Series) -> bool:
        """Note that it happened once more: whether the Event is still there."""
        count = series.count + 1
        body = {"series": {"count": count, "lastObservedTime": self._clock.rfc3339_micro()}}
        try:
            await self._client.call("PATCH", series.path, body, _MERGE_PATCH)
        except StatusError as error:
            if error.code != 404:
                raise
            return False
        series.count, series.last = count, self._clock.seconds()
        return True

    async def _create(self, obj: Obj, reason: str, action: str, note: str) -> str:
        meta = obj["metadata"]
        namespace = meta.get("namespace") or "default"
        self._written += 1
        name = f"{meta['name']}.{int(self._clock.seconds() * 1e9) + self._written:x}"
        named = {"generateName": "event-"} if dns_subdomain(name, False) else {"name": name}
        collection = f"/apis/events.k8s.io/v1/namespaces/{namespace}/events"
        regarding = {"kind": obj["kind"], "apiVersion": obj["apiVersion"],
                     **{key: meta[key] for key in ("namespace", "name", "uid", "resourceVersion") if key in meta}}
        created = await self._client.call("POST", collection, {
            "apiVersion": "events.k8s.io/v1", "kind": "Event",
            "metadata": {**named, "namespace": namespace},
            "eventTime": self._clock.rfc3339_micro(), "reportingController": self._controller,
            "reportingInstance": self._instance, "type": "Warning", "reason": reason, "action": action,
            "note": note, "regarding": regarding})
        return f"{collection}/{created['metadata']['name']}"
