"""PriorityLevelConfigurations: how many requests of a level run, and how others wait (KEP-1040)."""

from __future__ import annotations

import math
from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.registry.flowcontrol.conditions import ConditionsStatusStrategy, validate_conditions
from kube_twisted.registry.flowcontrol.internal import priority_level_spec
from kube_twisted.registry.flowcontrol.mandatory import PRIORITY_LEVELS
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_PRESERVE_ZERO = "flowcontrol.k8s.io/preserve-zero-concurrency-shares"
_QUEUING = {"handSize": 8, "queues": 64, "queueLengthLimit": 50}
_MAX_QUEUES, _HASH_BITS = 10_000_000, 60
_PERCENT = "must be between 0 and 100, inclusive"


class PriorityLevelConfigurationStrategy(Strategy):
    """Rules of ``prioritylevelconfigurations``."""

    has_generation = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        for kind, shares in (("exempt", 0), ("limited", 30)):
            if kind in spec:
                if spec[kind].get("nominalConcurrencyShares") is None:
                    spec[kind]["nominalConcurrencyShares"] = shares
                spec[kind].setdefault("lendablePercent", 0)
        queuing = spec.get("limited", {}).get("limitResponse", {}).get("queuing")
        if queuing is not None:
            queuing.update({name: value for name, value in _QUEUING.items() if not queuing.get(name)})

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        metadata, spec, errors = obj["metadata"], obj["spec"], []
        if _PRESERVE_ZERO in metadata.get("annotations", {}):
            errors.append(forbidden("metadata.annotations", f"annotation '{_PRESERVE_ZERO}' is forbidden"))
        name = metadata.get("name", "")
        errors += _validate_spec(name, spec) + _validate_mandatory(name, spec)
        return errors + validate_conditions(obj)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


def _validate_mandatory(name: str, spec: Obj) -> list[FieldError]:
    fixed = PRIORITY_LEVELS.get(name)
    if fixed is None:
        return []
    but = ""
    if name == "exempt":
        but, fixed = " except the 'spec.exempt' field", {**fixed, "exempt": spec.get("exempt")}
        spec = {**spec, "exempt": spec.get("exempt")}
    return [] if spec == fixed else [invalid("spec", priority_level_spec(spec),
                                             f"spec of '{name}'{but} must equal the fixed value")]


def _validate_spec(name: str, spec: Obj) -> list[FieldError]:
    kind, errors = spec.get("type", ""), []
    if (name == "exempt") != (kind == "Exempt"):
        errors.append(invalid("spec.type", kind, "must be 'Exempt' if and only if `name` is 'exempt'"))
    if kind == "Exempt":
        if "limited" in spec:
            errors.append(forbidden("spec.limited", "must be nil if the type is not Limited"))
        return errors + _validate_shares("spec.exempt", spec.get("exempt", {}))
    if kind != "Limited":
        return [*errors, not_supported("spec.type", kind, ("Exempt", "Limited"))]
    if "exempt" in spec:
        errors.append(forbidden("spec.exempt", "must be nil if the type is Limited"))
    if "limited" not in spec:
        return [*errors, required("spec.limited", "must not be empty when type is Limited")]
    return errors + _validate_limited("spec.limited", spec["limited"])


def _validate_shares(path: str, level: dict[str, Any]) -> list[FieldError]:
    shares = level.get("nominalConcurrencyShares", 0)
    errors = [] if shares >= 0 else [
        invalid(f"{path}.nominalConcurrencyShares", shares, "must be a non-negative integer")]
    return errors + _validate_percent(path, level)


def _validate_percent(path: str, level: dict[str, Any]) -> list[FieldError]:
    percent = level.get("lendablePercent", 0)
    return [] if 0 <= percent <= 100 else [invalid(f"{path}.lendablePercent", percent, _PERCENT)]


def _validate_limited(path: str, level: dict[str, Any]) -> list[FieldError]:
    shares, borrowing = level.get("nominalConcurrencyShares", 0), level.get("borrowingLimitPercent", 0)
    errors = [] if shares >= 0 else [
        invalid(f"{path}.nominalConcurrencyShares", shares, "must be a non-negative integer")]
    errors += _validate_response(f"{path}.limitResponse", level.get("limitResponse", {}))
    errors += _validate_percent(path, level)
    if borrowing < 0:
        errors.append(invalid(f"{path}.borrowingLimitPercent", borrowing,
                              "if specified, must be a non-negative integer"))
    return errors


def _validate_response(path: str, response: dict[str, Any]) -> list[FieldError]:
    kind, queuing = response.get("type", ""), response.get("queuing")
    if kind == "Reject":
        return [] if queuing is None else [
            forbidden(f"{path}.queuing", "must be nil if limited.limitResponse.type is not Limited")]
    if kind != "Queue":
        return [not_supported(f"{path}.type", kind, ("Queue", "Reject"))]
    if queuing is None:
        return [required(f"{path}.queuing", "must not be empty if limited.limitResponse.type is Limited")]
    return _validate_queuing(f"{path}.queuing", queuing)


def _validate_queuing(path: str, queuing: dict[str, Any]) -> list[FieldError]:
    limit, queues, hand = (queuing.get(name, 0) for name in ("queueLengthLimit", "queues", "handSize"))
    errors = [] if limit > 0 else [invalid(f"{path}.queueLengthLimit", limit, "must be positive")]
    if queues <= 0:
        errors.append(invalid(f"{path}.queues", queues, "must be positive"))
    elif queues > _MAX_QUEUES:
        errors.append(invalid(f"{path}.queues", queues, f"must not be greater than {_MAX_QUEUES}"))
    if hand <= 0:
        errors.append(invalid(f"{path}.handSize", hand, "must be positive"))
    elif hand > queues:
        errors.append(invalid(f"{path}.handSize", hand, f"should not be greater than queues ({queues})"))
    elif _entropy_bits(queues, hand) > _HASH_BITS:
        errors.append(invalid(f"{path}.handSize", hand,
                              f"required entropy bits of deckSize {queues} and handSize "
                              f"{hand} should not be greater than {_HASH_BITS}"))
    return errors


def _entropy_bits(deck: int, hand: int) -> int:
    """Bits of hash that dealing a hand from a deck takes (shuffle sharding)."""
    return math.ceil(math.log2(deck) * hand)


STRATEGY = PriorityLevelConfigurationStrategy()
STATUS = ConditionsStatusStrategy(STRATEGY)
