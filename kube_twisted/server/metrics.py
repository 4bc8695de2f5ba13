"""Metrics under kube-apiserver's names, counted cheaply and rendered by prometheus_client when somebody asks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.util.clock import Clock
from kube_twisted.util.histogram import Histogram

if TYPE_CHECKING:
    from prometheus_client.core import Metric

#: Upper bounds in seconds, as the original's for request durations.
BOUNDS = (0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0,
          30.0, 45.0, 60.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"
_WRITES = frozenset(("create", "update", "patch", "delete", "deletecollection"))
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_NAMES = ("verb", "group", "version", "resource", "subresource", "scope")
_SHOWN = {"create": "POST", "update": "PUT"}
#: verb, group, version, resource, subresource, scope
_Key = tuple[str, str, str, str, str, str]
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
        self._requests: dict[tuple[_Key, int, bool], int] = defaultdict(int)
        self._durations: dict[_Key, Histogram] = {}
        self._in_flight = {"readOnly": 0, "mutating": 0}
        self.families: list[Family] = [
            Family("apiserver_request", "Counter of apiserver requests broken out for each verb, dry run value, "
                   "group, version, resource, scope, and HTTP response code.", "counter", (*_NAMES, "code", "dry_run"),
                   lambda: [((*key, str(code), "All" if dry_run else ""), count)
                            for (key, code, dry_run), count in list(self._requests.items())]),
            Family("apiserver_request_duration_seconds", "Response latency distribution in seconds for each verb, "
                   "group, version, resource, subresource, scope.", "histogram", _NAMES,
                   lambda: list(self._durations.items())),
            Family("apiserver_current_inflight_requests", "Requests being worked on, by kind.", "gauge",
                   ("request_kind",), lambda: [((kind,), count) for kind, count in self._in_flight.items()]),
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
            self._count(request, response.code, self._clock.seconds() - begin)
            return response

        return measure

    def _count(self, request: Request, code: int, seconds: float) -> None:
        key = key_of(request)
        self._requests[key, code, bool(request.query_text) and "dryRun" in request.query] += 1
        if key[0] != "WATCH":
            durations = self._durations.get(key)
            if durations is None:
                durations = self._durations[key] = Histogram(BOUNDS)
            durations.observe(seconds)

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

    if family.type == "histogram":
        histograms = HistogramMetricFamily(family.name, family.documentation, labels=family.labels)
        for labels, value in family.read():
            assert isinstance(value, Histogram)
            histograms.add_metric(labels, value.buckets(), value.total)
        return histograms
    make = CounterMetricFamily if family.type == "counter" else GaugeMetricFamily
    values = make(family.name, family.documentation, labels=family.labels)
    for labels, value in family.read():
        assert not isinstance(value, Histogram)
        values.add_metric(labels, value)
    return values


def key_of(request: Request) -> _Key:
    """What a request is counted under: few things, whatever clients make up."""
    info = request.info
    if not info.is_resource or not request.found:
        return (request.method if request.method in _METHODS else "other", "", "", "", "", "")
    scope = "resource" if info.name else "namespace" if info.namespace else "cluster"
    return (_SHOWN.get(info.verb, info.verb.upper()), info.group, info.version, info.resource, info.subresource, scope)
