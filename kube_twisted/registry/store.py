"""The generic store: what creating, reading and updating objects of any resource has in common.

Deletion is in ``deletion``, listing in ``listing``. Objects come in as decoded data in the storage version and go out
as :class:`CachedObject`, encoded once. Source of the rules: apiserver's ``registry/generic/registry`` and
``registry/rest``.
"""

from __future__ import annotations

from collections.abc import Sequence

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.api.generated_names import generate_name
from kube_twisted.api.gvk import GroupResource, GroupVersionKind
from kube_twisted.api.metadata import validate_object_meta
from kube_twisted.api.names import path_segment
from kube_twisted.registry import deletion
from kube_twisted.registry.objectmeta import (
    GENERATE_ATTEMPTS,
    ensure_namespace,
    fill_for_create,
    given_version,
    keep_from_old,
)
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.registry.update_checks import check_versions, finalizer_failures, metadata_failures, uid_mismatch
from kube_twisted.registry.write import (
    ChoiceTaken,
    CreateValidation,
    DeleteValidation,
    Transform,
    UpdateValidation,
    Write,
)
from kube_twisted.schema.apply.guards import keep_times
from kube_twisted.schema.empties import null_empty_lists
from kube_twisted.schema.types import Struct
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import Create, Delete, Operation, PreconditionFailed, Update
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.util.clock import Clock

#: How often a write starts over because somebody else changed the object in between.
_UPDATE_ATTEMPTS = 30


