"""/debug/api_priority_and_fairness: levels, queues and requests as they are at the moment, as tables of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.flowcontrol.flow_control import FlowControl
from kube_twisted.flowcontrol.queues import Waiting
from kube_twisted.server.layer import LayerTree

_PREFIX = "/debug/api_priority_and_fairness/dump_"
_LEVELS = ("PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing", "WaitingRequests", "ExecutingRequests",
           "DispatchedRequests", "RejectedRequests", "TimedoutRequests", "CancelledRequests")
_QUEUES = ("PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests", "SeatsInUse", "NextDispatchR",
           "InitialSeatsSum", "MaxSeatsSum", "TotalWorkSum")
_REQUESTS = ("PriorityLevelName", "FlowSchemaName", "QueueIndex", "RequestIndexInQueue", "FlowDistingsher",
             "ArriveTime", "InitialSeats", "FinalSeats", "AdditionalLatency", "StartTime")
_DETAILS = ("UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion", "Resource", "SubResource")
_LEAST_WIDTH = 8
_NO_TIME = "0001-01-01T00:00:00Z"
_Rows = Iterable[Sequence[str]]


def install_dumps(tree: LayerTree, flow_control: FlowControl) -> None:
    """Serve the tables, unlisted."""
    for name, columns, rows in (("priority_levels", _LEVELS, _levels), ("queues", _QUEUES, _queues)):
        tree.route(_PREFIX + name, _plain(columns, rows, flow_control), listed=False)

    async def requests(request: Request) -> Response:
        detailed = bool(request.parameter("includeRequestDetails"))
        columns = (*_REQUESTS, *_DETAILS) if detailed else _REQUESTS
        return _answer([columns, *_waiting(flow_control, detailed)])

    tree.route(f"{_PREFIX}requests", requests, listed=False)


def _plain(columns: Sequence[str], rows: Callable[[FlowControl], _Rows],
           flow_control: FlowControl) -> Handler:
    async def dump(_request: Request) -> Response:
        return _answer([columns, *rows(flow_control)])

    return dump


def _levels(flow_control: FlowControl) -> Iterator[Sequence[str]]:
    for name, level in sorted(flow_control.levels.items()):
        counts = [one for (owner, _), one in flow_control.counts.items() if owner == name]
        rejected = {reason: sum(one.rejected[reason] for one in counts)
                    for reason in ("time-out", "cancelled", "queue-full", "concurrency-limit")}
        yield (name, str(sum(bool(queue.waiting) for queue in level.queues)), _go(level.is_idle),
               _go(level.is_quiescing), str(level.queues.count), str(sum(one.executing for one in counts)),
               str(sum(one.dispatched for one in counts)), str(rejected["queue-full"] + rejected["concurrency-limit"]),
               str(rejected["time-out"]), str(rejected["cancelled"]))


def _queues(flow_control: FlowControl) -> Iterator[Sequence[str]]:
    for name, level in flow_control.levels.items():
        for queue in level.queues:
            seats = str(sum(one.seats for one in queue.waiting))
            yield (name, str(queue.index), str(len(queue.waiting)), str(len(queue.executing)), str(queue.seats),
                   f"{queue.start:.8f}ss", seats, seats, f"{0.003 * int(seats):.8f}ss")


def _waiting(flow_control: FlowControl, detailed: bool) -> Iterator[Sequence[str]]:
    """Requests that wait, or had to; who found a seat at once is in no queue."""
    for name, level in flow_control.levels.items():
        for queue in level.queues:
            places = [*enumerate(queue.waiting), *((-1, one) for one in queue.executing)]
            for place, one in places:
                yield (name, one.counts.schema, str(queue.index), str(place), one.flow, _time(one.arrived),
                       str(one.seats), "0", "0s", _time(one.started) if one.started else _NO_TIME,
                       *(_details(one) if detailed else ()))


def _details(one: Waiting) -> Sequence[str]:
    digest = one.digest
    return (digest.user, digest.verb, digest.path, digest.namespace, "", digest.group, digest.resource,
            digest.subresource)


def _go(value: bool) -> str:
    return str(value).lower()


def _time(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


def _answer(rows: Sequence[Sequence[str]]) -> Response:
    return Response(200, aligned(rows).encode(), "text/plain; charset=utf-8")


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows with commas after their cells but the last, and blanks so that columns begin below each other."""
    widths = [max(_LEAST_WIDTH, 1 + max(len(row[column]) + 1 for row in rows)) for column in range(len(rows[0]) - 1)]
    return "".join("".join(f"{cell},".ljust(width) for cell, width in zip(row, widths, strict=False)) + row[-1] + "\n"
                   for row in rows)
