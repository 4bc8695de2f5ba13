"""Jobs."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.api.labels import has_invalid_values
from kube_twisted.api.names import dns_label
from kube_twisted.registry.batch.job_spec import validate_job_spec
from kube_twisted.registry.batch.job_status import validate_status_update
from kube_twisted.registry.batch.job_update import validate_job_update
from kube_twisted.registry.podspec.internal import shown_labels, shown_selector
from kube_twisted.registry.podspec.options import TEMPLATE, options_for_update
from kube_twisted.registry.podspec.template import compiled
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

CONTROLLER_UID = "batch.kubernetes.io/controller-uid"
JOB_NAME = "batch.kubernetes.io/job-name"
LEGACY_CONTROLLER_UID = "controller-uid"
LEGACY_JOB_NAME = "job-name"

_UNLIMITED = 2**31 - 1
_MANY_COMPLETIONS = 100_000
_MANY_PARALLEL = 10_000


_PODS_STAY = ("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove "
              "them or set propagationPolicy=Orphan to suppress this warning")


class JobStrategy(WorkloadStrategy):
    """Source: the API reference of Job."""

    garbage_collection = "orphan"
    field_labels = frozenset({"status.successful"})
    unknown_field_label = 'field label "{}" not supported for Job'

    def default(self, obj: Obj) -> None:
        super().default(obj)
        spec = obj["spec"]
        if "parallelism" not in spec:
            spec.setdefault("completions", 1)
            spec["parallelism"] = 1
        spec.setdefault("backoffLimit", _UNLIMITED if "backoffLimitPerIndex" in spec else 6)
        self.default_as_read(obj)
        spec.setdefault("completionMode", "NonIndexed")
        spec.setdefault("suspend", False)
        spec.setdefault("podReplacementPolicy",
                        "Failed" if "podFailurePolicy" in spec else "TerminatingOrFailed")
        spec.setdefault("manualSelector", False)
        default_failure_policy(spec)

    def default_as_read(self, obj: Obj) -> None:
        """A Job without labels has those of its pods, in the same dict: it gets the generated ones too."""
        labels = (self.template(obj).get("metadata") or {}).get("labels")
        if labels and not obj["metadata"].get("labels"):
            obj["metadata"]["labels"] = labels

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        super().prepare_for_create(ctx, obj)
        if not obj["spec"].get("manualSelector"):
            _generate_selector(obj)

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = _generated_selector(obj, prefixed=True) + validate_job_spec("spec", obj["spec"], TEMPLATE)
        return errors + _pod_hostnames(obj)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        """The spec is validated twice, as by kube-apiserver; repeated errors are one in messages."""
        options = options_for_update(self.template(old))
        labels = (self.template(old).get("metadata") or {}).get("labels") or {}
        errors = _generated_selector(obj, prefixed=JOB_NAME in labels and CONTROLLER_UID in labels)
        content = validate_job_spec("spec", obj["spec"], options,
                                    has_invalid_values(old["spec"].get("selector")))
        return errors + content + _pod_hostnames(obj) + content + validate_job_update(obj, old)

    def warnings_on_delete(self, ctx: WriteContext, obj: Obj, options: Obj) -> list[str]:
        if options.get("propagationPolicy") or options.get("orphanDependents") is not None:
            return []
        return [_PODS_STAY]

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return ordered_warnings(super().warnings_on_create(ctx, obj), size_warnings("spec", obj["spec"]))

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        if not self.generation_changed(obj, old):
            return []
        return size_warnings("spec", obj["spec"]) + super().warnings_on_update(ctx, obj, old)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"status.successful": str((obj.get("status") or {}).get("succeeded", 0))}


def default_failure_policy(spec: Obj) -> None:
    """Patterns of pod conditions match ``True`` when they do not say."""
    for rule in (spec.get("podFailurePolicy") or {}).get("rules") or ():
        for pattern in rule.get("onPodConditions") or ():
            if not pattern.get("status"):
                pattern["status"] = "True"


def size_warnings(path: str, spec: Obj) -> list[str]:
    """A Job can be too large to follow all of its indexes."""
    if (spec.get("completionMode") == "Indexed" and spec.get("completions", 0) > _MANY_COMPLETIONS
            and spec.get("parallelism", 0) > _MANY_PARALLEL):
        return [f"{path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism "
                "higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number "
                "of indexes fail"]
    return []


def ordered_warnings(warnings: list[str], sizes: list[str]) -> list[str]:
    """Warnings about the name, then the size, then the pods."""
    first = 1 if warnings and warnings[0].startswith("metadata.name: ") else 0
    return warnings[:first] + sizes + warnings[first:]


def _generated_selector(obj: Obj, prefixed: bool) -> list[FieldError]:
    """Nobody but the server may choose the selector, unless asked to by manualSelector.

    :param prefixed: labels with the group's prefix must be there too; pods of old Jobs have none.
    """
    spec, metadata = obj["spec"], obj["metadata"]
    if spec.get("manualSelector") or "selector" not in spec:
        return []
    uid, name = metadata.get("uid", ""), metadata.get("name", "")
    labels = ((spec.get("template") or {}).get("metadata") or {}).get("labels") or {}
    expected = {LEGACY_CONTROLLER_UID: uid, LEGACY_JOB_NAME: name}
    if prefixed:
        expected |= {CONTROLLER_UID: uid, JOB_NAME: name}
    errors = [] if uid else [required("metadata.uid")]
    for key, value in expected.items():
        path = f"spec.template.metadata.labels[{key}]"
        if key not in labels:
            errors.append(required(path, f"must be '{value}'"))
        elif labels[key] != value:
            errors.append(invalid(path, shown_labels(labels), f"must be '{value}'"))
    matcher = compiled(spec["selector"])
    if matcher is not None and not matcher.matches(expected):
        errors.append(invalid("spec.selector", shown_selector(spec["selector"]),
                              "`selector` not auto-generated"))
    return errors


def _pod_hostnames(obj: Obj) -> list[FieldError]:
    """The longest host name among the pods of an Indexed Job must be one."""
    name, completions = obj["metadata"].get("name", ""), obj["spec"].get("completions", 0)
    longest = f"{name}-{completions - 1}"
    if obj["spec"].get("completionMode") == "Indexed" and completions > 0 and dns_label(longest):
        return [invalid("metadata.name", name,
                        f"will not able to create pod with invalid DNS label: {longest}")]
    return []


def _generate_selector(obj: Obj) -> None:
    """Select the pods by the Job's uid and label them so; a client's own labels fail in validation."""
    metadata = obj["metadata"]
    uid = metadata.get("uid", "")
    template = obj["spec"].setdefault("template", {}).setdefault("metadata", {})
    labels = {LEGACY_JOB_NAME: metadata.get("name", ""), JOB_NAME: metadata.get("name", ""),
              LEGACY_CONTROLLER_UID: uid, CONTROLLER_UID: uid}
    shared = template.get("labels") is not None and template["labels"] is metadata.get("labels")
    template["labels"] = dict(sorted((labels | (template.get("labels") or {})).items()))
    if shared:
        metadata["labels"] = template["labels"]
    selector = obj["spec"].setdefault("selector", {})
    selected = {CONTROLLER_UID: uid} | (selector.get("matchLabels") or {})
    selector["matchLabels"] = dict(sorted(selected.items()))


class JobStatusStrategy(StatusStrategy):
    """The status endpoint."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_status_update(obj, old)


STRATEGY = JobStrategy()
STATUS = JobStatusStrategy(STRATEGY)
