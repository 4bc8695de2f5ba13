"""DaemonSets."""

from __future__ import annotations

from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

#: Counts changes of the template; only the server writes it.
TEMPLATE_GENERATION = "deprecated.daemonset.template.generation"


class DaemonSetStrategy(WorkloadStrategy):
    """Source: the API reference of DaemonSet."""

    empty_status = {"currentNumberScheduled": 0, "numberMisscheduled": 0, "desiredNumberScheduled": 0,
                    "numberReady": 0}
    name_in_pods = False

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

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        super().prepare_for_create(ctx, obj)
        set_template_generation(obj, max(template_generation(obj), 1))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        changed = self.template(obj) != self.template(old)
        set_template_generation(obj, template_generation(old) + changed)

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return super().warnings_on_update(ctx, obj, old) if self.template(obj) != self.template(old) else []


class DaemonSetStatusStrategy(StatusStrategy):
    """The status endpoint; the template's generation belongs to the spec."""

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        set_template_generation(obj, template_generation(old))


def template_generation(obj: Obj) -> int:
    """The count in the annotation, 0 when there is none."""
    text = (obj["metadata"].get("annotations") or {}).get(TEMPLATE_GENERATION, "")
    return int(text) if text.lstrip("+-").isdecimal() else 0


def set_template_generation(obj: Obj, generation: int) -> None:
    """Write the annotation."""
    obj["metadata"]["annotations"] = {**(obj["metadata"].get("annotations") or {}),
                                      TEMPLATE_GENERATION: str(generation)}


STRATEGY = DaemonSetStrategy()
STATUS = DaemonSetStatusStrategy(STRATEGY)
