"""Errors become Status answers here, and nowhere else."""

from __future__ import annotations

from twisted.internet.defer import CancelledError
from twisted.logger import Logger

from kube_twisted.api.errors import StatusError, bad_request, plain_internal
from kube_twisted.endpoints.formats import document
from kube_twisted.endpoints.negotiation import PRETTY, Representation, negotiate, wants_pretty
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.storage.interfaces import StoreClosed, StoreFailed

_log = Logger()
#: What orjson says.
_ENCODER_IS_TOO_DEEP = "Recursion limit reached"


def with_panic_recovery(handler: Handler) -> Handler:
    """Answer a StatusError with its Status, and anything else with a 500 and an entry in the log.

    A store that fails, as with a full disk, is told to the client in its own words. A client that nests objects too
    deeply is told so.
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
        except Exception as error:
            if _is_too_deep(error):
                _log.warn("{method} {path}: {error}", method=request.method, path=request.path, error=error)
                return status_response(request, bad_request("exceeded max depth"))
            _log.failure("{method} {path} failed", method=request.method, path=request.path)
            text = f'This request caused apiserver to panic. Look in the logs for details. "{request.path}"'
            return status_response(request, StatusError(500, "InternalError", text))

    return recover


def _is_too_deep(error: Exception) -> bool:
    """Whether lists and objects are nested more deeply than is worked on here; some 240 levels always are.

    What is nested in a million levels is no JSON to begin with; what lies between is only found on the way.
    """
    return isinstance(error, RecursionError) or (isinstance(error, TypeError) and str(error) == _ENCODER_IS_TOO_DEEP)


def status_format(request: Request) -> Representation | None:
    """In which format the client takes errors; None when it wants something that they are not."""
    try:
        return negotiate(request.transport.header("accept"), wants_pretty(request), transforms=())
    except StatusError:
        return None


def status_response(request: Request, error: StatusError) -> Response:
    """The Status in the format that the client asked for, indented JSON where that can't be had."""
    chosen = status_format(request) or PRETTY
    return document(chosen, error.status(), error.code, list(error.headers.items()) or None)
