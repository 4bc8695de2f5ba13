"""Metrics of priority and fairness, under the original's names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import isfinite

from kube_twisted.flowcontrol.counts import FlowCounts
from kube_twisted.flowcontrol.flow_control import FlowControl
from kube_twisted.flowcontrol.level import PriorityLevel
from kube_twisted.server.metrics import Family, Labels
from kube_twisted.util.histogram import Histogram

_PREFIX = "apiserver_flowcontrol_"
_LEVEL = ("priority_level",)
_FLOW = ("priority_level", "flow_schema")
_Counts = Mapping[tuple[str, str], FlowCounts]

#: name, text and value of gauges of flows
_FLOW_GAUGES: tuple[tuple[str, str, Callable[[FlowCounts], float]], ...] = (
    ("current_inqueue_requests", "Number of requests currently pending in queues of the API Priority and Fairness "
     "subsystem", lambda one: one.queued),
    ("current_inqueue_seats", "Number of seats currently pending in queues of the API Priority and Fairness subsystem",
     lambda one: one.queued_seats),
    ("current_executing_requests", "Number of requests in initial (for a WATCH) or any (for a non-WATCH) execution "
     "stage in the API Priority and Fairness subsystem", lambda one: one.executing),
    ("current_executing_seats", "Concurrency (number of seats) occupied by the currently executing (initial stage for "
     "a WATCH, any stage otherwise) requests in the API Priority and Fairness subsystem", lambda one: one.seats),
)
#: the same of levels
_LEVEL_GAUGES: tuple[tuple[str, str, Callable[[PriorityLevel], float]], ...] = (
    ("nominal_limit_seats", "Nominal number of execution seats configured for each priority level",
     lambda one: one.limits.nominal),
    ("lower_limit_seats", "Configured lower bound on number of execution seats available to each priority level",
     lambda one: one.limits.lower),
    ("upper_limit_seats", "Configured upper bound on number of execution seats available to each priority level",
     lambda one: one.limits.upper),
    ("current_limit_seats", "current derived number of execution seats available to each priority level",
     lambda one: one.limit if isfinite(one.limit) else one.limits.nominal),
    ("demand_seats_high_watermark", "High watermark, over last adjustment period, of demand_seats",
     lambda one: one.last_peak),
    ("demand_seats_smoothed", "Smoothed seat demands", lambda one: one.smoothed),
)


def families(flow_control: FlowControl) -> list[Family]:
    """What /metrics shows of it."""
    return [
        *_histograms(flow_control.counts), *_counters(flow_control.counts),
        *(Family(_PREFIX + name, text, "gauge", _FLOW, partial(_flow_values, flow_control, value))
          for name, text, value in _FLOW_GAUGES),
        *(Family(_PREFIX + name, text, "gauge", _LEVEL, partial(_level_values, flow_control, value))
          for name, text, value in _LEVEL_GAUGES),
    ]


def _flow_values(flow_control: FlowControl, value: Callable[[FlowCounts], float]) -> Iterable[tuple[Labels, float]]:
    return [(key, value(one)) for key, one in flow_control.counts.items()]


def _level_values(flow_control: FlowControl,
                  value: Callable[[PriorityLevel], float]) -> Iterable[tuple[Labels, float]]:
    return [((name,), value(one)) for name, one in flow_control.levels.items()]


def _counters(counts: _Counts) -> list[Family]:
    return [
        Family(f"{_PREFIX}dispatched_requests", "Number of requests executed by API Priority and Fairness subsystem",
               "counter", _FLOW, lambda: [(key, one.dispatched) for key, one in counts.items()]),
        Family(f"{_PREFIX}rejected_requests", "Number of requests rejected by API Priority and Fairness subsystem",
               "counter", (*_FLOW, "reason"), lambda: [
                   ((*key, reason), count) for key, one in counts.items() for reason, count in one.rejected.items()]),
    ]


def _histograms(counts: _Counts) -> list[Family]:
    def waits() -> Iterable[tuple[Labels, Histogram]]:
        return [((*key, str(begun).lower()), times) for key, one in counts.items()
                for begun, times in one.waits.items() if any(times.counts)]

    return [
        Family(f"{_PREFIX}request_wait_duration_seconds", "Length of time a request spent waiting in its queue",
               "histogram", (*_FLOW, "execute"), waits),
        Family(f"{_PREFIX}request_queue_length_after_enqueue", "Length of queue in the API Priority and Fairness "
               "subsystem, as seen by each request after it is enqueued", "histogram", _FLOW,
               lambda: [(key, one.lengths) for key, one in counts.items() if any(one.lengths.counts)]),
    ]
