"""API priority and fairness: a request begins when its priority level has seats for it (KEP-1040)."""

from __future__ import annotations

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
    return _Fairness(handler, flow_control, clock, request_timeout, stored).handle


class _Fairness:
    def __init__(self, handler: Handler, flow_control: FlowControl, clock: Clock, request_timeout: float,
                 stored: Counter) -> None:
        self._handler = handler
        self._flows = flow_control.flows
        self._find = flow_control.find
        self._clock = clock
        self._request_timeout = request_timeout
        self._stored = stored

    async def handle(self, request: Request) -> Response:
        info, user = request.info, request.user
        verb = info.verb
        if verb != "watch" and is_long_running(info):
            return await self._handler(request)
        key = (user.name, user.groups, verb, info.is_resource, info.group, info.resource, info.subresource,
               info.namespace, "" if info.is_resource else info.path)
        flow = request.flow = self._flows.get(key) or self._find(Digest(*key))
        level, counts = flow.level, flow.counts
        seats = 1 if level.is_exempt or verb not in ("list", "watch") else self._list_seats(request, level.most_seats)
        if not level.has_room(seats):
            return await self._handle_later(request, flow, seats)
        level.take(seats)
        counts.began(seats)
        try:
            return await self._handler(request)
        finally:
            counts.ended(seats)
            level.release(seats)

    async def _handle_later(self, request: Request, flow: Flow, seats: int) -> Response:
        """Wait for seats, and turn the request away when there is no room to wait, or it takes too long."""
        level, counts, now = flow.level, flow.counts, self._clock.seconds()
        whole = self._request_timeout
        if request.info.verb != "watch":
            whole = time_limit(request, whole)
        limit = min(whole / 4, _LONGEST_WAIT)
        try:
            waiting = await level.wait(seats, counts, flow.digest, flow.name, limit - (now - request.received))
        except Rejected as rejected:
            counts.rejected[rejected.reason] += 1
            level.retry_after.record(self._clock.seconds())
            return too_many_requests(level.retry_after.seconds)
        request.queued = self._clock.seconds() - now
        counts.began(seats)
        try:
            return await self._handler(request)
        finally:
            counts.ended(seats)
            level.leave(waiting)

    def _list_seats(self, request: Request, most: int) -> int:
        info = request.info
        if info.verb == "watch" and not watch_begins_with_list(request.query):
            return 1
        return list_seats(self._stored(info.group, info.resource), request.query, single=bool(info.name), most=most)
