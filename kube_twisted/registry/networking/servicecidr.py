"""ServiceCIDRs: ranges for cluster IPs, one per family; a second family can be added later (KEP-1880)."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry.addresses import canonical_cidr, is_dual_stack, parse_cidr
from kube_twisted.registry.rules import IMMUTABLE
from kube_twisted.registry.status import IsolatedStatusStrategy
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_PATH = "spec.cidrs"


class ServiceCIDRStrategy(Strategy):
    """Rules of ``servicecidrs``."""

    reset_fields = (("status",),)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_cidrs(obj.get("spec", {}).get("cidrs", []))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        new, before = (one.get("spec", {}).get("cidrs", []) for one in (obj, old))
        if len(new) == len(before):
            return [invalid(f"{_PATH}[{index}]", new[index], IMMUTABLE)
                    for index, cidr in enumerate(before) if cidr != new[index]]
        if len(before) == 1 and len(new) == 2:
            errors = [] if new[0] == before[0] else [invalid(f"{_PATH}[0]", new[0], IMMUTABLE)]
            return errors + _validate_cidrs(new)
        return [invalid(_PATH, new or None, IMMUTABLE)]


def _validate_cidrs(cidrs: list[str]) -> list[FieldError]:
    if not cidrs:
        return [required(_PATH, "at least one CIDR required")]
    if len(cidrs) > 2:
        return [invalid(_PATH, {"CIDRs": cidrs}, "may only hold up to 2 values")]
    errors = []
    for index, cidr in enumerate(cidrs):
        errors += canonical_cidr(f"{_PATH}[{index}]", cidr)
    if len(cidrs) == 2 and all(parse_cidr(cidr) for cidr in cidrs) and not is_dual_stack(cidrs):
        errors.append(invalid(_PATH, cidrs, "may specify no more than one IP for each IP family, i.e "
                                            "192.168.0.0/24 and 2001:db8::/64"))
    return errors


STRATEGY = ServiceCIDRStrategy()
STATUS = IsolatedStatusStrategy(STRATEGY)
