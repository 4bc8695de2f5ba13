"""Table columns of Jobs and CronJobs."""

from __future__ import annotations

from kube_twisted.api.timefmt import human_duration, parse_time, seconds_since
from kube_twisted.registry.printers.cells import (
    AGE,
    NAME,
    NONE,
    UNSET,
    age,
    at,
    count,
    has_condition,
    is_deleting,
    selector_at,
    template_columns,
    value_at,
)
from kube_twisted.registry.printers.column import Obj, boolean, integer, printer, text
from kube_twisted.registry.printers.documentation import Doc

#: Conditions that are a Job's status, the stronger first: those of its end hide a deletion, others do not.
_ENDED = ("Complete", "Failed")
_GOING = ("Suspended", "FailureTarget", "SuccessCriteriaMet")


def _status(obj: Obj, now: float) -> str:
    ended = next((kind for kind in _ENDED if has_condition(obj, kind)), "")
    if ended or is_deleting(obj):
        return ended or "Terminating"
    return next((kind for kind in _GOING if has_condition(obj, kind)), "Running")


def _completions(obj: Obj, now: float) -> str:
    """Pods that succeeded of those wanted; a work queue wants one of many."""
    succeeded, wanted = value_at(obj, "status.succeeded", 0), value_at(obj, "spec.completions")
    if wanted is not None:
        return f"{succeeded}/{wanted}"
    parallelism = value_at(obj, "spec.parallelism", 0)
    return f"{succeeded}/1 of {parallelism}" if parallelism > 1 else f"{succeeded}/1"


def _duration(obj: Obj, now: float) -> str:
    """From start to completion, or until now; empty for a Job that did not start."""
    start, end = value_at(obj, "status.startTime"), value_at(obj, "status.completionTime")
    if start is None:
        return ""
    ended = now if end is None else parse_time(end).timestamp()
    return human_duration(seconds_since(start, ended))


def _suspend(obj: Obj, now: float) -> str:
    suspend = value_at(obj, "spec.suspend")
    return UNSET if suspend is None else str(suspend)


_SELECTOR = Doc("batch.v1.JobSpec.selector")

PRINTERS = {
    ("batch", "jobs"): printer(
        NAME,
        text("Status", "Status of the job.", _status),
        text("Completions", Doc("batch.v1.JobStatus.succeeded"), _completions),
        text("Duration", "Time required to complete the job.", _duration),
        AGE,
        *template_columns("spec.template"),
        text("Selector", _SELECTOR, selector_at("spec.selector"), wide=True),
    ),
    ("batch", "cronjobs"): printer(
        NAME,
        text("Schedule", Doc("batch.v1.CronJobSpec.schedule"), at("spec.schedule")),
        text("Timezone", Doc("batch.v1.CronJobSpec.timeZone"), at("spec.timeZone", NONE)),
        boolean("Suspend", Doc("batch.v1.CronJobSpec.suspend"), _suspend),
        integer("Active", Doc("batch.v1.CronJobStatus.active"), count("status.active")),
        text("Last Schedule", Doc("batch.v1.CronJobStatus.lastScheduleTime"),
             age("status.lastScheduleTime", NONE)),
        AGE,
        *template_columns("spec.jobTemplate.spec.template"),
        text("Selector", _SELECTOR, selector_at("spec.jobTemplate.spec.selector"), wide=True),
    ),
}
