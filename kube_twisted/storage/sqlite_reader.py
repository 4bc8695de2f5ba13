"""The thread that reads: one question after the other, on a connection of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any, Concatenate, ParamSpec, TypeVar

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IReactorFromThreads

from kube_twisted.storage.interfaces import StoreFailed

P = ParamSpec("P")
T = TypeVar("T")
_Question = tuple[Callable[[sqlite3.Connection], Any], Deferred[Any]]


class Reader:
    """Runs functions of a connection, and answers in the reactor's thread.

    :param connection: closed when the reader stops.
    """

    def __init__(self, connection: sqlite3.Connection, reactor: IReactorFromThreads) -> None:
        self._connection = connection
        self._reactor = reactor
        self._queue: SimpleQueue[_Question | Deferred[None]] = SimpleQueue()
        Thread(target=self._work, name="store-reader", daemon=True).start()

    def ask(self, question: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args,
            **kwargs: P.kwargs) -> Deferred[T]:
        """What ``question`` returns or raises; a broken file is :class:`StoreFailed`."""
        answer: Deferred[T] = Deferred()
        self._queue.put((lambda connection: question(connection, *args, **kwargs), answer))
        return answer

    def stop(self) -> Deferred[None]:
        """Answer what was asked, then close the connection."""
        done: Deferred[None] = Deferred()
        self._queue.put(done)
        return done

    def _work(self) -> None:
        while not isinstance(asked := self._queue.get(), Deferred):
            question, answer = asked
            try:
                result = question(self._connection)
            except sqlite3.Error as error:
                failed = StoreFailed(f"the store cannot be read: {error}")
                self._reactor.callFromThread(answer.errback, failed)
            except Exception as error:
                self._reactor.callFromThread(answer.errback, error)
            else:
                self._reactor.callFromThread(answer.callback, result)
        self._connection.close()
        self._reactor.callFromThread(asked.callback, None)
