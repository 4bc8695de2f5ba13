"""Deleting objects: preconditions, grace, finalizers, and what is left to a garbage collector.

Source of the rules: apiserver's ``registry/rest/delete.go`` and the delete path of its generic store; the Kubernetes
documentation on finalizers and garbage collection.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Protocol

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupResource, GroupVersionKind
from kube_twisted.api.timefmt import format_time, parse_time
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.registry.write import DeleteValidation, Write
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import Create, Delete, PreconditionFailed, Update
from kube_twisted.storage.watch_cache import WatchCache

ORPHAN = "orphan"
FOREGROUND = "foregroundDeletion"
_ATTEMPTS = 30


class Deletable(Protocol):
    """What deleting needs of a store."""

    resource: GroupResource
    kind: GroupVersionKind
    strategy: Strategy
    cache: WatchCache

    converts: bool

    def lookup(self, namespace: str, name: str) -> CachedObject: ...

    async def shown(self, items: Sequence[CachedObject]) -> list[CachedObject]: ...

    async def save(self, write: Write, item: CachedObject, obj: Obj, old: Obj | None = None) -> CachedObject: ...

    async def commit(self, write: Write, operation: Create | Update | Delete, new: Obj | None,
                     old: Obj | None) -> int: ...


async def delete(store: Deletable, write: Write, name: str, validate: DeleteValidation) -> tuple[CachedObject, bool]:
    """Delete or start deleting: (the object as it was last, whether it is gone).

    ``write.options`` is a DeleteOptions; its gracePeriodSeconds is set to the grace that applies.

    :raises StatusError: 404, 409 when a precondition does not hold.
    """
    item: CachedObject | None = store.lookup(write.namespace, name)
    asked = dict(write.options)
    for _ in range(_ATTEMPTS):
        if item is None:
            raise errors.not_found(store.resource, name)
        write.options.clear()
        write.options.update(asked)
        try:
            if store.converts:
                item = (await store.shown((item,)))[0]
            return await _attempt(store, write, item, validate)
        except PreconditionFailed as failure:
            item = store.cache.cached(failure.current) if failure.current is not None else None
    raise errors.conflict(store.resource, name, errors.MODIFIED)


async def _attempt(store: Deletable, write: Write, item: CachedObject,
                   validate: DeleteValidation) -> tuple[CachedObject, bool]:
    obj = item.parse()
    options = write.options
    check_preconditions(store, options.get("preconditions") or {}, obj["metadata"])
    graceful, pending = _before_delete(store, write, obj)
    if pending:
        return item, False
    await validate(item.peek())
    write.warn(store.strategy.warnings_on_delete(write.ctx, obj, options))
    finalizers = _finalizers(store, obj["metadata"], options)
    changed = set(finalizers) != set(obj["metadata"].get("finalizers") or ())
    if graceful or finalizers or changed:
        _set_finalizers(obj["metadata"], finalizers, changed)
        if finalizers and not graceful:
            _mark_deleting(obj["metadata"], write.ctx.now)
        obj["metadata"].pop("resourceVersion", None)
        item = await store.save(write, item, obj)
        if finalizers or (graceful and options["gracePeriodSeconds"]):
            return item, False
    if write.dry_run:
        return item, True
    revision = await store.commit(write, Delete(item.key, item.revision), None, obj)
    return item.at(revision), True


def check_preconditions(store: Deletable, preconditions: dict[str, Any], meta: Obj) -> None:
    """:raises StatusError: 409 when the object is not the one that the client means."""
    # the original puts the kind where the resource belongs
    named = GroupResource(store.kind.group, store.kind.kind)
    uid, version = preconditions.get("uid"), preconditions.get("resourceVersion")
    if uid is not None and uid != meta["uid"]:
        raise errors.conflict(named, meta["name"], f"the UID in the precondition ({uid}) does not match the UID in "
                              f"record ({meta['uid']}). The object might have been deleted and then recreated")
    if version is not None and version != meta["resourceVersion"]:
        raise errors.conflict(named, meta["name"], f"the ResourceVersion in the precondition ({version}) does not match"
                              f" the ResourceVersion in record ({meta['resourceVersion']}). "
                              "The object might have been modified")


def _before_delete(store: Deletable, write: Write, obj: Obj) -> tuple[bool, bool]:
    """(whether deletion waits for a grace period that starts or shrinks now, whether one is under way already)."""
    options, meta = write.options, obj["metadata"]
    grace = options.get("gracePeriodSeconds")
    if grace is not None and grace < 0:
        options["gracePeriodSeconds"] = 1
    if meta.get("deletionTimestamp"):
        return _shorten(write, meta)
    if not store.strategy.check_graceful_delete(write.ctx, obj, options):
        return False, False
    grace = options["gracePeriodSeconds"]
    meta["deletionTimestamp"] = format_time(parse_time(write.ctx.now) + timedelta(seconds=grace))
    meta["deletionGracePeriodSeconds"] = grace
    if meta.get("generation"):
        meta["generation"] += 1
    return True, False


def _shorten(write: Write, meta: Obj) -> tuple[bool, bool]:
    """A second DELETE may only bring the end nearer."""
    running, wanted = meta.get("deletionGracePeriodSeconds"), write.options.get("gracePeriodSeconds")
    if not running:
        return False, False
    if wanted is None or wanted >= running:
        write.options["gracePeriodSeconds"] = running
        return False, True
    now = parse_time(write.ctx.now)
    end = parse_time(meta["deletionTimestamp"]) + timedelta(seconds=wanted - running)
    if end < now:
        end = now
        wanted = 1 if wanted else 0
    meta["deletionTimestamp"] = format_time(end)
    meta["deletionGracePeriodSeconds"] = wanted
    return True, False


def _finalizers(store: Deletable, meta: Obj, options: Obj) -> list[str]:
    """The object's finalizers with those that hand its dependents to the garbage collector."""
    current = meta.get("finalizers") or []
    finalizers = [one for one in current if one not in (ORPHAN, FOREGROUND)]
    policy = _policy(store, current, options)
    if policy in (ORPHAN, FOREGROUND):
        finalizers.append(policy)
    return finalizers


def _policy(store: Deletable, current: list[str], options: Obj) -> str:
    default = store.strategy.garbage_collection
    if default == "unsupported":
        return ""
    if options.get("orphanDependents") is not None:
        return ORPHAN if options["orphanDependents"] else ""
    asked = options.get("propagationPolicy")
    if asked:
        return {"Orphan": ORPHAN, "Foreground": FOREGROUND}.get(asked, "")
    for finalizer in current:
        if finalizer in (ORPHAN, FOREGROUND):
            return finalizer
    return ORPHAN if default == "orphan" else ""


def _set_finalizers(meta: Obj, finalizers: list[str], changed: bool) -> None:
    if not changed:
        return
    if finalizers:
        meta["finalizers"] = finalizers
    else:
        meta.pop("finalizers", None)


def _mark_deleting(meta: Obj, now: str) -> None:
    """Deletion waits for finalizers alone."""
    if not meta.get("deletionTimestamp"):
        if meta.get("generation"):
            meta["generation"] += 1
        meta["deletionTimestamp"] = now
    elif meta["deletionTimestamp"] > now:
        meta["deletionTimestamp"] = now
    meta["deletionGracePeriodSeconds"] = 0
