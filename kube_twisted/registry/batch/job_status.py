"""What the status of a Job may be after an update: a finished Job stays finished, counters only grow.

Source: KEP-4368, which lets other controllers than the built-in one write it. A rule applies when what it is
about changed, so that a status that breaks it already can still be updated.
"""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import OMITTED, FieldError, duplicate, invalid, required
from kube_twisted.registry.batch.indexes import count_indexes, overlap
from kube_twisted.registry.rules import non_negative

Obj = dict[str, Any]
Errors = list[FieldError]

_CONDITIONS = "status.conditions"
_TERMINAL = ("Failed", "Complete", "FailureTarget")


def has_condition(job: Obj, kind: str, status: str = "True") -> bool:
    """Whether a condition has this status."""
    return any(one.get("type") == kind and one.get("status") == status
               for one in (job.get("status") or {}).get("conditions") or ())


def _is_finished(job: Obj) -> bool:
    return has_condition(job, "Complete") or has_condition(job, "Failed")


class StatusChange:
    """One update of a status: both sides, and what differs between them."""

    def __init__(self, job: Obj, old: Obj) -> None:
        self.job = job
        self.old = old
        self.status: Obj = job.get("status") or {}
        self.before: Obj = old.get("status") or {}
        self.spec: Obj = job["spec"]
        self.finished = _is_finished(job)
        self.complete = has_condition(job, "Complete")
        self.failed = has_condition(job, "Failed")
        self.succeeds = has_condition(job, "SuccessCriteriaMet")
        self.fails = has_condition(job, "FailureTarget")

    def changed(self, *names: str) -> bool:
        """Whether one of these fields, or conditions when capitalised, differs."""
        return any(has_condition(self.job, name) != has_condition(self.old, name) if name[0].isupper()
                   else self.status.get(name) != self.before.get(name) for name in names)

    def newly_finished(self) -> bool:
        return self.finished != _is_finished(self.old)


def validate_status_update(job: Obj, old: Obj) -> Errors:
    """All that is wrong with a new status."""
    change = StatusChange(job, old)
    return (_counts(change.status) + _conditions(change) + _finished(change) + _indexes(change)
            + _pods(change)

            + _success(change) + _transitions(change))


def _counts(status: Obj) -> Errors:
    errors: Errors = []
    for name in ("active", "succeeded", "failed", "ready", "terminating"):
        if name in status:
            errors += non_negative(f"status.{name}", status[name])
    seen: set[str] = set()
    for kind in ("succeeded", "failed"):
        for index, uid in enumerate((status.get("uncountedTerminatedPods") or {}).get(kind) or ()):
            path = f"status.uncountedTerminatedPods.{kind}[{index}]"
            if not uid:
                errors.append(invalid(path, uid, "must not be empty"))
            elif uid in seen:
                errors.append(duplicate(path, uid))
            seen.add(uid)
    return errors


def _conditions(change: StatusChange) -> Errors:
    errors: Errors = []
    start, end = change.status.get("startTime"), change.status.get("completionTime")
    if change.complete and change.failed and change.changed("Complete", "Failed"):
        errors.append(invalid(_CONDITIONS, OMITTED, "cannot set Complete=True and Failed=true conditions"))
    if change.complete and change.fails and change.changed("Complete", "FailureTarget"):
        errors.append(invalid(_CONDITIONS, OMITTED,
                              "cannot set Complete=True and FailureTarget=true conditions"))
    if change.changed("Complete", "completionTime"):
        if end is not None and not change.complete:
            errors.append(invalid("status.completionTime", end,
                                  "cannot set completionTime when there is no Complete=True condition"))
        if end is None and change.complete:
            errors.append(required("status.completionTime", "completionTime is required for Complete jobs"))
    if start and end and end < start and change.changed("startTime", "completionTime"):
        errors.append(invalid("status.completionTime", end, "must be equal to or after `startTime`"))
    if change.failed and not change.fails and change.changed("Failed", "failedIndexes"):
        errors.append(invalid(_CONDITIONS, OMITTED,
                              "cannot set Failed=True condition without the FailureTarget=true condition"))
    if change.complete and not change.succeeds and change.changed("Complete", "SuccessCriteriaMet"):
        errors.append(invalid(_CONDITIONS, OMITTED,
                              "cannot set Complete=True condition without the SuccessCriteriaMet=true "
                              "condition"))
    return errors


