"""LimitRanges: minimum, maximum, defaults and ratio per type of object, consistent with one another."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.resource_names import (
    is_overcommit_allowed,
    validate_container_resource_name,
    validate_resource_name,
)
from kube_twisted.registry.podspec import quantities
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_TYPES = ("Pod", "Container", "PersistentVolumeClaim")
_LISTS = ("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
#: smaller list, larger list, the list blamed, whose value is shown, wording
_ORDERS = (
    ("min", "max", "min", "min", "min value {} is greater than max value {}"),
    ("min", "defaultRequest", "defaultRequest", "defaultRequest",
     "min value {} is greater than default request value {}"),
    ("defaultRequest", "max", "defaultRequest", "defaultRequest",
     "default request value {} is greater than max value {}"),
    ("defaultRequest", "default", "defaultRequest", "defaultRequest",
     "default request value {} is greater than default limit value {}"),
    ("min", "default", "default", "min", "min value {} is greater than default value {}"),
    ("default", "max", "default", "max", "default value {} is greater than max value {}"),
)


class LimitRangeStrategy(Strategy):
    """Rules of ``limitranges``."""

    allow_create_on_update = True

    def default(self, obj: Obj) -> None:
        for item in obj.get("spec", {}).get("limits") or []:
            for field in _LISTS:
                quantities.round_up_to_milli(item.get(field))
            if item.get("type") == "Container":
                limits = {**item.get("max", {}), **item.get("default", {})}
                requests = {**item.get("min", {}), **limits, **item.get("defaultRequest", {})}
                item.update({key: value for key, value in (("default", limits), ("defaultRequest", requests))
                             if value})

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        if not obj["metadata"].get("name"):
            obj["metadata"]["name"] = str(uuid.uuid4())

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = []
        seen: set[str] = set()
        for index, item in enumerate(obj.get("spec", {}).get("limits") or []):
            path, kind = f"spec.limits[{index}]", item.get("type", "")
            errors += _validate_type(f"{path}.type", kind)
            if kind in seen:
                errors.append(duplicate(f"{path}.type", kind))
            seen.add(kind)
            errors += _validate_names(path, item, kind) + _validate_values(path, item)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


def _validate_type(path: str, kind: str) -> list[FieldError]:
    errors = rules.qualified_name(path, kind)
    if not errors and "/" not in kind and kind not in _TYPES:
        errors = [invalid(path, kind, "must be a standard limit type or fully qualified")]
    return errors


def _validate_names(path: str, item: dict[str, Any], kind: str) -> list[FieldError]:
    check: Callable[[str, str], list[FieldError]] = (
        validate_container_resource_name if kind in ("Pod", "Container") else validate_resource_name)
    errors = []
    for field in _LISTS:
        amounts = item.get(field, {})
        if kind == "Pod" and field in ("default", "defaultRequest"):
            if amounts:
                errors.append(forbidden(f"{path}.{field}", "may not be specified when `type` is 'Pod'"))
            continue
        if field == "maxLimitRequestRatio":
            errors += _validate_claim(path, item, kind)
        for name in sorted(amounts):
            errors += check(f"{path}.{field}[{name}]", name)
    return errors


def _validate_claim(path: str, item: dict[str, Any], kind: str) -> list[FieldError]:
    if kind != "PersistentVolumeClaim" or any("storage" in item.get(bound, {}) for bound in ("min", "max")):
        return []
    return [required(f"{path}.limits",
                     "either minimum or maximum storage value is required, but neither was provided")]


def _validate_values(path: str, item: dict[str, Any]) -> list[FieldError]:
    hidden = ("default", "defaultRequest") if item.get("type") == "Pod" else ()
    lists: dict[str,
                dict[str, str]] = {field: {} if field in hidden else item.get(field, {}) for field in _LISTS}
    errors = []
    for name in sorted({name for amounts in lists.values() for name in amounts}):
        values = {field: amounts[name] for field, amounts in lists.items() if name in amounts}
        for low, high, blamed, shown, wording in _ORDERS:
            if low in values and high in values and quantities.compare(values[low], values[high]) > 0:
                errors.append(invalid(f"{path}.{blamed}[{name}]", values[shown],
                                      wording.format(values[low], values[high])))
        errors += _validate_ratio(f"{path}.maxLimitRequestRatio[{name}]", values)
        errors += _validate_equal(f"{path}.defaultRequest[{name}]", name, values)
    return errors


def _validate_ratio(path: str, values: dict[str, str]) -> list[FieldError]:
    if "maxLimitRequestRatio" not in values:
        return []
    text = values["maxLimitRequestRatio"]
    ratio, errors = float(quantities.parsed(text)), []
    if ratio < 1:
        errors.append(invalid(path, text, f"ratio {text} is less than 1"))
    if "min" in values and "max" in values and quantities.parsed(values["min"]):
        limit = float(quantities.parsed(values["max"])) / float(quantities.parsed(values["min"]))
        if ratio > limit:
            errors.append(invalid(path, text, f"ratio {text} is greater than max/min = {limit:f}"))
    return errors


def _validate_equal(path: str, name: str, values: dict[str, str]) -> list[FieldError]:
    """What can't be overcommitted is requested as it is limited."""
    if is_overcommit_allowed(name) or "default" not in values or "defaultRequest" not in values:
        return []
    limit, request = values["default"], values["defaultRequest"]
    if quantities.compare(limit, request) == 0:
        return []
    return [invalid(path, request,
                    f"default value {limit} must equal to defaultRequest value {request} in {name}")]


STRATEGY = LimitRangeStrategy()
