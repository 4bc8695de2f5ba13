"""CustomResourceDefinitions are deleted in two steps: first their objects, then they themselves.

Source of the rules: the Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions: Delete
a CustomResourceDefinition".
"""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.registry.apiextensions.conditions import CLEANUP_FINALIZER, TERMINATING, condition, set_condition
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.update_checks import check_preconditions
from kube_twisted.registry.write import DeleteValidation, Write
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import PreconditionFailed

_ATTEMPTS = 30
_PENDING = condition(TERMINATING, "True", "InstanceDeletionPending", "CustomResourceDefinition marked for deletion; "
                     "CustomResource deletion will begin soon")


class CustomResourceDefinitionStore(Store):
    """The store of CustomResourceDefinitions."""

    async def delete(self, write: Write, name: str, validate: DeleteValidation) -> tuple[CachedObject, bool]:
        """The first DELETE marks the definition, and has its objects cleaned up; a later one finds it so."""
        item: CachedObject | None = self.lookup("", name)
        for _ in range(_ATTEMPTS):
            if item is None:
                raise errors.not_found(self.resource, name)
            obj = item.parse()
            check_preconditions(self.resource, write.options.get("preconditions") or {}, obj["metadata"])
            if obj["metadata"].get("deletionTimestamp"):
                return await super().delete(write, name, validate)
            await validate(obj)
            _terminate(obj, write.ctx.now)
            try:
                return await self.save(write, item, obj), False
            except PreconditionFailed as failure:
                item = self.cache.cached(failure.current) if failure.current is not None else None
        raise errors.conflict(self.resource, name, errors.MODIFIED)


def _terminate(obj: Obj, now: str) -> None:
    meta = obj["metadata"]
    meta["deletionTimestamp"] = now
    finalizers = meta.get("finalizers") or []
    if CLEANUP_FINALIZER not in finalizers:
        meta["finalizers"] = [*finalizers, CLEANUP_FINALIZER]
    set_condition(obj, _PENDING, now)
