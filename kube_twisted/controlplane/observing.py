"""Metrics of what the control plane holds: objects, watches, the store's times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kube_twisted.controlplane.completed import CompletedConfig
from kube_twisted.server.metrics import Family, Labels
from kube_twisted.util.histogram import Histogram

_RESOURCE = ("group", "version", "resource")


def families(completed: CompletedConfig) -> list[Family]:
    """What /metrics shows besides requests."""
    stores, watches, durations = completed.stores, completed.watches, completed.backend.store.durations

    def objects() -> Iterable[tuple[Labels, float]]:
        return [((store.resource.group, store.resource.resource), len(store.cache)) for store in stores]

    def open_watches() -> Iterable[tuple[Labels, float]]:
        counted = Counter(stream.labels for stream in watches.running)
        return [(("WATCH", *labels), count) for labels, count in counted.items()]

    def store_times() -> Iterable[tuple[Labels, Histogram]]:
        return [((name,), histogram) for name, histogram in durations.items()]

    return [
        Family("apiserver_resource_objects", "Number of stored objects at the time of the last check.", "gauge",
               ("group", "resource"), objects),
        Family("apiserver_longrunning_requests", "Watches that are open.", "gauge", ("verb", *_RESOURCE), open_watches),
        Family("apiserver_watch_events", "Number of events sent in watch clients.", "counter", _RESOURCE,
               watches.events_sent),
        Family("etcd_request_duration_seconds", "How long the store takes, by kind of operation.", "histogram",
               ("operation",), store_times),
    ]
