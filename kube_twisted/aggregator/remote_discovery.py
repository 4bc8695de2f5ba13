"""Finds out what the servers behind APIServices serve, again and again, for the aggregated discovery document.

Source of the rules: KEP-3352, "Aggregated Discovery", and ``handler_discovery.go`` of kube-aggregator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import evolve, frozen

from kube_twisted.aggregator.addresses import NO_ADDRESS
from kube_twisted.aggregator.apiservice import APIService, ServiceReference
from kube_twisted.aggregator.apiservices import APIServices
from kube_twisted.aggregator.upstream import AGGREGATOR, Upstreams
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.codec import json
from kube_twisted.endpoints.discovery.remote import (
    CURRENT,
    STALE,
    RemoteGroupVersion,
    from_resource_list,
    told_versions,
)
from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.server.queue import WorkFailed, WorkQueue
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks
from kube_twisted.util.https import Answer, BodyError, HTTPSError

#: Seconds between two looks at a server; also the longest wait after failures.
REFRESH = 60.0
_TIMEOUT = 5.0
_WORKERS = 2
_TYPE = "application/json;g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList"
_ACCEPT = f"{_TYPE.format('v2')},{_TYPE.format('v2beta1')}"
#: What says that there is no answer, or none that can be read.
_FAILURES = (*NO_ADDRESS, HTTPSError, BodyError, ValueError)


@frozen
class _Told:
    """What a server said last.

    :ivar etag: by which it is asked whether that has changed.
    :ivar asked: when, in seconds.
    """

    versions: dict[GroupVersion, dict[str, Any]]
    etag: str
    asked: float


class RemoteDiscovery:
    """Follows the servers' own discovery documents.

    :param changed: called when something is to be shown otherwise.
    """

    def __init__(self, services: APIServices, upstreams: Upstreams, clock: Clock, changed: Callable[[], None]) -> None:
        self._services = services
        self._upstreams = upstreams
        self._clock = clock
        self._changed = changed
        self._shown: dict[str, RemoteGroupVersion] = {}
        self._told: dict[ServiceReference, _Told] = {}
        self._dirty: dict[str, float] = {}
        self._tasks = Tasks()
        self._queue = WorkQueue("discovery of APIServices", clock, self._tasks, self._look, _WORKERS, REFRESH, 0.5)
        services.on_change.append(self._note)

    def start(self) -> None:
        """Begin to ask. All APIServices are shown at once, as stale until they answer."""
        for service in self._services.remote.values():
            self._note(service.name)
        self._queue.start()

    async def stop(self) -> None:
        """Ask no more; wait for what is under way."""
        self._queue.stop()
        await self._tasks.stop()

    def groups(self) -> list[APIGroup]:
        """What other servers serve."""
        groups: dict[str, APIGroup] = {}
        for shown in self._shown.values():
            group = groups.setdefault(shown.group_version.group, APIGroup(shown.group_version.group))
            group.versions.append(shown)
        return list(groups.values())

    # -- what changes ---------------------------------------------------------------------------------------------

    def _note(self, name: str) -> None:
        """An APIService came, changed or went."""
        service = self._services.find_remote(name)
        self._forget_unused()
        if service is None:
            self._dirty.pop(name, None)
            if self._shown.pop(name, None) is not None:
                self._changed()
            return
        self._dirty[name] = self._clock.seconds()
        if name not in self._shown:
            self._show(name, RemoteGroupVersion(service.group_version, None, STALE))
        self._queue.add(name)

    def _forget_unused(self) -> None:
        used = {one.service for one in self._services.remote.values()}
        for reference in [one for one in self._told if one not in used]:
            del self._told[reference]

    def _show(self, name: str, shown: RemoteGroupVersion) -> None:
        before = self._shown.get(name)
        self._shown[name] = shown
        if before is None or before.document != shown.document:
            self._changed()

    # -- one APIService -------------------------------------------------------------------------------------------

    async def _look(self, name: str) -> None:
        """:raises WorkFailed: when its server can't be asked."""
        service = self._services.find_remote(name)
        if service is None:
            return
        if not service.available:
            self._show(name, RemoteGroupVersion(service.group_version, None, STALE))
            return  # its next change comes round
        told, failed = None, ""
        try:
            told = (await self._ask(service)).get(service.group_version)
        except _FAILURES as error:
            failed = str(error)
        if self._services.find_remote(name) is None:
            return
        self._show(name, RemoteGroupVersion(service.group_version, told, STALE if failed else CURRENT))
        if failed:
            raise WorkFailed(f"stale: {failed}")
        self._dirty[name] = self._clock.seconds()
        self._queue.add_after(name, REFRESH)

    async def _ask(self, service: APIService) -> dict[GroupVersion, dict[str, Any]]:
        """:raises StatusError, Unroutable, HTTPSError, BodyError, ValueError: without an answer that can be read."""
        assert service.service is not None
        known = self._told.get(service.service)
        if known is not None and known.asked > self._dirty.get(service.name, 0.0):
            return known.versions
        now = self._clock.seconds()
        headers = {"Accept": [_ACCEPT]}
        if known is not None and known.etag:
            headers["If-None-Match"] = [known.etag]
        answer = await self._upstreams.get(service, "/apis", AGGREGATOR, headers, _TIMEOUT)
        if answer.code == 304 and known is not None:
            told = evolve(known, asked=now)
        elif answer.code == 503:
            raise ValueError(f"service {service.service} returned non-success response code: {answer.code}")
        elif answer.code == 200 and _is_aggregated(answer):
            told = _Told(told_versions(_parsed(answer)), answer.header("ETag"), now)
        else:
            return await self._ask_plainly(service)
        self._told[service.service] = told
        return told.versions

    async def _ask_plainly(self, service: APIService) -> dict[GroupVersion, dict[str, Any]]:
        """From a server that knows no aggregated discovery."""
        answer = await self._upstreams.get(service, service.root, AGGREGATOR, {"Accept": ["application/json"]},
                                           _TIMEOUT)
        if answer.code != 200:
            raise ValueError(f"failed to download legacy discovery for {service.root}: {answer.code}")
        return {service.group_version: from_resource_list(_parsed(answer).get("resources") or ())}


def _is_aggregated(answer: Answer) -> bool:
    parts = {one.strip() for one in answer.header("Content-Type").split(";")}
    return {"g=apidiscovery.k8s.io", "as=APIGroupDiscoveryList"} <= parts and bool(parts & {"v=v2", "v=v2beta1"})


def _parsed(answer: Answer) -> dict[str, Any]:
    """:raises ValueError: when it is no JSON object."""
    document = json.parse(answer.body)
    if not isinstance(document, dict):
        raise ValueError("not a JSON object")
    return document
