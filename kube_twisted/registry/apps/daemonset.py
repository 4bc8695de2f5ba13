"""DaemonSets."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.api.labels import has_invalid_values, validate_label_selector
from kube_twisted.registry.apps.number_annotations import parse_number
from kube_twisted.registry.apps.rollout import (
    amount_of,
    not_above_all,
    validate_amount,
    validate_collisions,
    validate_counts,
)
from kube_twisted.registry.podspec.internal import shown_labels
from kube_twisted.registry.podspec.options import TEMPLATE, Options, options_for_update
from kube_twisted.registry.podspec.template import (
    NO_MATCH,
    compiled,
    validate_always_running,
    validate_template,
)
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.rules import immutable, non_negative
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

#: Counts changes of the template; only the server writes it.
TEMPLATE_GENERATION = "deprecated.daemonset.template.generation"
_COUNTS = ("currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady",
           "observedGeneration", "updatedNumberScheduled", "numberAvailable", "numberUnavailable",
           "collisionCount")


class DaemonSetStrategy(WorkloadStrategy):
    """Source: the API reference of DaemonSet."""

    empty_status = {"currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0,
                    "numberReady": 0}
    name_in_pods = False
    internal_annotations = frozenset({TEMPLATE_GENERATION})
    internal_zero = {"metadata": {"annotations": {TEMPLATE_GENERATION: "0"}}}

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        strategy = spec.setdefault("updateStrategy", {})
        if not strategy.get("type"):
            strategy["type"] = "RollingUpdate"
        if strategy["type"] == "RollingUpdate":
            rolling = strategy.setdefault("rollingUpdate", {})
            rolling.setdefault("maxUnavailable", 1)
            rolling.setdefault("maxSurge", 0)
        spec.setdefault("revisionHistoryLimit", 10)
        set_template_generation(obj, template_generation(obj))

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        super().prepare_for_create(ctx, obj)
        set_template_generation(obj, max(template_generation(obj), 1))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        changed = self.template(obj) != self.template(old)
        set_template_generation(obj, template_generation(old) + changed)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return super().warnings_on_update(ctx, obj, old) if self.template(obj) != self.template(old) else []

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj, TEMPLATE)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        selector = old["spec"].get("selector")
        errors = immutable("spec.selector", obj["spec"].get("selector"), selector)
        return errors + _validate_spec(obj, options_for_update(self.template(old)),
                                       has_invalid_values(selector))


def _validate_spec(obj: Obj, options: Options, any_values: bool = False) -> list[FieldError]:
    spec = obj["spec"]
    selector, template = spec.get("selector"), spec.get("template") or {}
    errors = validate_label_selector(selector, "spec.selector", allow_invalid_values=any_values)
    labels = (template.get("metadata") or {}).get("labels")
    matcher = compiled(selector)
    if matcher is not None and not matcher.matches(labels or {}):
        errors.append(invalid("spec.template.metadata.labels", shown_labels(labels), NO_MATCH))
    if selector is not None and not selector.get("matchLabels") and not selector.get("matchExpressions"):
        errors.append(invalid("spec.selector", selector, "empty selector is invalid for daemonset"))
    errors += validate_template("spec.template", template, options)
    errors += validate_always_running("spec.template", template, "DaemonSet")
    errors += non_negative("spec.minReadySeconds", spec.get("minReadySeconds", 0))
    errors += non_negative("spec.templateGeneration", template_generation(obj))
    errors += _update_strategy("spec.updateStrategy", spec.get("updateStrategy") or {})
    if "revisionHistoryLimit" in spec:
        errors += non_negative("spec.revisionHistoryLimit", spec["revisionHistoryLimit"])
    return errors


def _update_strategy(path: str, strategy: Obj) -> list[FieldError]:
    kind, rolling = strategy.get("type", ""), strategy.get("rollingUpdate")
    if kind == "OnDelete":
        return []
    if kind != "RollingUpdate":
        return [not_supported(path, {"Type": kind, "RollingUpdate": _internal(rolling)},
                              ("RollingUpdate", "OnDelete"))]
    if rolling is None:
        return [required(f"{path}.rollingUpdate")]
    unavailable, surge = rolling.get("maxUnavailable", 0), rolling.get("maxSurge", 0)
    places = ((f"{path}.rollingUpdate.maxUnavailable", unavailable),
              (f"{path}.rollingUpdate.maxSurge", surge))
    errors = [error for check in (validate_amount, not_above_all) for place in places
              for error in check(*place)]
    if amount_of(unavailable) and amount_of(surge):
        errors.append(invalid(places[1][0], surge, "may not be set when maxUnavailable is non-zero"))
    elif not amount_of(unavailable) and not amount_of(surge):
        errors.append(required(places[0][0], "cannot be 0 when maxSurge is 0"))
    return errors


def _internal(rolling: Obj | None) -> Obj | None:
    """A rolling update as error messages show it, in the names of the original's internal type."""
    return None if rolling is None else {"MaxUnavailable": rolling.get("maxUnavailable", 0),
                                         "MaxSurge": rolling.get("maxSurge", 0)}


class DaemonSetStatusStrategy(StatusStrategy):
    """The status endpoint; the template's generation belongs to the spec."""

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        set_template_generation(obj, template_generation(old))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        status = obj.get("status") or {}
        errors = validate_counts(status, _COUNTS)
        return errors + validate_collisions(status, old.get("status") or {})


def template_generation(obj: Obj) -> int:
    """The count in the annotation, 0 when there is none.

    :raises ConversionError: for a text that is no count.
    """
    text = (obj["metadata"].get("annotations") or {}).get(TEMPLATE_GENERATION)
    return 0 if text is None else parse_number("DaemonSet", text)


def set_template_generation(obj: Obj, generation: int) -> None:
    """Write the annotation."""
    obj["metadata"]["annotations"] = {**(obj["metadata"].get("annotations") or {}),
                                      TEMPLATE_GENERATION: str(generation)}


STRATEGY = DaemonSetStrategy()
STATUS = DaemonSetStatusStrategy(STRATEGY)
