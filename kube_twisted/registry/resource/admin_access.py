"""Requests with ``adminAccess`` are for namespaces that are labelled for them (KEP-5018)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, forbidden
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.registry.write import CreateValidation, Transform, UpdateValidation, Write
from kube_twisted.storage.cached import CachedObject

GROUP = "resource.k8s.io"
ADMIN_ACCESS = frozenset({"resourceclaims", "resourceclaimtemplates"})
_LABEL = "resource.kubernetes.io/admin-access"


class AdminAccessStore(Store):
    """The store of claims or of their templates. A valid one is refused where admin access is not allowed.

    :ivar labels_of: the labels of a namespace; to be set before the first write.
    """

    labels_of: Callable[[str], Mapping[str, str]]

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
        self._check(write, obj, requested(obj))
        await validate(obj)

    async def _updated(self, write: Write, validate: UpdateValidation, obj: Obj, old: Obj) -> None:
        if granted(old) is None:
            self._check(write, obj, granted(obj))
        await validate(obj, old)

    def _check(self, write: Write, obj: Obj, path: str | None) -> None:
        """:raises StatusError: 422."""
        if path is not None and self.labels_of(write.ctx.namespace).get(_LABEL) != "true":
            raise errors.invalid(self.kind.group_kind, obj["metadata"].get("name", ""), [_refusal(path)])


def requested(obj: Obj) -> str | None:
    """The path of the first request for admin access, as kube-apiserver names it: the same in templates."""
    spec = obj.get("spec", {})
    return _first("spec.devices.requests", [one.get("exactly", {}) for one in (
        spec.get("spec", spec).get("devices", {}).get("requests") or [])])


def granted(obj: Obj) -> str | None:
    """The path of the first allocated device with admin access."""
    devices = obj.get("status", {}).get("allocation", {}).get("devices", {})
    return _first("status.allocation.devices.results", devices.get("results", []))


def _first(path: str, items: list[dict[str, Any]]) -> str | None:
    return next((f"{path}[{index}].adminAccess" for index, one in enumerate(items) if one.get("adminAccess")), None)


def _refusal(path: str) -> FieldError:
    return forbidden(path, f"admin access to devices requires the `{_LABEL}: true` label on the containing namespace")
