"""CronJobs."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.registry.batch.job import default_failure_policy, ordered_warnings, size_warnings
from kube_twisted.registry.batch.job_spec import validate_job_content
from kube_twisted.registry.batch.schedule import validate_schedule, validate_time_zone
from kube_twisted.registry.podspec.options import TEMPLATE, Options, options_for_update
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.rules import non_negative, required_one_of
from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

#: Names of its Jobs are the name, a dash and ten digits.
_LONGEST_NAME = 52


class CronJobStrategy(WorkloadStrategy):
    """Source: the API reference of CronJob."""

    template_path = "spec.jobTemplate.spec.template"

    def template(self, obj: Obj) -> Obj:
        job = (obj["spec"].get("jobTemplate") or {}).get("spec") or {}
        found: Obj = job.get("template") or {}
        return found

    def default(self, obj: Obj) -> None:
        """The Job inside gets the defaults of its pods, but not those of a Job."""
        super().default(obj)
        spec = obj["spec"]
        if not spec.get("concurrencyPolicy"):
            spec["concurrencyPolicy"] = "Allow"
        spec.setdefault("suspend", False)
        spec.setdefault("successfulJobsHistoryLimit", 3)
        spec.setdefault("failedJobsHistoryLimit", 1)
        default_failure_policy((spec.get("jobTemplate") or {}).get("spec") or {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = _validate_spec(obj["spec"], None, TEMPLATE)
        name = obj["metadata"].get("name", "")
        if len(name) > _LONGEST_NAME:
            errors.append(invalid("metadata.name", name, f"must be no more than {_LONGEST_NAME} characters"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], old["spec"], options_for_update(self.template(old)))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return ordered_warnings(super().warnings_on_create(ctx, obj), _size_warnings(obj))

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        warnings = super().warnings_on_update(ctx, obj, old)
        if self.generation_changed(obj, old):
            warnings = _size_warnings(obj) + warnings
        if "TZ" in obj["spec"].get("schedule", ""):
            warnings.append("cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
                            "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more "
                            "details")
        return warnings


def _size_warnings(obj: Obj) -> list[str]:
    return size_warnings("spec.jobTemplate.spec", (obj["spec"].get("jobTemplate") or {}).get("spec") or {})


def _validate_spec(spec: Obj, old: Obj | None, options: Options) -> list[FieldError]:
    schedule, zone = spec.get("schedule", ""), spec.get("timeZone")
    if schedule:
        errors = validate_schedule("spec.schedule", schedule, zone, "TZ" in (old or {}).get("schedule", ""))
    else:
        errors = [required("spec.schedule")]
    if "startingDeadlineSeconds" in spec:
        errors += non_negative("spec.startingDeadlineSeconds", spec["startingDeadlineSeconds"])
    if old is None or old.get("timeZone") != zone:
        errors += validate_time_zone("spec.timeZone", zone)
    errors += required_one_of("spec.concurrencyPolicy", spec.get("concurrencyPolicy", ""),
                              ("Allow", "Forbid", "Replace"))
    errors += _job_template("spec.jobTemplate.spec", (spec.get("jobTemplate") or {}).get("spec") or {},
                            options)
    for name in ("successfulJobsHistoryLimit", "failedJobsHistoryLimit"):
        if name in spec:
            errors += non_negative(f"spec.{name}", spec[name])
    return errors


def _job_template(path: str, spec: Obj, options: Options) -> list[FieldError]:
    errors = validate_job_content(path, spec, options)
    if "selector" in spec:
        errors.append(invalid(f"{path}.selector", spec["selector"], "`selector` will be auto-generated"))
    if spec.get("manualSelector"):
        errors.append(not_supported(f"{path}.manualSelector", True, ("nil", "false")))
    return errors


STRATEGY = CronJobStrategy()
STATUS = StatusStrategy(STRATEGY)
