"""IPAddresses: named by a canonical address, owned by one object (KEP-1880)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, required
from kube_twisted.registry import rules
from kube_twisted.registry.addresses import canonical_ip
from kube_twisted.registry.references import required_segments
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_PATH = "spec.parentRef"


class IPAddressStrategy(Strategy):
    """Rules of ``ipaddresses``."""

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return [error.detail for error in canonical_ip("", name)]

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        parent = obj.get("spec", {}).get("parentRef")
        if parent is None:
            return [required(_PATH)]
        errors = rules.dns_subdomain(f"{_PATH}.group", parent["group"]) if parent.get("group") else []
        errors += required_segments(_PATH, parent, "resource", "name")
        if parent.get("namespace"):
            errors += rules.path_segment(f"{_PATH}.namespace", parent["namespace"])
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (_go_parent(one.get("spec", {}).get("parentRef")) for one in (obj, old))
        return self.validate(ctx, obj) + rules.immutable(_PATH, new, before)


def _go_parent(parent: dict[str, Any] | None) -> dict[str, Any] | None:
    """The reference as the original's message shows it."""
    if parent is None:
        return None
    return {name.capitalize(): parent.get(name, "") for name in ("group", "resource", "namespace", "name")}


STRATEGY = IPAddressStrategy()
