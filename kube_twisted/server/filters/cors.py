"""Cross-origin requests: which web pages may talk to the server (CORS).

Source of the rules: apiserver's ``server/filters/cors.go``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import copy

from kube_twisted.endpoints.request import Handler, Request, Response

_HEADERS = (
    ("Access-Control-Allow-Methods", "POST, GET, OPTIONS, PUT, DELETE, PATCH"),
    ("Access-Control-Allow-Headers", "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, "
     "X-Requested-With, If-Modified-Since"),
    ("Access-Control-Expose-Headers", "Date"),
    ("Access-Control-Allow-Credentials", "true"),
)


def with_cors(handler: Handler, origins: Sequence[re.Pattern[str]]) -> Handler:
    """Tell browsers that pages of these origins may read answers; their questions before are answered with 204."""

    async def cors(request: Request) -> Response:
        origin = request.transport.header("origin")
        if not origin or not any(one.search(origin) for one in origins):
            return await handler(request)
        headers = [("Access-Control-Allow-Origin", origin), *_HEADERS]
        if request.method == "OPTIONS":
            return Response(204, b"", "", headers)
        response = copy(await handler(request))
        response.headers = [*(response.headers or ()), *headers]
        return response

    return cors