class Store:
    """Objects of one resource.

    :param resource: as messages name it.
    :param kind: of the storage version.
    :param ttl: how many seconds objects live, 0 for ever (events).
    :param struct: the kind's type.
    """

    def __init__(self, resource: GroupResource, kind: GroupVersionKind, namespaced: bool, strategy: Strategy,
                 cache: WatchCache, clock: Clock, ttl: int = 0, struct: Struct | None = None) -> None:
        self.resource = resource
        self.kind = kind
        self.namespaced = namespaced
        self.strategy = strategy
        self.cache = cache
        self.clock = clock
        self.ttl = ttl
        self.struct = struct

    async def start(self) -> None:
        """Fill the cache, and follow the store's log."""
        await self.cache.start()

    def stop(self) -> None:
        self.cache.stop()

    # -- reading --------------------------------------------------------------------------------------------------

    def lookup(self, namespace: str, name: str) -> CachedObject:
        """The object as the cache shows it.

        :raises StatusError: 404, 400 for what can't be a name.
        """
        item = self.cache.get(self._key(namespace, name))
        if item is None:
            raise errors.not_found(self.resource, name)
        return item

    def _key(self, namespace: str, name: str) -> str:
        """Where an object of this name is kept.

        :raises StatusError: 400 for what can't be a name.
        """
        if not name:
            raise errors.bad_request("Name parameter required.")
        if unfit := path_segment(name):
            raise errors.bad_request(f"Name parameter invalid: {go_quote(name)}: {';'.join(unfit)}")
        return self.cache.key(namespace, name)

    # -- versions -------------------------------------------------------------------------------------------------

    #: Whether :meth:`shown` may have to change anything: objects may be stored in another version than this store's.
    converts = False

    async def shown(self, items: Sequence[CachedObject]) -> list[CachedObject]:
        """Objects as the cache holds them, in this store's version.

        :raises StatusError: when they can't be converted.
        """
        return list(items)

    async def stored(self, obj: Obj) -> bytes:
        """The value to store for an object of this store's version.

        :raises StatusError: when it can't be converted.
        """
        return self.encode(obj)

    async def _in_version(self, item: CachedObject) -> CachedObject:
        return (await self.shown((item,)))[0] if self.converts else item

    # -- what is written together with an object ------------------------------------------------------------------

    def allocate(self, write: Write, new: Obj, old: Obj | None) -> None:
        """Choose what the server gives an object, such as addresses; called before the object is validated.

        What was chosen rather than asked for is noted in ``write.choices``, so that another attempt chooses anew.

        :param old: None for a new object.
        :raises StatusError: when what the object asks for can't be had.
        """

    def operations_for(self, write: Write, new: Obj | None, old: Obj | None) -> list[Operation]:
        """What must happen in the same transaction as the object's own write.

        :param new: None when the object is removed.
        :param old: None when it is new.
        :raises ChoiceTaken: when something chosen for the object has been taken by another write since.
        """
        return []

    async def commit(self, write: Write, operation: Create | Update | Delete, new: Obj | None, old: Obj | None) -> int:
        """Write the object and all that belongs to it, or nothing: the revision.

        :raises PreconditionFailed: when the object is not what it was thought to be.
        :raises ChoiceTaken: see :meth:`operations_for`.
        """
        for _ in range(_UPDATE_ATTEMPTS):
            operations = self.operations_for(write, new, old)
            try:
                revision: int = await self.cache.store.transact([operation, *operations])
                return revision
            except PreconditionFailed as failure:
                if failure.index == 0:
                    raise
            await self.cache.read_revision()
        raise errors.conflict(self.resource, self.cache.split(operation.key)[1], errors.MODIFIED)

    # -- creating -------------------------------------------------------------------------------------------------

    async def create(self, write: Write, obj: Obj, validate: CreateValidation,
                     strategy: Strategy | None = None) -> CachedObject:
        """Write a new object.

        :param strategy: of the API that it was sent to; the resource's own by default.
        :raises StatusError: 409 when the name is taken, 422 when the object is not valid.
        """
        named, labels = bool(obj["metadata"].get("name")), obj["metadata"].get("labels")
        if labels and not named:
            obj["metadata"]["labels"] = dict(labels)  # an object whose name is generated shares nothing with its parts
        for _ in range(_UPDATE_ATTEMPTS):
            await self._before_create(write, obj, validate, strategy or self.strategy)
            try:
                return await self._insert_named(write, obj, named)
            except ChoiceTaken:
                write.take_back()
        raise errors.conflict(self.resource, obj["metadata"]["name"], errors.MODIFIED)

    async def _insert_named(self, write: Write, obj: Obj, named: bool) -> CachedObject:
        """Write the object under its name, or under the first generated one that is free."""
        meta = obj["metadata"]
        for attempt in range(GENERATE_ATTEMPTS):
            if attempt:
                meta["name"] = generate_name(meta["generateName"])
            created = await self._insert(write, obj)
            if created is not None:
                return created
            if named or not meta.get("generateName"):
                break
        if meta.get("generateName"):
            error = errors.generate_name_conflict(self.resource, meta["name"])
        else:
            error = errors.already_exists(self.resource, meta["name"])
        item = self.cache.get(self.cache.key(write.namespace, meta["name"]))
        if item is not None and item.parse()["metadata"].get("deletionTimestamp"):
            error.message = f"object is being deleted: {error.message}"
        raise error

    async def _before_create(self, write: Write, obj: Obj, validate: CreateValidation, strategy: Strategy) -> None:
        meta = obj["metadata"]
        fill_for_create(meta, write.ctx.now, strategy.has_generation)
        ensure_namespace(meta, write.namespace if self.namespaced else "")
        strategy.prepare_for_create(write.ctx, obj)
        self.allocate(write, obj, None)
        failures = validate_object_meta(meta, self.namespaced, strategy.name_rule(obj))
        failures += finalizer_failures(self, meta) + strategy.validate(write.ctx, obj)
        if failures:
            raise errors.invalid(self.kind.group_kind, meta.get("name", ""), failures)
        write.warn(strategy.warnings_on_create(write.ctx, obj))
        strategy.canonicalize(obj)
        await validate(obj)
        strategy.default_as_read(obj)

    async def _insert(self, write: Write, obj: Obj) -> CachedObject | None:
        key = self.cache.key(write.namespace, obj["metadata"]["name"])
        value, version = await self.stored(obj), given_version(obj["metadata"], write.dry_run)
        if write.dry_run:
            taken = self.cache.get(key) is not None
            return None if taken else await self._in_version(self.unsaved(key, value, version))
        try:
            revision = await self.commit(write, Create(key, value, self.ttl), obj, None)
        except PreconditionFailed:
            return None
        return await self._written(key, value, revision)

    async def _written(self, key: str, value: bytes, revision: int) -> CachedObject:
        """What was just written: in the cache already, unless another write has followed."""
        item = self.cache.get(key)
        if item is None or item.revision != revision:
            item = self.cache.make(key, value, revision)
        return await self._in_version(item)

    def encode(self, obj: Obj) -> bytes:
        """The value to store."""
        value = self.cache.encoding.encode(obj)
        if b":[]" in value and self.struct is not None:
            null_empty_lists(self.struct, obj)
            value = self.cache.encoding.encode(obj)
        return value

    def unsaved(self, key: str, value: bytes, version: int = 0) -> CachedObject:
        """A dry run's object: with no other revision than the one that came with it."""
        if version:
            return self.cache.make(key, value, version)
        namespace, name = self.cache.split(key)
        encoding = self.cache.encoding
        return CachedObject(encoding, key, namespace, name, value[len(encoding.head):], 0)

    # -- updating -------------------------------------------------------------------------------------------------

    async def update(self, write: Write, name: str, transform: Transform, validate_create: CreateValidation,
                     validate_update: UpdateValidation, *, force_create: bool = False,
                     strategy: Strategy | None = None) -> tuple[CachedObject, bool]:
        """Replace the object by what ``transform`` makes of it: (the object, whether it was created).

        :param strategy: of a subresource; the resource's own by default.
        :raises StatusError: 404, 409 on a conflict, 422.
        """
        strategy = strategy or self.strategy
        key = self._key(write.namespace, name)
        item = self.cache.get(key)
        for _ in range(_UPDATE_ATTEMPTS):
            if item is None:
                if not (strategy.allow_create_on_update or force_create):
                    raise errors.not_found(self.resource, name)
                if write.uid:
                    raise uid_mismatch(self, write, name, "")
                return await self._create_on_update(write, transform, validate_create, strategy), True
            try:
                item = await self._in_version(item)
                return await self._replace(write, item, transform, validate_update, strategy), False
            except PreconditionFailed as failure:
                item = self.cache.cached(failure.current) if failure.current is not None else None
            except ChoiceTaken:
                item = self.cache.get(key)
            write.take_back()
        raise errors.conflict(self.resource, name, errors.MODIFIED)

    async def _create_on_update(self, write: Write, transform: Transform, validate: CreateValidation,
                                strategy: Strategy) -> CachedObject:
        obj = await transform(None)
        obj["metadata"].pop("resourceVersion", None)
        return await self.create(write, obj, validate, strategy)

    async def _replace(self, write: Write, item: CachedObject, transform: Transform, validate: UpdateValidation,
                       strategy: Strategy) -> CachedObject:
        old = item.parse()
        obj = await transform(old)
        meta = obj["metadata"]
        check_versions(self, write, strategy, meta, old["metadata"])
        self._before_update(write, obj, old, strategy)
        keep_times(old, obj)
        await validate(obj, old)
        if obj == old and not item.outdated:
            return item
        if self.should_delete_during_update(obj, old):
            return await self._remove(write, item, obj, old)
        return await self.save(write, item, obj, old)

    async def save(self, write: Write, item: CachedObject, obj: Obj, old: Obj | None = None) -> CachedObject:
        """Write the object over ``item``, unless nothing changed.

        :param old: what ``item`` holds, where it differs in what belongs to it.
        :raises PreconditionFailed: when it is no longer what is stored.
        """
        value = await self.stored(obj)
        if value == item.value and not item.outdated:
            return item
        if write.dry_run:
            return await self._in_version(self.cache.make(item.key, value, item.revision))
        revision = await self.commit(write, Update(item.key, value, item.revision, self.ttl), obj, old or obj)
        return await self._written(item.key, value, revision)

    def _before_update(self, write: Write, obj: Obj, old: Obj, strategy: Strategy) -> None:
        meta, old_meta = obj["metadata"], old["metadata"]
        ensure_namespace(meta, write.namespace if self.namespaced else "")
        strategy.prepare_for_update(write.ctx, obj, old)
        keep_from_old(meta, old_meta)
        if strategy.has_generation and strategy.generation_changed(obj, old):
            meta["generation"] = old_meta.get("generation", 0) + 1
        self.allocate(write, obj, old)
        failures = metadata_failures(self, strategy, meta, old_meta)
        failures += strategy.validate_update(write.ctx, obj, old)
        if failures:
            raise errors.invalid(self.kind.group_kind, meta.get("name", ""), failures)
        write.warn(strategy.warnings_on_update(write.ctx, obj, old))
        strategy.canonicalize(obj)

    async def _remove(self, write: Write, item: CachedObject, obj: Obj, old: Obj) -> CachedObject:
        """An update took the last finalizer off an object in deletion: remove it."""
        value = await self.stored(obj)
        revision = item.revision
        if not write.dry_run:
            revision = await self.commit(write, Delete(item.key, item.revision), None, old)
        return await self._in_version(self.cache.make(item.key, value, revision))

    def should_delete_during_update(self, obj: Obj, old: Obj) -> bool:
        """Whether nothing holds back an object in deletion any longer: no finalizers are left, and no grace."""
        old_meta = old["metadata"]
        return bool(old_meta.get("deletionTimestamp") and not obj["metadata"].get("finalizers")
                    and not old_meta.get("deletionGracePeriodSeconds"))

    # -- deleting -------------------------------------------------------------------------------------------------

    async def delete(self, write: Write, name: str, validate: DeleteValidation) -> tuple[CachedObject, bool]:
        """Delete or start deleting; see :func:`deletion.delete`."""
        return await deletion.delete(self, write, name, validate)
