"""Keeps the condition ``Available`` of all APIServices true to what is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from twisted.internet.defer import FirstError, gatherResults
from twisted.internet.task import LoopingCall

from kube_twisted.aggregator.addresses import NO_ADDRESS, SERVICE_LABEL, ServiceObjects
from kube_twisted.aggregator.apiservice import PATH, APIService, is_available
from kube_twisted.aggregator.apiservices import APIServices
from kube_twisted.aggregator.availability_metrics import AvailabilityMetrics
from kube_twisted.aggregator.checks import check_service
from kube_twisted.aggregator.conditions import LOCAL, PASSED, Availability, changed_status, unavailable
from kube_twisted.aggregator.upstream import AGGREGATOR, Upstreams, user_headers
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.queue import WorkFailed, WorkQueue
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import WatchEvent
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks, to_deferred
from kube_twisted.util.https import DEADLINE, BodyError, HTTPSError
from kube_twisted.util.signal import Signal

#: Seconds between two checks of a server that nothing is heard about, and the longest wait after failures.
PERIOD = 30.0
_WORKERS = 5
#: Seconds for the answer to a check.
_TIMEOUT = 5.0
#: How often a server is asked before it is called unavailable; all but the first at the same time.
_ATTEMPTS = 5


class AvailabilityController:
    """Checks APIServices when they change, when their Services or EndpointSlices do, and every :data:`PERIOD`.

    :param ready: until it fires, a server that does not answer is not blamed: it may be this one's network.
    """

    def __init__(self, services: APIServices, objects: ServiceObjects, upstreams: Upstreams, client: LoopbackClient,
                 clock: Clock, ready: Signal) -> None:
        self.metrics = AvailabilityMetrics()
        self._services = services
        self._objects = objects
        self._upstreams = upstreams
        self._client = client
        self._clock = clock
        self._ready = ready
        self._tasks = Tasks()
        self._queue = WorkQueue("apiservice availability", clock, self._tasks, self._check, _WORKERS, PERIOD)
        self._again: LoopingCall | None = None
        services.on_change.append(self._queue.add)

    def follow(self, services: Store, endpoint_slices: Store | None) -> None:
        """Look again when objects of these stores change."""
        services.cache.add(_Follower(lambda obj: str(obj["metadata"]["name"]), self._service_changed))
        if endpoint_slices is not None:
            endpoint_slices.cache.add(_Follower(_service_of, self._service_changed))

    def _service_changed(self, namespace: str, name: str) -> None:
        for one in self._services.remote.values():
            assert one.service is not None
            if (one.service.namespace, one.service.name) == (namespace, name):
                self._queue.add(one.name)

    def start(self) -> None:
        """Begin to check."""
        for name in self._services.names():
            self._queue.add(name)
        self._queue.start()
        self._again = self._clock.looping_call(self._resync)
        self._again.start(PERIOD, now=False)

    def _resync(self) -> None:
        for one in self._services.remote.values():
            self._queue.add(one.name)

    async def stop(self) -> None:
        """Begin no more checks; wait for those that are under way."""
        if self._again is not None and self._again.running:
            self._again.stop()
        self._queue.stop()
        await self._tasks.stop()

    # -- one APIService -------------------------------------------------------------------------------------------

    async def _check(self, name: str) -> None:
        """:raises WorkFailed: when the server does not answer. :raises StatusError: when that can't be written."""
        service = self._services.find(name)
        if service is None:
            self.metrics.forget(name)
            return
        found, failed = LOCAL, ""
        if service.service is not None:
            checked = check_service(self._objects, service.service)
            if checked is None:
                failed = await self._ask(service)
                checked = unavailable("FailedDiscoveryCheck", failed) if failed else PASSED
            found = checked
        if failed and not self._ready.fired:
            raise WorkFailed(f"not blamed before this server is ready: {failed}")
        await self._write(name, found)
        if failed:
            raise WorkFailed(failed)

    async def _write(self, name: str, found: Availability) -> None:
        obj = self._services.fresh(name)
        if obj is None:
            return
        before = is_available(obj)
        self.metrics.set(name, found.status == "True")
        status = changed_status(obj, found, self._clock.rfc3339())
        if status is not None:
            obj["status"] = status
            await self._client.call("PUT", f"{PATH}/{name}/status", obj)
            if before and found.status != "True":
                self.metrics.lost(name, found.reason)

    async def _ask(self, service: APIService) -> str:
        """Why the server does not answer as it should; empty when it does at least once."""
        failed = await self._attempt(service)
        if failed:
            again = [to_deferred(self._attempt(service)) for _ in range(_ATTEMPTS - 1)]
            try:
                results = await gatherResults(again, consumeErrors=True)
            except FirstError as error:
                error.subFailure.raiseException()
            failed = "" if "" in results else results[-1]
        return failed

    async def _attempt(self, service: APIService) -> str:
        try:
            upstream = self._upstreams.find(service)
        except NO_ADDRESS as error:
            return str(error)
        url = upstream.origin + service.root
        try:
            answer = await self._upstreams.https.request(
                upstream.server, "GET", url, user_headers(AGGREGATOR), timeout=_TIMEOUT)
        except HTTPSError as error:
            late = " (Client.Timeout exceeded while awaiting headers)" if error.reason == DEADLINE else ""
            return f"failing or missing response from {url}: {error}{late}"
        except BodyError:
            return ""  # the head of the answer is all that was wanted
        except ValueError as error:
            raise WorkFailed(str(error)) from error
        if not 200 <= answer.code < 300:
            return f"failing or missing response from {url}: bad status from {url}: {answer.code}"
        return ""


class _Follower:
    """Listens to a cache.

    :param service_of: tells the Service that an object is about; empty for none.
    """

    def __init__(self, service_of: Callable[[Obj], str], tell: Callable[[str, str], Any]) -> None:
        self.selection = Selection()
        self._service_of = service_of
        self._tell = tell

    def deliver(self, change: WatchEvent) -> None:
        self._tell(change.item.namespace, self._service_of(change.item.peek()))

    def end(self) -> None:
        """The server stops."""


def _service_of(slice_: Obj) -> str:
    return str((slice_["metadata"].get("labels") or {}).get(SERVICE_LABEL, ""))
