"""Metrics under kube-apiserver's names, counted cheaply and rendered by prometheus_client when somebody asks."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.util.clock import Clock

if TYPE_CHECKING:
    from prometheus_client.core import Metric

#: Upper bounds in seconds, as the original's for request durations.
BUCKETS = (0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0,
           30.0, 45.0, 60.0)
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores"
_WRITES = frozenset(("create", "update", "patch", "delete", "deletecollection"))
#: verb, group, version, resource, subresource, scope
_Key = tuple[str, str, str, str, str, str]


class Durations:
    """A histogram of seconds."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        cumulated, buckets = 0, []
        for bound, count in zip((*BUCKETS, float("inf")), self.counts, strict=True):
            cumulated += count
            buckets.append(("+Inf" if bound == float("inf") else repr(bound), float(cumulated)))
        return buckets


class Metrics:
    """All counters of one server.

    :ivar gauges: further families, read when asked: name, help, and (labels, value) pairs.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._requests: dict[tuple[_Key, int, bool], int] = defaultdict(int)
        self._durations: dict[_Key, Durations] = defaultdict(Durations)
        self._in_flight = {"readOnly": 0, "mutating": 0}
        self.long_running: dict[_Key, int] = defaultdict(int)
        self.gauges: list[tuple[str, str, Callable[[], Iterable[tuple[dict[str, str], float]]]]] = []

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
            self._durations[key].observe(seconds)

    # -- rendering ------------------------------------------------------------------------------------------------

    def render(self) -> bytes:
        """The exposition text."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.process_collector import ProcessCollector

        registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        registry.register(self)
        text: bytes = generate_latest(registry)
        return text

    def collect(self) -> Iterator[Metric]:
        """The families, as prometheus_client's collectors give them."""
        from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

        names = ["verb", "group", "version", "resource", "subresource", "scope"]
        requests = CounterMetricFamily(
            "apiserver_request_total", "Counter of apiserver requests broken out for each verb, dry run value, group, "
            "version, resource, scope, and HTTP response code.", labels=[*names, "code", "dry_run"])
        for (key, code, dry_run), count in list(self._requests.items()):
            requests.add_metric([*key, str(code), "All" if dry_run else ""], count)
        yield requests
        durations = HistogramMetricFamily(
            "apiserver_request_duration_seconds", "Response latency distribution in seconds for each verb, group, "
            "version, resource, subresource, scope.", labels=names)
        for key, observed in list(self._durations.items()):
            durations.add_metric(list(key), observed.buckets(), observed.total)
        yield durations
        current = GaugeMetricFamily(
            "apiserver_current_inflight_requests", "Requests being worked on, by kind.", labels=["request_kind"])
        for kind, count in self._in_flight.items():
            current.add_metric([kind], count)
        yield current
        for name, documentation, read in self.gauges:
            yield self._gauge(name, documentation, read)

    @staticmethod
    def _gauge(name: str, documentation: str, read: Callable[[], Iterable[tuple[dict[str, str], float]]]) -> Metric:
        from prometheus_client.core import GaugeMetricFamily

        values = list(read())
        family = GaugeMetricFamily(name, documentation, labels=list(values[0][0]) if values else [])
        for labels, value in values:
            family.add_metric(list(labels.values()), value)
        return family


def key_of(request: Request) -> _Key:
    """What a request is counted under."""
    info = request.info
    if not info.is_resource:
        return (request.method, "", "", "", "", "")
    scope = "resource" if info.name else "namespace" if info.namespace else "cluster"
    return (_SHOWN.get(info.verb, info.verb.upper()), info.group, info.version, info.resource, info.subresource, scope)


_SHOWN = {"create": "POST", "update": "PUT"}
