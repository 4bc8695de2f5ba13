"""OpenAPI documents of the servers behind APIServices: the v3 index shows theirs, the v2 document has their paths.

A v3 document itself is asked for anew by every client that wants it; what is known of a server is kept while it does
not answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from hashlib import sha512
from typing import Any

from kube_twisted.aggregator.addresses import NO_ADDRESS
from kube_twisted.aggregator.apiservice import APIService
from kube_twisted.aggregator.apiservices import APIServices
from kube_twisted.aggregator.proxy import Proxy, plain
from kube_twisted.aggregator.upstream import OPENAPI_AGGREGATOR, Upstreams
from kube_twisted.codec import json
from kube_twisted.endpoints.openapi.document import RemoteDocument
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.server.queue import WorkFailed, WorkQueue
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks
from kube_twisted.util.https import Answer, BodyError, HTTPSError

#: Seconds between two looks at a server, also after a failure; and how long the wait after failures becomes.
REFRESH, _LONGEST_WAIT = 60.0, 3600.0
#: After so many seconds a server is asked that is new, or there again.
_SOON = 1.0
_TIMEOUT = 60.0
_JSON = ["application/json"]
_FAILURES = (*NO_ADDRESS, HTTPSError, BodyError, ValueError)


class RemoteOpenAPI:
    """Follows the servers' OpenAPI documents.

    :param documents: what this server serves.
    """

    def __init__(self, services: APIServices, upstreams: Upstreams, proxy: Proxy, clock: Clock,
                 documents: OpenAPIDocuments) -> None:
        self._services = services
        self._upstreams = upstreams
        self._proxy = proxy
        self._documents = documents
        self._addresses: dict[str, Mapping[str, str]] = {}
        self._etags: dict[str, str] = {}
        self._available: set[str] = set()
        self._tasks = Tasks()
        self._queue = WorkQueue("OpenAPI of APIServices", clock, self._tasks, self._look, 1, _LONGEST_WAIT, REFRESH)
        services.on_change.append(self._note)

    def start(self) -> None:
        """Begin to ask."""
        for service in self._services.remote.values():
            self._note(service.name)
        self._queue.start()

    async def stop(self) -> None:
        """Ask no more; wait for what is under way."""
        self._queue.stop()
        await self._tasks.stop()

    def _note(self, name: str) -> None:
        """An APIService came, changed or went."""
        service = self._services.find_remote(name)
        if service is None:
            self._available.discard(name)
            self._etags.pop(name, None)
            self._documents.withdraw_part(name)
            if self._addresses.pop(name, None) is not None:
                self._publish()
        elif not service.available:
            self._available.discard(name)
        elif name not in self._available:
            self._available.add(name)
            self._queue.add_after(name, _SOON)

    # -- one APIService -------------------------------------------------------------------------------------------

    async def _look(self, name: str) -> None:
        """:raises WorkFailed: when its server can't be asked."""
        service = self._services.find_remote(name)
        if service is None or not service.available:
            return
        try:
            await self._look_at_v3(service)
            await self._look_at_v2(service)
        except _FAILURES as error:
            raise WorkFailed(str(error)) from error
        self._queue.add_after(name, REFRESH)

    async def _look_at_v3(self, service: APIService) -> None:
        answer = await self._get(service, "/openapi/v3", {"Accept": _JSON})
        addresses = _addresses(_parsed(answer)) if answer.code == 200 else {}
        if self._addresses.get(service.name) != addresses and self._services.find_remote(service.name) is not None:
            self._addresses[service.name] = addresses
            self._publish()

    async def _look_at_v2(self, service: APIService) -> None:
        etag = self._etags.get(service.name, "")
        answer = await self._get(service, "/openapi/v2",
                                 {"Accept": _JSON, **({"If-None-Match": [etag]} if etag else {})})
        if answer.code != 200 or self._services.find_remote(service.name) is None:
            return
        from kube_twisted.endpoints.openapi.merging import part_below

        part = part_below(_parsed(answer), f"{service.prefix}/")
        _check(part)
        self._etags[service.name] = answer.header("ETag")
        self._documents.publish_part(service.name, sha512(answer.body).hexdigest(), part)

    async def _get(self, service: APIService, path: str, headers: Mapping[str, list[str]]) -> Answer:
        answer = await self._upstreams.get(service, path, OPENAPI_AGGREGATOR, headers, _TIMEOUT)
        if answer.code not in (200, 304, 404):
            raise ValueError(f"{path} of {service.service}: {answer.code}")
        return answer

    # -- what is shown --------------------------------------------------------------------------------------------

    def _publish(self) -> None:
        shown: dict[str, RemoteDocument] = {}
        for name, addresses in sorted(self._addresses.items()):
            for document, address in addresses.items():
                shown.setdefault(document, RemoteDocument(address, partial(self._pass_on, name)))
        self._documents.remote = shown

    async def _pass_on(self, name: str, request: Request) -> Response:
        service = self._services.find_remote(name)
        return await self._proxy.handle(request, service) if service is not None else plain(404, "")


def _addresses(index: Mapping[str, Any]) -> dict[str, str]:
    """:raises ValueError: when it isn't an index of v3 documents."""
    try:
        return {name: str(one["serverRelativeURL"]) for name, one in (index.get("paths") or {}).items()}
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"not an index of OpenAPI documents: {error!r}") from error


def _check(part: Mapping[str, Any]) -> None:
    """:raises ValueError: when the v2 document could not be written with it."""
    from kube_twisted.endpoints.openapi.protobuf import to_protobuf

    try:
        to_protobuf(part)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not an OpenAPI v2 document: {error!r}") from error


def _parsed(answer: Answer) -> dict[str, Any]:
    """:raises ValueError: when it is no JSON object."""
    document = json.parse(answer.body)
    if not isinstance(document, dict):
        raise ValueError("not a JSON object")
    return document
