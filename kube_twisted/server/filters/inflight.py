"""Counts the requests in flight, so that the end can wait for them."""

from __future__ import annotations

from twisted.internet.defer import Deferred

from kube_twisted.endpoints.request import Handler, Request, Response


class InFlight:
    """Requests being worked on; watch streams are not counted, they are ended."""

    def __init__(self) -> None:
        self.count = 0
        self._waiting: list[Deferred[None]] = []

    def filter(self, handler: Handler) -> Handler:
        async def in_flight(request: Request) -> Response:
            self.count += 1
            try:
                return await handler(request)
            finally:
                self.count -= 1
                if not self.count and self._waiting:
                    self._tell()

        return in_flight

    def _tell(self) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.called:
                one.callback(None)

    def drained(self) -> Deferred[None]:
        """Fires when nothing is in flight."""
        drained: Deferred[None] = Deferred()
        if self.count:
            self._waiting.append(drained)
        else:
            drained.callback(None)
        return drained
