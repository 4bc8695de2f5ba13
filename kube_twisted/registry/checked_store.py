"""Stores that look at what is written once more, with its writer in view, right before it is validated by admission."""

from __future__ import annotations

from functools import partial

from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.registry.write import CreateValidation, Transform, UpdateValidation, Write
from kube_twisted.storage.cached import CachedObject


class CheckedStore(Store):
    """A store whose valid objects may still be refused."""

    async def check_created(self, write: Write, obj: Obj) -> None:
        """:raises StatusError: when it must not be created."""
        raise NotImplementedError

    async def check_updated(self, write: Write, obj: Obj, old: Obj) -> None:
        """:raises StatusError: when it must not become ``obj``."""
        raise NotImplementedError

    async def create(self, write: Write, obj: Obj, validate: CreateValidation,
                     strategy: Strategy | None = None) -> CachedObject:
        return await super().create(write, obj, partial(self._created, write, validate), strategy)

    async def update(self, write: Write, name: str, transform: Transform, validate_create: CreateValidation,
                     validate_update: UpdateValidation, *, force_create: bool = False,
                     strategy: Strategy | None = None) -> tuple[CachedObject, bool]:
        return await super().update(
            write, name, transform, validate_create, partial(self._updated, write, validate_update),
            force_create=force_create, strategy=strategy)

    async def _created(self, write: Write, validate: CreateValidation, obj: Obj) -> None:
        await self.check_created(write, obj)
        await validate(obj)

    async def _updated(self, write: Write, validate: UpdateValidation, obj: Obj, old: Obj) -> None:
        await self.check_updated(write, obj, old)
        await validate(obj, old)
