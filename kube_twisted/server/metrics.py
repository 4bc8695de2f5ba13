"""Metrics under kube-apiserver's names, counted cheaply and rendered by prometheus_client when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.request_metrics import NAMES, RequestCounts
from kube_twisted.util.clock import Clock
from kube_twisted.util.histogram import Histogram

if TYPE_CHECKING:
    from prometheus_client.core import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"
_WRITES = frozenset(("create", "update", "patch", "delete", "deletecollection"))
_NAMES = (*NAMES, "dry_run")
#: What is more than alpha; the help texts say so.
_STABILITY = {
    "STABLE": frozenset((
        "apiserver_request", "apiserver_request_duration_seconds", "apiserver_response_sizes",
        "apiserver_current_inflight_requests", "apiserver_longrunning_requests", "apiserver_storage_objects",
        "apiserver_admission_step_admission_duration_seconds", "kubernetes_healthcheck", "kubernetes_healthchecks",
        "apiserver_admission_controller_admission_duration_seconds",
        "apiserver_admission_webhook_admission_duration_seconds")),
    "BETA": frozenset((
        "apiserver_flowcontrol_current_executing_requests", "apiserver_flowcontrol_current_executing_seats",
        "apiserver_flowcontrol_current_inqueue_requests", "apiserver_flowcontrol_dispatched_requests",
        "apiserver_flowcontrol_request_wait_duration_seconds", "apiserver_flowcontrol_nominal_limit_seats",
        "apiserver_flowcontrol_rejected_requests")),
}
Labels = tuple[str, ...]


@frozen
class Family:
    """Metrics that are read when somebody asks.

    :ivar labels: their names.
    :ivar read: gives the labels' values, and the value: a histogram for the type ``histogram``.
    """

    name: str
    documentation: str
    type: Literal["counter", "gauge", "histogram"]
    labels: Labels
    read: Callable[[], Iterable[tuple[Labels, float | Histogram]]]


class Metrics:
    """All metrics of one server.

    :ivar families: further ones.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._requests = RequestCounts()
        self._in_flight = {"readOnly": 0, "mutating": 0}
        self.families: list[Family] = [*self._request_families(), Family(
            "apiserver_current_inflight_requests", "Maximal number of currently used inflight request limit of this "
            "apiserver per request kind in last second.", "gauge", ("request_kind",),
            lambda: [((kind,), count) for kind, count in self._in_flight.items()])]

    def _request_families(self) -> list[Family]:
        counts = self._requests
        return [
            Family("apiserver_request", "Counter of apiserver requests broken out for each verb, dry run value, "
                   "group, version, resource, scope, component, and HTTP response code.", "counter",
                   (*_NAMES, "code", "system_client"),
                   counts.requests),
            Family("apiserver_request_duration_seconds", "Response latency distribution in seconds for each verb, dry "
                   "run value, group, version, resource, subresource, scope and component.", "histogram", _NAMES,
                   counts.durations),
            Family("apiserver_request_sli_duration_seconds", "Response latency distribution (not counting webhook "
                   "duration and priority & fairness queue wait times) in seconds for each verb, group, version, "
                   "resource, subresource, scope and component.", "histogram", NAMES,
                   counts.net_durations),
            Family("apiserver_response_sizes", "Response size distribution in bytes for each group, version, verb, "
                   "resource, subresource, scope and component.", "histogram", NAMES,
                   counts.sizes),
        ]

    def filter(self, handler: Handler) -> Handler:
        """Count and time requests."""

        async def measure(request: Request) -> Response:
            begin = request.received = self._clock.seconds()
            kind = "mutating" if request.info.verb in _WRITES else "readOnly"
            self._in_flight[kind] += 1
            try:
                response = await handler(request)
            finally:
                self._in_flight[kind] -= 1
            self._requests.count(request, response, self._clock.seconds() - begin)
            return response

        return measure

    # -- rendering ------------------------------------------------------------------------------------------------

    def render(self) -> bytes:
        """The exposition text."""
        return exposition(self.families, process=True)


@frozen(eq=False)
class _Collector:
    """Families as prometheus_client wants them."""

    families: Sequence[Family]

    def collect(self) -> Iterator[Metric]:
        return map(_collected, self.families)


def exposition(families: Sequence[Family], *, process: bool = False) -> bytes:
    """The text of families.

    :param process: whether metrics of the process are added.
    """
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.process_collector import ProcessCollector

    registry = CollectorRegistry()
    if process:
        ProcessCollector(registry=registry)
    registry.register(_Collector(families))
    text: bytes = generate_latest(registry)
    return text


def _collected(family: Family) -> Metric:
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

    level = next((level for level, names in _STABILITY.items() if family.name in names), "ALPHA")
    documentation = f"[{level}] {family.documentation}"
    if family.type == "histogram":
        histograms = HistogramMetricFamily(family.name, documentation, labels=family.labels)
        for labels, value in family.read():
            assert isinstance(value, Histogram)
            histograms.add_metric(labels, value.buckets(), value.total)
        return histograms
    make = CounterMetricFamily if family.type == "counter" else GaugeMetricFamily
    values = make(family.name, documentation, labels=family.labels)
    for labels, value in family.read():
        assert not isinstance(value, Histogram)
        values.add_metric(labels, value)
    return values

