"""Requests to send through filters."""

from __future__ import annotations

from collections.abc import Mapping

from twisted.internet.defer import Deferred

from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.request_info import resolve
from kube_twisted.util.deferreds import run_eagerly, to_deferred
from tests.inprocess import SentTransport


def request(path: str = "/api/v1/pods", method: str = "GET", headers: Mapping[str, str] | None = None) -> Request:
    """A request with its info."""
    path, _, query = path.partition("?")
    made = Request(method, path, query, SentTransport(dict(headers or {}), b""))
    made.info = resolve(method, path)
    return made


def answer(handler: Handler, sent: Request) -> Response:
    """The answer of a handler that does not wait."""
    response = run_eagerly(handler(sent))
    assert isinstance(response, Response)
    return response


def outcome(handler: Handler, sent: Request) -> Deferred[Response]:
    """The answer or the error of a handler, whether it waits or not."""
    async def ask() -> Response:
        return await handler(sent)

    return to_deferred(ask())


async def ok(_request: Request) -> Response:
    return Response(200, b"ok")
