"""Answers requests for custom resources, and keeps up with the definitions.

A definition that is accepted is served from the moment of its change; the endpoints, and the cache of its objects,
are made when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from twisted.internet.defer import Deferred
from twisted.logger import Logger

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.apiextensions.definition import Definition, Version
from kube_twisted.apiextensions.parts import SUBRESOURCE_VERBS, VERBS, ServingParts
from kube_twisted.endpoints.discovery.order import in_order
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion, APIResource
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.request_info import RequestInfo, is_watch
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.apply.plan import MapNode
from kube_twisted.storage.interfaces import StoreUnusable
from kube_twisted.util.deferreds import to_deferred

if TYPE_CHECKING:
    from kube_twisted.apiextensions.serving import Serving

#: What a collection in all namespaces can be asked.
_ALL_NAMESPACES = ("list", "watch")
#: What is still answered while a definition, and with it all objects, is deleted, as discovery tells it.
_TERMINATING_VERBS = ("delete", "deletecollection", "get", "list", "watch")


class CustomResourceHandler:
    """All custom resources.

    :param otherwise: answers what is no custom resource: the next server of the chain.
    :ivar on_change: called after something that discovery or OpenAPI tells has changed, with the groups that it is
        about.
    :ivar on_serving: called with each resource that begins to be served, and with what has ended.
    """

    _log = Logger()

    def __init__(self, parts: ServingParts, otherwise: Handler) -> None:
        self._parts = parts
        self._otherwise = otherwise
        self._definitions: dict[str, Definition] = {}
        self._servings: dict[str, Serving] = {}
        self._starting: dict[Serving, Deferred[None]] = {}
        self._groups: list[APIGroup] | None = None
        self.on_change: list[Callable[[Definition], None]] = []
        self.on_start: list[Callable[[Serving], None]] = []
        self.on_stop: list[Callable[[Serving], None]] = []

    # -- following the definitions --------------------------------------------------------------------------------

    @property
    def definitions(self) -> Iterable[Definition]:
        """All that there are."""
        return self._definitions.values()

    def put(self, crd: Obj) -> None:
        """A definition is there, or has changed. Watches of what is served otherwise from now on are ended.

        :param crd: shared data.
        """
        new = Definition(crd)
        old = self._definitions.get(new.name)
        self._definitions[new.name] = new
        running = self._servings.get(new.name)
        if running is not None:
            if new.is_answered and new.serves_like(running.definition):
                running.definition = new
            else:
                self._end(new.name)
        if _told(new) != (_told(old) if old is not None else None):
            self._changed(new)

    def remove(self, name: str) -> None:
        """A definition is gone: its watches end."""
        old = self._definitions.pop(name, None)
        self._end(name)
        if old is not None:
            self._changed(old)

    def _end(self, name: str) -> None:
        running = self._servings.pop(name, None)
        if running is not None:
            running.stop()
            for callback in self.on_stop:
                callback(running)

    def _changed(self, definition: Definition) -> None:
        self._groups = None
        for callback in self.on_change:
            callback(definition)

    def stop(self) -> None:
        """End all watches."""
        for name in list(self._servings):
            self._end(name)

    # -- requests -------------------------------------------------------------------------------------------------

    async def handle(self, request: Request) -> Response:
        """Answer, or leave it to the next server.

        :raises StatusError: 404, 405, 403 for a creation while the definition is deleted.
        """
        info = request.info
        definition = self._definitions.get(f"{info.resource}.{info.group}")
        if definition is None or not _is_answered(definition, request):
            return await self._otherwise(request)
        request.found = True
        serving = await self.serving(definition)
        handlers = serving.handlers(info.version, info.subresource)
        if handlers is None:
            raise errors.not_found(definition.group_resource, info.name)
        handler = handlers.get(info.verb)
        if handler is None:
            raise errors.method_not_supported(definition.group_resource, info.verb)
        return await handler(request)

    async def serving(self, definition: Definition) -> Serving:
        """The endpoints of a definition, made if they aren't there yet.

        :raises StatusError: 500 when its objects can't be read; 404 when the definition goes meanwhile.
        """
        while True:
            serving = self._servings.get(definition.name) or self._begin(definition)
            if serving in self._starting:
                waiting: Deferred[None] = Deferred()
                self._starting[serving].addBoth(_release, waiting)
                await waiting
            if serving.failure is not None:
                raise errors.internal_error(serving.failure)
            if self._servings.get(definition.name) is serving:
                return serving
            changed = self._definitions.get(definition.name)
            if changed is None or not changed.is_answered:
                raise errors.not_found(definition.group_resource, "")
            definition = changed

    def type_of(self, kind: GroupVersionKind) -> MapNode | None:
        """The type of the objects of a kind, for merging; None when none of its objects was ever asked for."""
        for serving in self._servings.values():
            definition = serving.definition
            if (definition.group, definition.kind) == (kind.group, kind.kind) and kind.version in definition.versions:
                return serving.type_of(kind.version)
        return None

    def _begin(self, definition: Definition) -> Serving:
        """Make the endpoints; they are listed as starting if that takes time."""
        # only servers that have custom resources pay for what it takes to serve them
        from kube_twisted.apiextensions.serving import Serving

        serving = self._servings[definition.name] = Serving(definition, self._parts)
        started = to_deferred(self._start(serving))
        if not started.called:
            self._starting[serving] = started
        return serving

    async def _start(self, serving: Serving) -> None:
        name = serving.definition.name
        try:
            await serving.start()
        except StoreUnusable as error:
            self._log.error("custom resource {name}: {error}", name=name, error=error)
            serving.failure = str(error)
        except Exception as error:
            self._log.failure("custom resource {name} can't be served", name=name)
            serving.failure = str(error)
        finally:
            self._starting.pop(serving, None)
        if self._servings.get(name) is not serving:
            serving.stop()  # the definition has changed meanwhile
        elif serving.failure is not None:
            del self._servings[name]
        else:
            for callback in self.on_start:
                callback(serving)

    # -- discovery ------------------------------------------------------------------------------------------------

    def groups(self) -> list[APIGroup]:
        """The groups of established definitions."""
        if self._groups is None:
            self._groups = list(self._collect())
        return self._groups

    def _collect(self) -> Iterable[APIGroup]:
        versions: dict[str, dict[GroupVersion, APIGroupVersion]] = {}
        for _, definition in sorted(self._definitions.items()):
            if definition.is_discovered:
                group = versions.setdefault(definition.group, {})
                for version in definition.served:
                    served = version.group_version
                    made = group.setdefault(served, APIGroupVersion(served, in_order=True))
                    made.resources.update((one.name, one) for one in _resources(definition, version))
        return in_order(APIGroup(name, list(found.values())) for name, found in versions.items())


def _release(_result: object, waiting: Deferred[None]) -> None:
    waiting.callback(None)


def _told(definition: Definition) -> object:
    """What discovery and OpenAPI tell of a definition."""
    if not definition.is_discovered:
        return None
    return definition.spec, definition.names, definition.is_terminating


def _is_answered(definition: Definition, request: Request) -> bool:
    """Whether a request is one for objects of the definition; settles its verb."""
    info = request.info
    version = definition.versions.get(info.version)
    if version is None or not version.served or not definition.is_answered:
        return False
    _settle_verb(info, request)
    if definition.namespaced:
        return bool(info.namespace) or info.verb in _ALL_NAMESPACES
    return not info.namespace


def _settle_verb(info: RequestInfo, request: Request) -> None:
    if info.watch_path or (info.verb == "list" and request.query_text and is_watch(request.query)):
        info.verb = "watch"


def _resources(definition: Definition, version: Version) -> Iterable[APIResource]:
    names, namespaced = definition.names, definition.namespaced
    verbs = _TERMINATING_VERBS if definition.is_terminating else VERBS
    yield APIResource(
        definition.plural, definition.kind, namespaced, verbs, {}, names.get("singular", ""),
        tuple(names.get("shortNames") or ()), tuple(names.get("categories") or ()),
        storage_version_hash=definition.storage_version_hash)
    if version.status:
        yield APIResource(f"{definition.plural}/status", definition.kind, namespaced, SUBRESOURCE_VERBS, {})
    if version.scale is not None:
        yield APIResource(f"{definition.plural}/scale", "Scale", namespaced, SUBRESOURCE_VERBS, {},
                          group="autoscaling", version="v1")
