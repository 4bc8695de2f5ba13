"""All APIServices, as they are stored: who serves what, in which order discovery lists it, and who wants to know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from kube_twisted.aggregator.apiservice import GROUP, APIService, read
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.discovery.order import version_rank
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import WatchEvent


class APIServices:
    """Follows the objects.

    :param own: the versions of the aggregator's own group, the preferred one first.
    :ivar on_change: told by name of those that come, change and go; in the midst of somebody's write.
    """

    def __init__(self, store: Store, own: Callable[[], Iterable[GroupVersion]]) -> None:
        self.selection = Selection()
        self.on_change: list[Callable[[str], None]] = []
        self._store = store
        self._own = own
        self._known: dict[str, APIService] = {}
        self._remote: dict[str, APIService] = {}

    def follow(self) -> None:
        """Know all, from now on."""
        self._store.cache.add(self)
        items, _, _ = self._store.cache.select(self.selection)
        for item in items:
            self._put(read(item.peek()))

    # -- what the cache tells -------------------------------------------------------------------------------------

    def deliver(self, change: WatchEvent) -> None:
        name = change.item.name
        if change.deleted:
            self._drop(name)
        else:
            self._put(read(change.item.peek()))
        for tell in self.on_change:
            tell(name)

    def end(self) -> None:
        """The server stops."""

    def _put(self, service: APIService) -> None:
        self._drop(service.name)
        self._known[service.name] = service
        if service.service is not None and service.group_version.group != GROUP:
            self._remote[service.prefix] = service

    def _drop(self, name: str) -> None:
        old = self._known.pop(name, None)
        if old is not None:
            self._remote.pop(old.prefix, None)

    # -- asking ---------------------------------------------------------------------------------------------------

    @property
    def remote(self) -> Mapping[str, APIService]:
        """Those of other servers, by the prefix of their paths."""
        return self._remote

    def find(self, name: str) -> APIService | None:
        return self._known.get(name)

    def find_remote(self, name: str) -> APIService | None:
        """One whose group-version another server serves."""
        found = self._known.get(name)
        return found if found is not None and self._remote.get(found.prefix) is found else None

    def names(self) -> list[str]:
        return list(self._known)

    def fresh(self, name: str) -> Obj | None:
        """A copy of the object, None when it isn't there."""
        item = self._store.cache.get(self._store.cache.key("", name))
        return item.parse() if item is not None else None

    def groups(self) -> list[APIGroup]:
        """What ``/apis`` lists: the aggregator's own group, then those of all APIServices, available or not."""
        listed = [APIGroup(GROUP, [APIGroupVersion(one) for one in self._own()])]
        for group, services in by_group(self._known.values()):
            if group and group != GROUP:
                listed.append(APIGroup(group, [APIGroupVersion(one.group_version) for one in services]))
        return listed


def by_group(services: Iterable[APIService]) -> list[tuple[str, list[APIService]]]:
    """Groups by priority, then by the name of their first APIService; in each the preferred version first."""
    groups: dict[str, list[APIService]] = {}
    for service in sorted(services, key=lambda one: (-one.priority[0], one.name)):
        groups.setdefault(service.group_version.group, []).append(service)
    return [(group, sorted(versions, key=_version_rank)) for group, versions in groups.items()]


def _version_rank(service: APIService) -> tuple[int, tuple[int, int, int], str]:
    stage, major, minor = version_rank(service.group_version.version)
    return -service.priority[1], (-stage, -major, -minor), service.group_version.version