def _finished(change: StatusChange) -> Errors:
    if not change.finished:
        return []
    errors: Errors = []
    status, newly = change.status, change.newly_finished()
    if status.get("active", 0) > 0 and (newly or change.changed("active")):
        errors.append(invalid("status.active", status["active"], "active>0 is invalid for finished job"))
    never_ran = change.spec.get("suspend") and change.spec.get("completions") == 0
    if "startTime" not in status and (newly or change.changed("startTime")) and not never_ran:
        errors.append(required("status.startTime", "startTime is required for finished job"))
    uncounted = status.get("uncountedTerminatedPods") or {}
    if (uncounted.get("succeeded") or uncounted.get("failed")) \
            and (newly or change.changed("uncountedTerminatedPods")):
        shown = {"Succeeded": uncounted.get("succeeded"), "Failed": uncounted.get("failed")}
        errors.append(invalid("status.uncountedTerminatedPods", shown, "must be empty for finished job"))
    return errors


def _indexes(change: StatusChange) -> Errors:
    errors: Errors = []
    completions, per_index = change.spec.get("completions"), "backoffLimitPerIndex" in change.spec
    completed, failed = change.status.get("completedIndexes", ""), change.status.get("failedIndexes")
    if change.changed("completedIndexes") and completions is not None:
        errors += _format("completedIndexes", completed, completions)
    if change.changed("failedIndexes") and completions is not None and failed is not None and per_index:
        errors += _format("failedIndexes", failed, completions)
    if change.changed("completedIndexes") and completed and change.spec.get("completionMode") != "Indexed":
        errors.append(invalid("status.completedIndexes", completed,
                              "cannot set non-empty completedIndexes when non-indexed completion mode"))
    if change.changed("failedIndexes") and failed is not None and not per_index:
        errors.append(invalid("status.failedIndexes", failed,
                              "cannot set non-null failedIndexes when backoffLimitPerIndex is null"))
    if change.changed("failedIndexes", "completedIndexes") and completions is not None and failed is not None:
        index = overlap(completed, failed, completions)
        if index is not None:
            errors.append(invalid("status.failedIndexes", failed,
                                  f"failedIndexes and completedIndexes overlap at index: {index}"))
    return errors


def _format(name: str, text: str, completions: int) -> Errors:
    try:
        count_indexes(text, completions)
    except ValueError as error:
        return [invalid(f"status.{name}", text, f"error parsing {name}: {error}")]
    return []


def _pods(change: StatusChange) -> Errors:
    errors: Errors = []
    terminating, ready = change.status.get("terminating", 0), change.status.get("ready")
    if terminating > 0 and change.finished and (change.newly_finished() or change.changed("terminating")):
        errors.append(invalid("status.terminating", terminating, "terminating>0 is invalid for finished job"))
    if ready is not None and ready > change.status.get("active", 0) and change.changed("ready", "active"):
        errors.append(invalid("status.ready", ready, "cannot set more ready pods than active"))
    return errors


def _success(change: StatusChange) -> Errors:
    wrong = (
        (change.succeeds and change.failed, "cannot set SuccessCriteriaMet=True and Failed=true conditions"),
        (change.succeeds and change.fails,
         "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions"),
        ("successPolicy" in change.spec and not change.succeeds and change.complete,
         "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True"),
    )
    return [invalid(_CONDITIONS, OMITTED, message) for is_wrong, message in wrong if is_wrong]


def _transitions(change: StatusChange) -> Errors:
    status, before = change.status, change.before
    errors = [invalid(_CONDITIONS, OMITTED, f"cannot disable the terminal {kind}=True condition")
              for kind in _TERMINAL
              if has_condition(change.old, kind) and not has_condition(change.job, kind)]
    errors += _decreased("failed", status, before)
    scaled = (change.spec.get("completionMode") == "Indexed"
              and change.spec.get("completions") == change.spec.get("parallelism"))
    if not scaled:
        errors += _decreased("succeeded", status, before)
    if "completionTime" in status and "completionTime" in before and change.changed("completionTime"):
        errors.append(invalid("status.completionTime", status["completionTime"], "field is immutable"))
    resuming = has_condition(change.old, "Suspended") and has_condition(change.job, "Suspended", "False")
    paused = resuming or change.spec.get("suspend")
    if "startTime" in before and change.changed("startTime") and not paused:
        errors.append(invalid("status.startTime", status.get("startTime"),
                              "field is immutable for unsuspended job once set"))
    if has_condition(change.old, "SuccessCriteriaMet"):
        if not change.succeeds:
            errors.append(invalid(_CONDITIONS, OMITTED,
                                  "cannot disable the SuccessCriteriaMet=True condition"))
    elif has_condition(change.old, "Complete") and change.succeeds:
        errors.append(invalid(_CONDITIONS, OMITTED, "cannot set SuccessCriteriaMet=True for Job already has "
                                                    "Complete=true conditions"))
    return errors


def _decreased(name: str, status: Obj, before: Obj) -> Errors:
    if status.get(name, 0) >= before.get(name, 0):
        return []
    return [invalid(f"status.{name}", status.get(name, 0), f"cannot decrease the {name} counter")]
