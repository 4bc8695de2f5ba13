"""The apps group: one strategy file per resource."""

from kube_twisted.registry.apps import controllerrevision, daemonset, deployment, replicaset, statefulset
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "controllerrevisions": controllerrevision.STRATEGY,
    "daemonsets": daemonset.STRATEGY,
    "daemonsets/status": daemonset.STATUS,
    "deployments": deployment.STRATEGY,
    "deployments/status": deployment.STATUS,
    "replicasets": replicaset.STRATEGY,
    "replicasets/status": replicaset.STATUS,
    "statefulsets": statefulset.STRATEGY,
    "statefulsets/status": statefulset.STATUS,
}
