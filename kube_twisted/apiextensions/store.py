"""The store of a custom resource in one of its versions; those of all versions share a cache.

Each version is a store of its own, as in the original: a write is defaulted, validated and owned in the version that
it is sent in, and converted to the storage version only to be stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kube_twisted.api.errors import plain_internal
from kube_twisted.api.gvk import GroupResource, GroupVersion, GroupVersionKind
from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.apiextensions.cache import CustomResourceCache
from kube_twisted.apiextensions.conversion.converter import Converter
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.storage.cached import CachedObject
from kube_twisted.util.clock import Clock

#: How many converted objects a version remembers.
_MOST_REMEMBERED = 2000


class CustomResourceStore(Store):
    """Objects of one custom kind in one version.

    :param several: whether objects may be stored in another version than this.
    :param coerce: cuts a converted object to the schema of its version; raises ValueError.
    :param coerce_stored: likewise for the storage version. Defaults are none of a conversion's business.
    """

    cache: CustomResourceCache

    def __init__(self, resource: GroupResource, kind: GroupVersionKind, namespaced: bool, strategy: Strategy,
                 cache: CustomResourceCache, clock: Clock, converter: Converter, *,
                 coerce: Callable[[Obj], object], coerce_stored: Callable[[Obj], object], several: bool) -> None:
        super().__init__(resource, kind, namespaced, strategy, cache, clock)
        self.converts = several
        self._converter = converter
        self._coerce, self._coerce_stored = coerce, coerce_stored
        self._encoding = cache.encoding_for(kind.api_version)
        self._stored_version = GroupVersion.parse(cache.encoding.api_version)
        self._remembered: dict[tuple[str, int], CachedObject] = {}

    async def shown(self, items: Sequence[CachedObject]) -> list[CachedObject]:
        known = [self._known(item) for item in items]
        missing = [item for item, found in zip(items, known, strict=True) if found is None]
        if not missing:
            return [one for one in known if one is not None]
        converted = await self._converter.convert([one.parse() for one in missing], self.kind.group_version)
        made = iter([self._made(item, obj) for item, obj in zip(missing, converted, strict=True)])
        return [one if one is not None else next(made) for one in known]

    def _known(self, item: CachedObject) -> CachedObject | None:
        if item.encoding is self._encoding:
            return item
        return self._remembered.get((item.key, item.revision)) if item.revision else None

    def _made(self, item: CachedObject, obj: Obj) -> CachedObject:
        _cut(self._coerce, obj)
        tail = self._encoding.tail(self._encoding.encode(obj), item.revision)
        made = CachedObject(self._encoding, item.key, item.namespace, item.name, tail, item.revision)
        made.outdated = item.outdated
        if item.revision:
            if len(self._remembered) >= _MOST_REMEMBERED:
                self._remembered.clear()
            self._remembered[item.key, item.revision] = made
        return made

    async def stored(self, obj: Obj) -> bytes:
        if self.kind.group_version != self._stored_version:
            (converted,) = await self._converter.convert([obj], self._stored_version)
            obj = deep_copy(converted)
            _cut(self._coerce_stored, obj)
        return self.encode(obj)


def _cut(coerce: Callable[[Obj], object], obj: Obj) -> None:
    """:raises StatusError: 500 for metadata that is none."""
    try:
        coerce(obj)
    except ValueError as error:
        raise plain_internal(str(error)) from None
