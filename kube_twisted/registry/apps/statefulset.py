"""StatefulSets."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.names import dns_label
from kube_twisted.registry.apps.rollout import (
    amount_of,
    not_above_all,
    validate_amount,
    validate_at_most_replicas,
    validate_available,
    validate_collisions,
    validate_counts,
)
from kube_twisted.registry.podspec.claim_warnings import claim_warnings
from kube_twisted.registry.podspec.claims import validate_claim_spec
from kube_twisted.registry.podspec.options import TEMPLATE, Options, options_for_update
from kube_twisted.registry.podspec.template import (
    compiled,
    validate_always_running,
    validate_match,
    validate_required_selector,
    validate_template,
    validate_template_metadata,
)
from kube_twisted.registry.podspec.volume_defaults import default_claim_spec
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.rules import messages, non_negative
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

_COUNTS = ("replicas", "readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas",
           "observedGeneration", "collisionCount")
_OF_REPLICAS = ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas")
_MUTABLE = ("replicas", "template", "updateStrategy", "minReadySeconds", "ordinals", "revisionHistoryLimit",
            "persistentVolumeClaimRetentionPolicy")
_NEGATIVE_LIMIT = ("spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= "
                   "0 is recommended")


class StatefulSetStrategy(WorkloadStrategy):
    """Source: the API reference of StatefulSet."""

    empty_status = {"replicas": 0, "availableReplicas": 0}
    internal_zero = {"spec": {"replicas": 0}}
    name_in_pods = False

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        if not spec.get("podManagementPolicy"):
            spec["podManagementPolicy"] = "OrderedReady"
        _default_update_strategy(spec.setdefault("updateStrategy", {}))
        retention = spec.setdefault("persistentVolumeClaimRetentionPolicy", {})
        for name in ("whenDeleted", "whenScaled"):
            if not retention.get(name):
                retention[name] = "Retain"
        spec.setdefault("replicas", 1)
        spec.setdefault("revisionHistoryLimit", 10)
        for claim in spec.get("volumeClaimTemplates") or ():
            _default_claim(claim)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        super().prepare_for_create(ctx, obj)
        _drop_max_unavailable(obj, {})

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        _drop_max_unavailable(obj, old["spec"]["updateStrategy"].get("rollingUpdate") or {})

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return dns_label(name, prefix)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec("spec", obj["spec"], TEMPLATE)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        """A template that was never valid is not looked at again, so that the rest can still change."""
        options = options_for_update(self.template(old))
        broken = bool(_validate_spec("", old["spec"], options, is_update=True))
        errors = _validate_spec("spec", obj["spec"], options, is_update=True, with_template=not broken)
        new, before = ({key: value for key, value in one["spec"].items() if key not in _MUTABLE}
                       for one in (obj, old))
        if new != before:
            errors.append(forbidden("spec", "updates to statefulset spec for fields other than 'replicas', "
                                            "'ordinals', 'template', 'updateStrategy', "
                                            "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
                                            "and 'minReadySeconds' are forbidden"))
        return errors

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return super().warnings_on_create(ctx, obj) + _warnings(obj["spec"], "")

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return super().warnings_on_update(ctx, obj, old) + _warnings(obj["spec"], ".Spec")


def _warnings(spec: Obj, suffix: str) -> list[str]:
    warnings = [warning for index, claim in enumerate(spec.get("volumeClaimTemplates") or ())
                for warning in claim_warnings(f"spec.volumeClaimTemplates[{index}]{suffix}",
                                              claim.get("spec") or {})]
    return [*warnings, _NEGATIVE_LIMIT] if spec.get("revisionHistoryLimit", 0) < 0 else warnings


def _validate_spec(path: str, spec: Obj, options: Options, is_update: bool = False,
                   with_template: bool = True) -> list[FieldError]:
    errors = _policies(path, spec)
    if not is_update:
        for index, claim in enumerate(spec.get("volumeClaimTemplates") or ()):
            errors += validate_claim_spec(f"{path}.volumeClaimTemplates[{index}].spec",
                                          claim.get("spec") or {})
    errors += non_negative(f"{path}.replicas", spec.get("replicas", 0))
    errors += non_negative(f"{path}.minReadySeconds", spec.get("minReadySeconds", 0))
    if "ordinals" in spec:
        errors += non_negative(f"{path}.ordinals.start", spec["ordinals"].get("start", 0))
    service = spec.get("serviceName", "")
    if service and not is_update:
        errors += messages(f"{path}.serviceName", service, dns_label(service))
    errors += validate_required_selector(f"{path}.selector", spec.get("selector"),
                                         "empty selector is invalid for statefulset")
    return errors + _template(f"{path}.template", f"{path}.selector", spec, options, with_template)


def _template(path: str, selector_path: str, spec: Obj, options: Options,
              with_template: bool) -> list[FieldError]:
    template = spec.get("template") or {}
    selector = compiled(spec.get("selector"))
    if selector is None:
        errors = [invalid(selector_path, spec["selector"], "")]
    else:
        errors = validate_match(path, selector, template)
        if with_template:
            errors += validate_template(path, _as_run(template, spec), options)
        errors += validate_template_metadata(path, template, options)
    return errors + validate_always_running(path, template, "StatefulSet")


def _as_run(template: Obj, spec: Obj) -> Obj:
    """The template as its pods will be: the claims are volumes, names are given by the controller."""
    claims = [claim.get("metadata", {}).get("name", "") for claim in spec.get("volumeClaimTemplates") or ()]
    inner = template.get("spec") or {}
    if not claims and not inner.get("hostname") and not inner.get("subdomain"):
        return template
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in dict.fromkeys(claims)]
    volumes += [volume for volume in inner.get("volumes") or () if volume.get("name") not in claims]
    run = {key: value for key, value in inner.items() if key not in ("hostname", "subdomain")}
    return template | {"spec": run | {"volumes": volumes}}


def _policies(path: str, spec: Obj) -> list[FieldError]:
    management = spec.get("podManagementPolicy", "")
    errors: list[FieldError] = []
    if not management:
        errors.append(required(f"{path}.podManagementPolicy"))
    elif management not in ("OrderedReady", "Parallel"):
        errors.append(invalid(f"{path}.podManagementPolicy", management,
                              "must be 'OrderedReady' or 'Parallel'"))
    errors += _update_strategy(f"{path}.updateStrategy", spec.get("updateStrategy") or {})
    retention = spec.get("persistentVolumeClaimRetentionPolicy") or {}
    for name in ("whenDeleted", "whenScaled"):
        if retention and retention.get(name, "") not in ("Retain", "Delete"):
            errors.append(not_supported(f"{path}.persistentVolumeClaimRetentionPolicy.{name}",
                                        retention.get(name, ""), ("Retain", "Delete")))
    return errors


def _update_strategy(path: str, strategy: Obj) -> list[FieldError]:
    kind, rolling = strategy.get("type", ""), strategy.get("rollingUpdate")
    shown = None if rolling is None else {"Partition": rolling.get("partition", 0),
                                          "MaxUnavailable": rolling.get("maxUnavailable")}
    if not kind:
        return [required(path)]
    if kind == "OnDelete":
        return [] if rolling is None else [invalid(f"{path}.rollingUpdate", shown,
                                                   "only allowed for updateStrategy 'RollingUpdate'")]
    if kind != "RollingUpdate":
        return [invalid(path, {"Type": kind, "RollingUpdate": shown},
                        "must be 'RollingUpdate' or 'OnDelete'")]
    if rolling is None:
        return []
    errors = non_negative(f"{path}.rollingUpdate.partition", rolling.get("partition", 0))
    unavailable = rolling.get("maxUnavailable")
    if unavailable is not None:
        here = f"{path}.rollingUpdate.maxUnavailable"
        errors += validate_amount(here, unavailable)
        if not amount_of(unavailable):
            errors.append(invalid(here, unavailable, "cannot be 0"))
        errors += not_above_all(here, unavailable)
    return errors


def _default_update_strategy(strategy: Obj) -> None:
    if not strategy.get("type"):
        strategy["type"] = "RollingUpdate"
        strategy.setdefault("rollingUpdate", {})
    if strategy["type"] == "RollingUpdate" and "rollingUpdate" in strategy:
        strategy["rollingUpdate"].setdefault("partition", 0)


def _default_claim(claim: Obj) -> None:
    claim["apiVersion"] = "v1"
    claim["kind"] = "PersistentVolumeClaim"
    default_claim_spec(claim.setdefault("spec", {}))
    status = claim.setdefault("status", {})
    if not status.get("phase"):
        status["phase"] = "Pending"


def _drop_max_unavailable(obj: Obj, old: Obj) -> None:
    """The feature MaxUnavailableStatefulSet is off: its field goes, unless it was there before."""
    rolling = obj["spec"]["updateStrategy"].get("rollingUpdate")
    if rolling and "maxUnavailable" not in old:
        rolling.pop("maxUnavailable", None)


class StatefulSetStatusStrategy(StatusStrategy):
    """The status endpoint."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status = obj.get("status") or {}
        errors = validate_counts(status, _COUNTS) + validate_at_most_replicas(status, _OF_REPLICAS)
        errors += validate_available(status, "status.readyReplicas")
        return errors + validate_collisions(status, old.get("status") or {})


STRATEGY = StatefulSetStrategy()
STATUS = StatefulSetStatusStrategy(STRATEGY)
