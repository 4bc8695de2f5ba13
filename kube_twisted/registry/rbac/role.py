"""Roles, and the rules that they share with ClusterRoles."""

from __future__ import annotations

from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class RoleStrategy(Strategy):
    """Rules of ``roles``."""

    allow_create_on_update = True

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return names.path_segment(name, prefix)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_rules(obj, namespaced=True)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


def validate_rules(obj: Obj, *, namespaced: bool) -> list[FieldError]:
    """Every rule is about resources or about other URLs; the latter are no business of a namespace."""
    errors = []
    for index, rule in enumerate(obj.get("rules") or []):
        errors += _validate_rule(f"rules[{index}]", rule, namespaced)
    return errors


def _validate_rule(path: str, rule: dict[str, Any], namespaced: bool) -> list[FieldError]:
    errors = []
    if not rule.get("verbs"):
        errors.append(required(f"{path}.verbs", "verbs must contain at least one value"))
    urls = rule.get("nonResourceURLs")
    if urls:
        if namespaced:
            errors.append(invalid(f"{path}.nonResourceURLs", urls,
                                  "namespaced rules cannot apply to non-resource URLs"))
        if rule.get("apiGroups") or rule.get("resources") or rule.get("resourceNames"):
            errors.append(invalid(f"{path}.nonResourceURLs", urls,
                                  "rules cannot apply to both regular resources and non-resource URLs"))
        return errors
    if not rule.get("apiGroups"):
        errors.append(required(f"{path}.apiGroups", "resource rules must supply at least one api group"))
    if not rule.get("resources"):
        errors.append(required(f"{path}.resources", "resource rules must supply at least one resource"))
    return errors


STRATEGY = RoleStrategy()
