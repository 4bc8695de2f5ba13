"""Strategies of the core group."""

from __future__ import annotations

from kube_twisted.registry.core import (
    componentstatus,
    configmap,
    endpoints,
    event,
    limitrange,
    namespace,
    node,
    persistentvolume,
    persistentvolumeclaim,
    pod,
    podtemplate,
    replicationcontroller,
    resourcequota,
    secret,
    service,
    serviceaccount,
)
from kube_twisted.registry.strategy import Strategy

STRATEGIES: dict[str, Strategy] = {
    "componentstatuses": componentstatus.STRATEGY,
    "configmaps": configmap.STRATEGY,
    "endpoints": endpoints.STRATEGY,
    "events": event.STRATEGY,
    "limitranges": limitrange.STRATEGY,
    "namespaces": namespace.STRATEGY,
    "namespaces/finalize": namespace.FINALIZE,
    "namespaces/status": namespace.STATUS,
    "nodes": node.STRATEGY,
    "nodes/status": node.STATUS,
    "persistentvolumeclaims": persistentvolumeclaim.STRATEGY,
    "persistentvolumeclaims/status": persistentvolumeclaim.STATUS,
    "persistentvolumes": persistentvolume.STRATEGY,
    "persistentvolumes/status": persistentvolume.STATUS,
    "pods": pod.STRATEGY,
    "pods/ephemeralcontainers": pod.EPHEMERAL,
    "pods/resize": pod.RESIZE,
    "pods/status": pod.STATUS,
    "podtemplates": podtemplate.STRATEGY,
    "replicationcontrollers": replicationcontroller.STRATEGY,
    "replicationcontrollers/status": replicationcontroller.STATUS,
    "resourcequotas": resourcequota.STRATEGY,
    "resourcequotas/status": resourcequota.STATUS,
    "secrets": secret.STRATEGY,
    "serviceaccounts": serviceaccount.STRATEGY,
    "services": service.STRATEGY,
    "services/status": service.STATUS,
}
