"""Where fixed paths are registered, as the endpoints see it: one server's tree of paths."""

from __future__ import annotations

from typing import Protocol

from kube_twisted.endpoints.request import Handler


class Routes(Protocol):
    """Takes handlers of fixed paths."""

    def route(self, path: str, handler: Handler, *, listed: bool = True, slash: bool = False) -> None:
        """Serve one path; ``<name>`` stands for one segment, ``<path:name>`` for the rest.

        :param listed: whether the index page shows it.
        :param slash: whether the path may end with a slash, too.
        """
