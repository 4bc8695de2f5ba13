"""ResourceQuotas: what may be limited, and which scopes go with it; scopes never change."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry.core.resource_names import (
    is_standard_quota,
    validate_quantity,
    validate_quota_resource_name,
)
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.rules import IMMUTABLE
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

_COMPUTE = frozenset({"pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu",
                      "requests.memory"})
#: scope -> the standard resources it can be applied to
_SCOPES = {
    "Terminating": _COMPUTE,
    "NotTerminating": _COMPUTE,
    "NotBestEffort": _COMPUTE,
    "PriorityClass": _COMPUTE,
    "CrossNamespacePodAffinity": _COMPUTE,
    "BestEffort": frozenset({"pods"}),
    "VolumeAttributesClass": frozenset({"persistentvolumeclaims", "requests.storage"}),
}
_EXISTS_ONLY = ("BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity")
_EXISTS_TEXT = ("must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, "
                "ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, "
                "ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity")
_CONFLICTS = (("BestEffort", "NotBestEffort"), ("Terminating", "NotTerminating"))
_COMPARED = ("cpu", "memory", "storage", "ephemeral-storage")


class ResourceQuotaStrategy(Strategy):
    """Rules of ``resourcequotas``."""

    returns_deleted_object = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        status = obj.get("status", {})
        for amounts in (obj.get("spec", {}).get("hard"), status.get("hard"), status.get("used")):
            quantities.round_up_to_milli(amounts)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj.get("spec", {})
        errors = _validate_amounts("spec.hard", spec.get("hard", {})) + _validate_scopes(spec)
        if "scopeSelector" in spec:
            errors += _validate_selector(spec)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        scopes, before = (one.get("spec", {}).get("scopes", []) for one in (obj, old))
        errors = self.validate(ctx, obj)
        if set(scopes) != set(before):
            errors.append(invalid("spec.scopes", scopes or None, IMMUTABLE))
        return errors

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        hard = obj.get("spec", {}).get("hard", {})
        warnings = []
        for name in _COMPARED:
            request, limit = f"requests.{name}", f"limits.{name}"
            if request not in hard and name in ("cpu", "memory"):
                request = name
            if request in hard and limit in hard and quantities.compare(hard[request], hard[limit]) > 0:
                warnings.append(f"ResourceQuota {request} ({hard[request]}) should be less than "
                                f"{limit} ({hard[limit]})")
        return warnings


class ResourceQuotaStatusStrategy(StatusStrategy):
    """Rules of ``resourcequotas/status``."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status = obj.get("status", {})
        return [error for field in ("hard", "used")
                for error in _validate_amounts(f"status.{field}", status.get(field, {}))]


def _validate_amounts(path: str, amounts: dict[str, str]) -> list[FieldError]:
    errors = []
    for name, amount in sorted(amounts.items()):
        errors += validate_quota_resource_name(f"{path}[{name}]", name)
        errors += validate_quantity(f"{path}[{name}]", name, amount)
    return errors


def _applies(scope: str, spec: Obj) -> list[bool]:
    """For each standard resource of the quota, whether the scope can be applied to it."""
    allowed = _SCOPES.get(scope)
    return [allowed is None or name in allowed for name in sorted(spec.get("hard", {}))
            if is_standard_quota(name)]


def _validate_scopes(spec: Obj) -> list[FieldError]:
    path, scopes = "spec.scopes", spec.get("scopes", [])
    errors = []
    for scope in scopes:
        if scope not in _SCOPES:
            errors.append(invalid(path, scopes, "unsupported scope"))
        errors += [invalid(path, scopes, "unsupported scope applied to resource")
                   for fits in _applies(scope, spec) if not fits]
    return errors + _validate_conflicts(scopes, scopes)


def _validate_conflicts(found: list[str], shown: Any) -> list[FieldError]:
    return [invalid("spec.scopes", shown, "conflicting scopes")
            for pair in _CONFLICTS if set(pair) <= set(found)]


def _validate_selector(spec: Obj) -> list[FieldError]:
    path = "spec.scopeSelector.matchExpressions"
    requirements = spec["scopeSelector"].get("matchExpressions", [])
    errors = []
    for one in requirements:
        scope = one.get("scopeName", "")
        if scope not in _SCOPES:
            errors.append(invalid(f"{path}.scopeName", scope, "unsupported scope"))
        errors += [invalid(path, _go_selector(requirements), "unsupported scope applied to resource")
                   for fits in _applies(scope, spec) if not fits]
        errors += _validate_requirement(path, one)
    scopes = [one.get("scopeName", "") for one in requirements]
    return errors + _validate_conflicts(scopes, spec.get("scopes"))


def _go_selector(requirements: list[dict[str, Any]]) -> dict[str, Any]:
    return {"MatchExpressions": [{"ScopeName": one.get("scopeName", ""), "Operator": one.get("operator", ""),
                                  "Values": one.get("values")} for one in requirements]}


def _validate_requirement(path: str, one: dict[str, Any]) -> list[FieldError]:
    operator, values = one.get("operator", ""), one.get("values", [])
    errors = []
    if one.get("scopeName") in _EXISTS_ONLY and operator != "Exists":
        errors.append(invalid(f"{path}.operator", operator, _EXISTS_TEXT))
    if operator in ("In", "NotIn"):
        if not values:
            errors.append(required(f"{path}.values", "must be at least one value when `operator` is 'In' or "
                                                     "'NotIn' for scope selector"))
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            errors.append(invalid(f"{path}.values", values, "must be no value when `operator` is 'Exist' or "
                                                            "'DoesNotExist' for scope selector"))
    else:
        errors.append(invalid(f"{path}.operator", operator, "not a valid selector operator"))
    return errors


STRATEGY = ResourceQuotaStrategy()
STATUS = ResourceQuotaStatusStrategy(STRATEGY)
