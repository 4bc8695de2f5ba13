"""CSIDrivers: what the cluster should know about a storage driver."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_DEFAULTS: dict[str, Any] = {
    "attachRequired": True, "podInfoOnMount": False, "storageCapacity": False,
    "fsGroupPolicy": "ReadWriteOnceWithFSType", "requiresRepublish": False, "seLinuxMount": False,
}
_GROUP_POLICIES = ("File", "None", "ReadWriteOnceWithFSType")
_MODES = ("Persistent", "Ephemeral")
_TOKEN_WARNING = ("spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to "
                  "true to prevent possible logging of tokens in volume attributes")


class CSIDriverStrategy(Strategy):
    """Rules of ``csidrivers``; the generation appears with the first change of the spec."""

    allow_unconditional_update = False
    returns_deleted_object = True
    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        for name, value in _DEFAULTS.items():
            spec.setdefault(name, value)
        if not spec.get("volumeLifecycleModes"):
            spec["volumeLifecycleModes"] = ["Persistent"]

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["metadata"].pop("generation", None)
        obj["spec"].pop("preventPodSchedulingIfMissing", None)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        if "preventPodSchedulingIfMissing" not in old.get("spec", {}):
            obj["spec"].pop("preventPodSchedulingIfMissing", None)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj.get("spec", {}))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        spec, before = obj.get("spec", {}), old.get("spec", {})
        errors = _validate_spec(spec)
        errors += rules.immutable("spec.attachedRequired", spec.get("attachRequired"),
                                  before.get("attachRequired"))
        return errors + rules.immutable("spec.volumeLifecycleModes", spec.get("volumeLifecycleModes"),
                                        before.get("volumeLifecycleModes"))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        spec = obj.get("spec", {})
        unset = spec.get("tokenRequests") and "serviceAccountTokenInSecrets" not in spec
        return [_TOKEN_WARNING] if unset else []

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        requests, before = (one.get("spec", {}).get("tokenRequests") for one in (obj, old))
        return [] if requests == before else self.warnings_on_create(ctx, obj)


def _validate_spec(spec: Obj) -> list[FieldError]:
    errors = [required(f"spec.{shown}") for name, shown in (("attachRequired", "attachedRequired"),
                                                            ("podInfoOnMount", "podInfoOnMount"),
                                                            ("storageCapacity", "storageCapacity"))
              if name not in spec]
    if "fsGroupPolicy" in spec:
        errors += rules.one_of("spec.fsGroupPolicy", spec["fsGroupPolicy"], _GROUP_POLICIES)
    errors += _validate_tokens("spec.tokenRequests", spec.get("tokenRequests", []))
    errors += [not_supported("spec.volumeLifecycleModes", mode, _MODES)
               for mode in spec.get("volumeLifecycleModes", []) if mode not in _MODES]
    if "seLinuxMount" not in spec:
        errors.append(required("spec.seLinuxMount"))
    period = spec.get("nodeAllocatableUpdatePeriodSeconds")
    if period is not None and period < 10:
        errors.append(invalid("spec.nodeAllocatableUpdatePeriodSeconds", period,
                              "must be greater than or equal to 10 seconds"))
    in_secrets = spec.get("serviceAccountTokenInSecrets")
    if in_secrets is not None and not spec.get("tokenRequests"):
        errors.append(invalid("spec.serviceAccountTokenInSecrets", in_secrets,
                              "serviceAccountTokenInSecrets is set but no tokenRequests are specified"))
    return errors


def _validate_tokens(path: str, requests: list[dict[str, Any]]) -> list[FieldError]:
    errors = []
    audiences = [one.get("audience", "") for one in requests]
    for index, (audience, one) in enumerate(zip(audiences, requests, strict=True)):
        seconds, at = one.get("expirationSeconds"), f"{path}[{index}]"
        if audience in audiences[:index]:
            errors.append(duplicate(f"{at}.audience", audience))
        elif seconds is not None and seconds < 600:
            errors.append(invalid(f"{at}.expirationSeconds", seconds,
                                  "may not specify a duration less than 10 minutes"))
        elif seconds is not None and seconds > 1 << 32:
            errors.append(invalid(f"{at}.expirationSeconds", seconds,
                                  "may not specify a duration larger than 2^32 seconds"))
    return errors


STRATEGY = CSIDriverStrategy()
