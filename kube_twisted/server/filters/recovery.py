"""Errors become Status answers here, and nowhere else."""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError, plain_internal
from kube_twisted.endpoints.formats import document
from kube_twisted.endpoints.negotiation import PRETTY, negotiate, wants_pretty
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.storage.interfaces import StoreClosed, StoreFailed

_log = Logger()


def with_panic_recovery(handler: Handler) -> Handler:
    """Answer a StatusError with its Status, and anything else with a 500 and an entry in the log.

    A store that fails, as with a full disk, is told to the client in its own words.
    """

    async def recover(request: Request) -> Response:
        try:
            return await handler(request)
        except StatusError as error:
            return status_response(request, error)
        except CancelledError:
            raise
        except (StoreFailed, StoreClosed) as error:
            _log.error("{method} {path}: {error}", method=request.method, path=request.path, error=error)
            return status_response(request, plain_internal(str(error)))
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
