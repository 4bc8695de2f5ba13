"""Jobs."""

from __future__ import annotations

from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

CONTROLLER_UID = "batch.kubernetes.io/controller-uid"
JOB_NAME = "batch.kubernetes.io/job-name"
LEGACY_CONTROLLER_UID = "controller-uid"
LEGACY_JOB_NAME = "job-name"

_UNLIMITED = 2**31 - 1


class JobStrategy(WorkloadStrategy):
    """Source: the API reference of Job."""

    garbage_collection = "orphan"
    field_labels = frozenset({"status.successful"})

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        if "parallelism" not in spec:
            spec.setdefault("completions", 1)
            spec["parallelism"] = 1
        spec.setdefault("backoffLimit", _UNLIMITED if "backoffLimitPerIndex" in spec else 6)
        labels = (self.template(obj).get("metadata") or {}).get("labels")
        if labels and not obj["metadata"].get("labels"):
            obj["metadata"]["labels"] = dict(labels)
        spec.setdefault("completionMode", "NonIndexed")
        spec.setdefault("suspend", False)
        spec.setdefault("podReplacementPolicy", "Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed")
        spec.setdefault("manualSelector", False)
        default_failure_policy(spec)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        super().prepare_for_create(ctx, obj)
        if not obj["spec"].get("manualSelector"):
            _generate_selector(obj)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"status.successful": str((obj.get("status") or {}).get("succeeded", 0))}


def default_failure_policy(spec: Obj) -> None:
    """Patterns of pod conditions match ``True`` when they do not say."""
    for rule in (spec.get("podFailurePolicy") or {}).get("rules") or ():
        for pattern in rule.get("onPodConditions") or ():
            if not pattern.get("status"):
                pattern["status"] = "True"


def _generate_selector(obj: Obj) -> None:
    """Select the pods by the Job's uid, and label them so; labels of the client that differ fail in validation."""
    metadata = obj["metadata"]
    uid = metadata.get("uid", "")
    template = obj["spec"].setdefault("template", {}).setdefault("metadata", {})
    labels = {LEGACY_JOB_NAME: metadata.get("name", ""), JOB_NAME: metadata.get("name", ""),
              LEGACY_CONTROLLER_UID: uid, CONTROLLER_UID: uid}
    template["labels"] = labels | (template.get("labels") or {})
    selector = obj["spec"].setdefault("selector", {})
    selector["matchLabels"] = {CONTROLLER_UID: uid} | (selector.get("matchLabels") or {})


class JobStatusStrategy(StatusStrategy):
    """The status endpoint."""


STRATEGY = JobStrategy()
STATUS = JobStatusStrategy(STRATEGY)
