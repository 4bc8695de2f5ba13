"""Requests that are not long-running end in time."""

from __future__ import annotations

from twisted.internet.defer import CancelledError, Deferred

from kube_twisted.api import errors
from kube_twisted.api.timefmt import parse_duration
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.filters.long_running import is_long_running
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import run_eagerly


def with_timeout(handler: Handler, clock: Clock, seconds: float) -> Handler:
    """Cancel a request that takes longer than ``seconds``, or than its ``timeout`` parameter: 504.

    Watches and other long-running requests have their own end.
    """

    async def timeout(request: Request) -> Response:
        if is_long_running(request.info):
            return await handler(request)
        limit = time_limit(request, seconds)
        request.deadline = (request.received or clock.seconds()) + limit
        outcome: Response | Deferred[Response] = run_eagerly(handler(request))
        if not isinstance(outcome, Deferred):
            return outcome
        return await _within(clock, limit, outcome)

    return timeout


def time_limit(request: Request, seconds: float) -> float:
    """How long a request may take: ``seconds``, or less if it says so.

    :raises StatusError: 400 for a timeout that is no duration.
    """
    if not request.query_text or "timeout" not in request.query:
        return seconds
    text = request.parameter("timeout")
    if not text:
        return seconds
    try:
        asked = parse_duration(text)
    except ValueError as error:
        raise errors.bad_request(f"invalid timeout specified in the request URL - {error}") from None
    return min(asked, seconds) if asked > 0 else seconds


async def _within(clock: Clock, limit: float, outcome: Deferred[Response]) -> Response:
    late = False

    def cancel() -> None:
        nonlocal late
        late = True
        outcome.cancel()

    timer = clock.call_later(limit, cancel)
    try:
        return await outcome
    except CancelledError:
        if late:
            raise errors.timeout("request did not complete within the allotted timeout") from None
        raise
    finally:
        if timer.active():
            timer.cancel()

