"""Metrics of the control plane: objects, watches, the times of the store and of admission."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kube_twisted.controlplane.completed import CompletedConfig
from kube_twisted.controlplane.policy_families import policy_families
from kube_twisted.controlplane.webhook_families import admission_families, conversion_families
from kube_twisted.server.metrics import Family, Labels
from kube_twisted.util.histogram import Histogram

_RESOURCE = ("group", "version", "resource")
_OBJECTS = ("Number of stored objects at the time of last check split by kind. In case of a fetching error, the value "
            "will be -1.")
_ADMISSION = ("type", "operation", "rejected")


def families(completed: CompletedConfig) -> list[Family]:
    """What /metrics shows besides requests."""
    stores, watches, durations = completed.stores, completed.watches, completed.backend.store.durations
    admission = completed.admission.chain.times

    def objects() -> Iterable[tuple[Labels, float]]:
        return [((store.resource.group, store.resource.resource), len(store.cache)) for store in stores]

    def objects_by_name() -> Iterable[tuple[Labels, float]]:
        return [((str(store.resource),), len(store.cache)) for store in stores]

    def open_watches() -> Iterable[tuple[Labels, float]]:
        counted = Counter((*stream.labels, stream.scope) for stream in watches.running)
        return [(("WATCH", *labels, "", "apiserver"), count) for labels, count in counted.items()]

    def store_times() -> Iterable[tuple[Labels, Histogram]]:
        return [((name,), histogram) for name, histogram in durations.items()]

    return [
        Family("apiserver_resource_objects", _OBJECTS, "gauge", ("group", "resource"), objects),
        Family("apiserver_storage_objects", _OBJECTS, "gauge", ("resource",), objects_by_name),
        Family("apiserver_longrunning_requests", "Gauge of all active long-running apiserver requests broken out by "
               "verb, group, version, resource, scope and component. Not all requests are tracked this way.", "gauge",
               ("verb", *_RESOURCE, "scope", "subresource", "component"), open_watches),
        Family("apiserver_watch_events", "Number of events sent in watch clients", "counter", _RESOURCE,
               watches.events_sent),
        Family("etcd_request_duration_seconds", "Etcd request latency in seconds for each operation and object type.",
               "histogram", ("operation",), store_times),
        Family("apiserver_admission_step_admission_duration_seconds",
               "Admission sub-step latency histogram in seconds, broken out for each operation and API resource and "
               "step type (validate or admit).", "histogram", _ADMISSION, admission.steps),
        Family("apiserver_admission_controller_admission_duration_seconds",
               "Admission controller latency histogram in seconds, identified by name and broken out for each "
               "operation and API resource and type (validate or admit).", "histogram", ("name", *_ADMISSION),
               admission.plugins),
        *conversion_families(completed.conversions),
        *admission_families(completed.admission.webhook_metrics),
        *policy_families(completed.admission.policy_metrics),
    ]
