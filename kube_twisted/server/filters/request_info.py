"""Works out what the path means, before anybody decides about it."""

from __future__ import annotations

from kube_twisted.endpoints.request import NO_SNIFFING, Answer, Handler, Request, Response
from kube_twisted.endpoints.request_info import BadRequestPath, is_watch, resolve


def with_request_info(handler: Handler) -> Handler:
    """Set ``request.info``; a GET of a collection with ``watch`` is a watch."""

    def request_info(request: Request) -> Answer:
        try:
            info = resolve(request.method, request.path)
        except BadRequestPath as error:
            return _refuse(request, error)
        if info.verb == "list" and request.query_text and is_watch(request.query):
            info.verb = "watch"
        request.info = info
        return handler(request)

    return request_info


async def _refuse(request: Request, error: BadRequestPath) -> Response:
    asked = f"?{request.query_text}" if request.query_text else ""
    text = f'Internal Server Error: "{request.path}{asked}": failed to create RequestInfo: {error}{asked}\n'
    return Response(500, text.encode(), "text/plain; charset=utf-8", [NO_SNIFFING])
