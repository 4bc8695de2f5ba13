"""An open stream that tells, once, when it has ended."""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.endpoints.request import Stream


class AuditedStream:
    """Passes everything on.

    :param ended: called when the server or the client ends it.
    """

    def __init__(self, stream: Stream, ended: Callable[[], object]) -> None:
        self._stream = stream
        self._ended: Callable[[], object] | None = ended
        self._gone: Callable[[], None] | None = None
        stream.on_gone(self._leave)

    def write(self, data: bytes) -> None:
        self._stream.write(data)

    def finish(self) -> None:
        self._stream.finish()
        self._end()

    def abort(self) -> None:
        self._stream.abort()
        self._end()

    def on_gone(self, callback: Callable[[], None]) -> None:
        self._gone = callback
        if self._ended is None:
            callback()

    def on_pressure(self, pause: Callable[[], None], resume: Callable[[], None]) -> None:
        self._stream.on_pressure(pause, resume)

    def _leave(self) -> None:
        self._end()
        if self._gone is not None:
            self._gone()

    def _end(self) -> None:
        ended, self._ended = self._ended, None
        if ended is not None:
            ended()
