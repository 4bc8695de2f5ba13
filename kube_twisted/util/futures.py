"""The one adapter, by txaio, between Deferreds and asyncio futures.

For those who run the server inside an asyncio program, and for libraries that only speak asyncio.
"""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

import txaio.aio
from twisted.internet.defer import CancelledError, Deferred
from twisted.python.failure import Failure

T = TypeVar("T")


def to_future(deferred: Deferred[T], loop: asyncio.AbstractEventLoop) -> asyncio.Future[T]:
    """An asyncio future with the Deferred's result; cancelling one cancels the other."""
    aio = txaio.aio.with_config(loop)  # type: ignore[no-untyped-call]
    future: asyncio.Future[T] = aio.create_future()

    def succeed(value: T) -> None:
        if not future.done():
            aio.resolve(future, value)

    def fail(failure: Failure) -> None:
        if future.done():
            return
        if isinstance(failure.value, CancelledError):
            future.cancel()
        else:
            aio.reject(future, failure.value)

    deferred.addCallbacks(succeed, fail)
    future.add_done_callback(lambda done: deferred.cancel() if done.cancelled() else None)
    return future


def from_future(future: asyncio.Future[T], loop: asyncio.AbstractEventLoop) -> Deferred[T]:
    """A Deferred with the future's result; cancelling one cancels the other."""
    aio = txaio.aio.with_config(loop)  # type: ignore[no-untyped-call]

    def cancel(_: Deferred[T]) -> None:
        future.cancel()

    deferred: Deferred[T] = Deferred(cancel)

    def succeed(value: T) -> None:
        if not deferred.called:
            deferred.callback(value)

    def fail(failure: Any) -> None:
        if deferred.called:
            return
        error = failure.value
        deferred.errback(CancelledError() if isinstance(error, asyncio.CancelledError) else error)

    aio.add_callbacks(future, succeed, fail)
    return deferred
