"""Stores whose objects are deleted in two steps: marked first, gone when what belongs to them is gone."""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.update_checks import check_preconditions
from kube_twisted.registry.write import DeleteValidation, Write
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import PreconditionFailed

_ATTEMPTS = 30


class TwoStepStore(Store):
    """The store of objects that are not in namespaces, and hold others."""

    def terminate(self, obj: Obj, write: Write) -> None:
        """Change an object, in place, to one whose deletion has begun."""
        raise NotImplementedError

    def is_held(self, obj: Obj) -> bool:
        """Whether a second DELETE leaves a marked object as it is."""
        return False

    async def delete(self, write: Write, name: str, validate: DeleteValidation) -> tuple[CachedObject, bool]:
        """The first DELETE marks the object; a later one finds it so."""
        item: CachedObject | None = self.lookup("", name)
        for _ in range(_ATTEMPTS):
            if item is None:
                raise errors.not_found(self.resource, name)
            obj = item.parse()
            check_preconditions(self.resource, write.options.get("preconditions") or {}, obj["metadata"])
            if obj["metadata"].get("deletionTimestamp"):
                if self.is_held(obj):
                    return item, False
                return await super().delete(write, name, validate)
            await validate(obj)
            self.terminate(obj, write)
            try:
                return await self.save(write, item, obj), False
            except PreconditionFailed as failure:
                item = self.cache.cached(failure.current) if failure.current is not None else None
        raise errors.conflict(self.resource, name, errors.MODIFIED)
