"""The limits of requests in flight, where priority and fairness are switched off.

Source of the rules: apiserver's ``server/filters/maxinflight.go``.
"""

from __future__ import annotations

from kube_twisted.api.user import SYSTEM_MASTERS
from kube_twisted.endpoints.request import NO_SNIFFING, Handler, Request, Response
from kube_twisted.server.filters.long_running import is_long_running

_READ_ONLY = frozenset(("get", "list", "watch"))


def with_max_in_flight(handler: Handler, read_only: int, mutating: int) -> Handler:
    """429 for requests that are too many at once; members of ``system:masters`` always get an answer.

    :param read_only: how many that read may be in flight; 0 for any number.
    :param mutating: how many others.
    """
    limits = {True: read_only, False: mutating}
    in_flight = {True: 0, False: 0}

    async def max_in_flight(request: Request) -> Response:
        info = request.info
        reads = info.verb in _READ_ONLY
        limit = limits[reads]
        if not limit or is_long_running(info):
            return await handler(request)
        if in_flight[reads] >= limit:
            if SYSTEM_MASTERS in request.user.groups:
                return await handler(request)
            return too_many_requests(1)
        in_flight[reads] += 1
        try:
            return await handler(request)
        finally:
            in_flight[reads] -= 1

    return max_in_flight


def too_many_requests(retry_after: int) -> Response:
    """429, as text.

    :param retry_after: seconds after which the client may come again.
    """
    return Response(429, b"Too many requests, please try again later.\n", "text/plain; charset=utf-8",
                    [("Retry-After", str(retry_after)), NO_SNIFFING])
