"""Stores of roles and bindings: what is written grants nothing that its writer does not have."""

from __future__ import annotations

from functools import partial

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.rbac.escalation import EscalationGuard, Granting
from kube_twisted.authorization.rbac.policy import CLUSTER_ROLES, ROLES
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.registry.write import CreateValidation, Transform, UpdateValidation, Write
from kube_twisted.storage.cached import CachedObject


class GuardedStore(Store):
    """The store of one of the four resources.

    :ivar guard: to be set before the first write.
    """

    guard: EscalationGuard

    async def create(self, write: Write, obj: Obj, validate: CreateValidation,
                     strategy: Strategy | None = None) -> CachedObject:
        await self._check(write, "", obj, None)
        return await super().create(write, obj, validate, strategy)

    async def update(self, write: Write, name: str, transform: Transform, validate_create: CreateValidation,
                     validate_update: UpdateValidation, *, force_create: bool = False,
                     strategy: Strategy | None = None) -> tuple[CachedObject, bool]:
        checked = partial(self._checked, write, name, transform)
        return await super().update(write, name, checked, validate_create, validate_update,
                                    force_create=force_create, strategy=strategy)

    async def _checked(self, write: Write, name: str, transform: Transform, old: Obj | None) -> Obj:
        obj = await transform(old)
        if old is None or _changes_more_than_life(obj, old):
            await self._check(write, name, obj, old)
        return obj

    async def _create_on_update(self, write: Write, transform: Transform, validate: CreateValidation,
                                strategy: Strategy) -> CachedObject:
        obj = await transform(None)
        obj["metadata"].pop("resourceVersion", None)
        return await super().create(write, obj, validate, strategy)

    async def _check(self, write: Write, name: str, obj: Obj, old: Obj | None) -> None:
        ctx = write.ctx
        granting = Granting(UserInfo(ctx.username, ctx.uid, ctx.groups, dict(ctx.extra)), self.resource.resource,
                            write.namespace if self.namespaced else "", name)
        if self.resource.resource in (ROLES, CLUSTER_ROLES):
            await self.guard.check_role(granting, obj, old)
        else:
            await self.guard.check_binding(granting, obj)


def _changes_more_than_life(obj: Obj, old: Obj) -> bool:
    """Whether more is changed than what decides when the object goes: anybody who may update it may do that."""
    return _lasting(obj) != _lasting(old)


def _lasting(obj: Obj) -> Obj:
    metadata = {key: value for key, value in obj["metadata"].items()
                if key not in ("ownerReferences", "finalizers", "managedFields")}
    return {**obj, "metadata": metadata}
