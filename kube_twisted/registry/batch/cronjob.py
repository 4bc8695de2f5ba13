"""CronJobs."""

from __future__ import annotations

from kube_twisted.registry.batch.job import default_failure_policy
from kube_twisted.registry.podspec.workload import WorkloadStrategy
from kube_twisted.registry.strategy import Obj, StatusStrategy


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


STRATEGY = CronJobStrategy()
STATUS = StatusStrategy(STRATEGY)
