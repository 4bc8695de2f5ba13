"""What the server answers while it starts, and while it stops."""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.endpoints.request import Answer, Handler, Request, Response
from kube_twisted.util.signal import Signal

#: Paths that answer also while the server starts or stops.
_ALWAYS = ("/healthz", "/livez", "/readyz", "/metrics")
_RETRY_SECONDS = 5


def _is_exempt(path: str) -> bool:
    return path in _ALWAYS or path.startswith(("/healthz/", "/livez/", "/readyz/"))


def with_mux_complete(handler: Handler, complete: Signal) -> Handler:
    """A path that isn't there while groups are still being installed is 503, not 404: it may come yet."""

    def mux_complete(request: Request) -> Answer:
        return handler(request) if complete.fired else _early(request)

    async def _early(request: Request) -> Response:
        response = await handler(request)
        if response.code == 404 and not complete.fired:
            raise errors.service_unavailable("the request has been made before all known HTTP paths have been "
                                             "installed, please try again")
        return response

    return mux_complete


def with_retry_after(handler: Handler, not_accepting: Signal) -> Handler:
    """Once no new requests are taken: 429, come again later, on a new connection."""

    def retry_after(request: Request) -> Answer:
        if not_accepting.fired and not _is_exempt(request.path):
            error = errors.too_many_requests("The apiserver is shutting down, please try again later.", _RETRY_SECONDS)
            error.headers["Connection"] = "close"
            raise error
        return handler(request)

    return retry_after
