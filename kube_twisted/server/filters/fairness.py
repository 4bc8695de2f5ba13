"""API priority and fairness: a request begins when its priority level has seats for it (KEP-1040)."""

from __future__ import annotations

from functools import partial

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.flowcontrol.flow_control import Flow, FlowControl
from kube_twisted.flowcontrol.level import Rejected
from kube_twisted.flowcontrol.matching import Digest
from kube_twisted.flowcontrol.work import Counter, list_seats, watch_begins_with_list
from kube_twisted.server.filters.long_running import is_long_running
from kube_twisted.server.filters.max_in_flight import too_many_requests
from kube_twisted.server.filters.timeout import time_limit
from kube_twisted.util.clock import Clock

#: No request waits for seats longer than this, in seconds.
_LONGEST_WAIT = 60.0


def with_priority_and_fairness(handler: Handler, flow_control: FlowControl, clock: Clock, request_timeout: float,
                               stored: Counter) -> Handler:
    """Let a request begin at once, later, or not at all: 429. A watch gives its seats back once it has begun.

    :param stored: how much there is of a resource, on which the seats of lists depend.
    """
    flows, find = flow_control.flows, flow_control.find
    wait = partial(_begin_later, handler, clock, request_timeout)

    async def fairness(request: Request) -> Response:
        info, user = request.info, request.user
        verb = info.verb
        if verb != "watch" and is_long_running(info):
            return await handler(request)
        key = (user.name, user.groups, verb, info.is_resource, info.group, info.resource, info.subresource,
               info.namespace, "" if info.is_resource else info.path)
        flow = request.flow = flows.get(key) or find(Digest(*key))
        level, counts = flow.level, flow.counts
        seats = 1
        if (verb == "list" or verb == "watch") and not level.is_exempt:
            seats = _list_seats(request, level.most_seats, stored)
        if not level.has_room(seats):
            return await wait(request, flow, seats)
        in_use = level.in_use = level.in_use + seats
        if in_use > level.peak:
            level.peak = in_use
        counts.dispatched += 1
        counts.executing += 1
        counts.seats += seats
        try:
            return await handler(request)
        finally:
            counts.executing -= 1
            counts.seats -= seats
            level.release(seats)

    return fairness


async def _begin_later(handler: Handler, clock: Clock, request_timeout: float, request: Request, flow: Flow,
                       seats: int) -> Response:
    """Wait for seats, and turn the request away when there is no room to wait, or it takes too long."""
    level, counts = flow.level, flow.counts
    patience = min(time_limit(request, request_timeout) / 4, _LONGEST_WAIT) - (clock.seconds() - request.received)
    try:
        waiting = await level.wait(seats, counts, flow.digest, flow.name, patience)
    except Rejected as rejected:
        counts.rejected[rejected.reason] += 1
        level.retry_after.record(clock.seconds())
        return too_many_requests(level.retry_after.seconds)
    counts.dispatched += 1
    counts.executing += 1
    counts.seats += seats
    try:
        return await handler(request)
    finally:
        counts.executing -= 1
        counts.seats -= seats
        level.leave(waiting)


def _list_seats(request: Request, most: int, stored: Counter) -> int:
    info = request.info
    if info.verb == "watch" and not watch_begins_with_list(request.query):
        return 1
    return list_seats(stored(info.group, info.resource), request.query, single=bool(info.name), most=most)
