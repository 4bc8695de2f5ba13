"""Where fixed paths are registered, as the endpoints see it: one server's tree of paths."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from kube_twisted.endpoints.request import Response

#: A handler of a fixed path; the parts of the path that have names come as keyword arguments.
PathHandler = Callable[..., Awaitable[Response]]


class Routes(Protocol):
    """Takes handlers of fixed paths."""

    def route(self, path: str, handler: PathHandler, *, listed: bool = True) -> None:
        """Serve one path; ``<name>`` stands for one segment, ``<path:name>`` for the rest.

        :param listed: whether the index page shows it.
        """
