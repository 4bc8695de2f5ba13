"""The batch group: one strategy file per resource."""

from kube_twisted.registry.batch import cronjob, job
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "cronjobs": cronjob.STRATEGY,
    "cronjobs/status": cronjob.STATUS,
    "jobs": job.STRATEGY,
    "jobs/status": job.STATUS,
}
