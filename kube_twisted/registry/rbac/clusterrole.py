"""ClusterRoles: rules as of roles, for other URLs too, or gathered from other ClusterRoles."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.rbac.role import RoleStrategy, validate_rules
from kube_twisted.registry.strategy import Obj, WriteContext

_PATH = "aggregationRule.clusterRoleSelectors"


class ClusterRoleStrategy(RoleStrategy):
    """Rules of ``clusterroles``."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_rules(obj, namespaced=False) + _validate_aggregation(obj, {})

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_rules(obj, namespaced=False) + _validate_aggregation(obj, old)


def _validate_aggregation(obj: Obj, old: Obj) -> list[FieldError]:
    if "aggregationRule" not in obj:
        return []
    selectors = obj["aggregationRule"].get("clusterRoleSelectors", [])
    errors = []
    if not selectors:
        errors.append(required(_PATH,
                               "at least one clusterRoleSelector required if aggregationRule is non-nil"))
    before = old.get("aggregationRule", {}).get("clusterRoleSelectors", [])
    odd = next((one for one in before if rules.label_selector("", one)), None)
    for index, selector in enumerate(selectors):
        path = f"{_PATH}[{index}]"
        errors += rules.label_selector(path, selector, odd)
        if rules.label_selector(path, selector):
            errors.append(invalid(path, None, "invalid label selector."))
    return errors


STRATEGY = ClusterRoleStrategy()
