"""Errors become Status answers here, and nowhere else."""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.formats import document
from kube_twisted.endpoints.negotiation import PRETTY, negotiate, wants_pretty
from kube_twisted.endpoints.request import Handler, Request, Response

_log = Logger()


def with_panic_recovery(handler: Handler) -> Handler:
    """Answer a StatusError with its Status, and anything unexpected with a 500 and a line in the log."""

    async def recover(request: Request) -> Response:
        try:
            return await handler(request)
        except StatusError as error:
            return status_response(request, error)
        except CancelledError:
            raise
        except Exception:
            _log.failure("{method} {path} failed", method=request.method, path=request.path)
            text = f'This request caused apiserver to panic. Look in the logs for details. "{request.path}"'
            return status_response(request, StatusError(500, "InternalError", text))

    return recover


def status_response(request: Request, error: StatusError) -> Response:
    """The Status in the format that the client asked for, indented JSON where that can't be had."""
    try:
        chosen = negotiate(request.transport.header("accept"), wants_pretty(request), transforms=())
    except StatusError:
        chosen = PRETTY
    return document(chosen, error.status(), error.code, list(error.headers.items()) or None)
