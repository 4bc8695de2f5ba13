"""Requests with ``adminAccess`` are for namespaces that are labelled for them (KEP-5018)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kube_twisted.api import errors
from kube_twisted.api.field import FieldError, forbidden
from kube_twisted.registry.checked_store import CheckedStore
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.write import Write

GROUP = "resource.k8s.io"
ADMIN_ACCESS = frozenset({"resourceclaims", "resourceclaimtemplates"})
_LABEL = "resource.kubernetes.io/admin-access"


class AdminAccessStore(CheckedStore):
    """The store of claims or of their templates. A valid one is refused where admin access is not allowed.

    :ivar labels_of: the labels of a namespace; to be set before the first write.
    """

    labels_of: Callable[[str], Mapping[str, str]]

    async def check_created(self, write: Write, obj: Obj) -> None:
        self._check(write, obj, requested(obj))

    async def check_updated(self, write: Write, obj: Obj, old: Obj) -> None:
        if granted(old) is None:
            self._check(write, obj, granted(obj))

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
