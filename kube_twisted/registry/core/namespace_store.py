"""Namespaces are deleted in two steps: Terminating first, gone when what is in them is gone.

Source of the rules: the Kubernetes documentation, "Namespaces", and upstream's namespace REST storage.
"""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.registry.deletion import FOREGROUND, ORPHAN
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.update_checks import check_preconditions
from kube_twisted.registry.write import DeleteValidation, Write
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import PreconditionFailed

_ATTEMPTS = 30


class NamespaceStore(Store):
    """The store of namespaces."""

    def should_delete_during_update(self, obj: Obj, old: Obj) -> bool:
        """Gone once ``spec.finalizers`` is empty too."""
        return not obj.get("spec", {}).get("finalizers") and super().should_delete_during_update(obj, old)

    async def delete(self, write: Write, name: str, validate: DeleteValidation) -> tuple[CachedObject, bool]:
        item: CachedObject | None = self.lookup("", name)
        for _ in range(_ATTEMPTS):
            if item is None:
                raise errors.not_found(self.resource, name)
            obj = item.parse()
            check_preconditions(self.resource, write.options.get("preconditions") or {}, obj["metadata"])
            if obj["metadata"].get("deletionTimestamp"):
                if obj.get("spec", {}).get("finalizers"):
                    return item, False
                return await super().delete(write, name, validate)
            await validate(obj)
            _terminate(obj, write)
            try:
                return await self.save(write, item, obj), False
            except PreconditionFailed as failure:
                item = self.cache.cached(failure.current) if failure.current is not None else None
        raise errors.conflict(self.resource, name, errors.MODIFIED)


def _terminate(obj: Obj, write: Write) -> None:
    meta = obj["metadata"]
    meta["deletionTimestamp"] = write.ctx.now
    obj.setdefault("status", {})["phase"] = "Terminating"
    finalizers = [one for one in meta.get("finalizers") or () if one not in (ORPHAN, FOREGROUND)]
    for finalizer in (FOREGROUND, ORPHAN):
        if _wants(finalizer, meta.get("finalizers") or (), write.options):
            finalizers.append(finalizer)
    if finalizers:
        meta["finalizers"] = finalizers
    else:
        meta.pop("finalizers", None)


def _wants(finalizer: str, current: list[str] | tuple[str, ...], options: Obj) -> bool:
    orphan = options.get("orphanDependents")
    if orphan is not None:
        return bool(orphan) == (finalizer == ORPHAN)
    policy = options.get("propagationPolicy")
    if policy:
        return bool(policy == ("Orphan" if finalizer == ORPHAN else "Foreground"))
    return finalizer in current
