"""Watches on all kinds of objects that can be deleted, kept in step with the resources that the server has."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from kube_twisted.controlplane.controllers.context import Context
from kube_twisted.controlplane.controllers.discovery import Discovered, Resource, discover
from kube_twisted.controlplane.controllers.informer import Handlers, Informer, Interest
from kube_twisted.server.queue import WorkQueue

#: Events own nothing and live for an hour.
IGNORED = frozenset({("", "events"), ("events.k8s.io", "events")})
#: Where new resources come from.
_SOURCES = frozenset({("apiextensions.k8s.io", "customresourcedefinitions"), ("apiregistration.k8s.io", "apiservices")})
_PERIOD = 30.0
_AFTER_CHANGE = 1.0
#: How long to wait for the first lists; one that can't be had must not keep all others from being collected.
_PATIENCE = 30.0


class Monitors:
    """One informer per resource.

    :param handlers: makes those of a resource.
    :param interest: tells by the bytes of a watch event whether it may matter.
    :param discovered: told of the resources whenever they were looked up.
    :param ready: called once when all is known that was there at first.
    """

    _log = Logger()

    def __init__(self, context: Context, handlers: Callable[[Resource], Handlers], interest: Interest,
                 discovered: Callable[[Discovered], None], ready: Callable[[], None]) -> None:
        self._context = context
        self._handlers = handlers
        self._interest = interest
        self._discovered = discovered
        self._ready = ready
        self._is_ready = False
        self._complete = False
        self._informers: dict[tuple[str, str], tuple[Resource, Informer]] = {}
        self._queue = WorkQueue(
            "garbagecollector discovery", context.clock, context.tasks, self._sync, max_delay=_PERIOD)
        self._limit: IDelayedCall | None = None

    def start(self) -> None:
        self._queue.add("resources")
        self._queue.start()
        self._limit = self._context.clock.call_later(_PATIENCE, self._be_ready)

    def stop(self) -> None:
        self._queue.stop()
        if self._limit is not None and self._limit.active():
            self._limit.cancel()

    def followed(self, resource: Resource) -> bool:
        """Whether all objects of a resource have been told, and their changes are."""
        entry = self._informers.get((resource.group, resource.name))
        return entry is not None and entry[1].synced

    # -- resources ------------------------------------------------------------------------------------------------

    async def _sync(self, key: str) -> None:
        found = await discover(self._context.client)
        self._discovered(found)
        wanted = {(one.group, one.name): one for one in found.preferred("delete", "list", "watch")
                  if (one.group, one.name) not in IGNORED}
        for id_, (resource, informer) in list(self._informers.items()):
            new = wanted.get(id_)
            unknown = f"{resource.group}/{resource.version}" in found.failures
            if not unknown and (new is None or new.path != resource.path):
                del self._informers[id_]
                self._context.informers.drop(informer)
        for id_, resource in wanted.items():
            if id_ not in self._informers:
                self._follow(id_, resource)
                await self._context.clock.sleep(0)
        self._complete = True
        self._check_ready()
        self._queue.add_after(key, _PERIOD)

    def _follow(self, id_: tuple[str, str], resource: Resource) -> None:
        source = id_ in _SOURCES
        informer = self._context.informers.make(resource.path, None if source else self._interest)
        self._informers[id_] = (resource, informer)
        informer.add(self._handlers(resource))
        informer.add(Handlers(lambda _: None, listed=lambda _: self._check_ready()))
        if source:
            informer.add(Handlers(lambda _: self._look_again(informer), lambda _: self._look_again(informer)))
        informer.start()

    def _look_again(self, source: Informer) -> None:
        """Something that brings resources has changed."""
        if source.synced:
            self._queue.add_after("resources", _AFTER_CHANGE)

    # -- being ready ----------------------------------------------------------------------------------------------

    def _check_ready(self) -> None:
        if self._complete and all(informer.synced for _, informer in self._informers.values()):
            self._be_ready()

    def _be_ready(self) -> None:
        if not self._is_ready:
            self._is_ready = True
            if self._limit is not None and self._limit.active():
                self._limit.cancel()
            self._ready()
