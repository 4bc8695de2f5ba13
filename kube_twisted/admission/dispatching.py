"""Plugins whose rules are objects of the cluster: webhooks and policies.

Most clusters have few of these objects, and a server for tests has none: how they are asked is loaded when there are.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.plugin import Plugin
from kube_twisted.util.deferreds import DONE

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)
C_contra = TypeVar("C_contra", contravariant=True)


class Source(Protocol[C_co]):
    """Knows all webhooks, or policies, of a kind."""

    def candidates(self, attributes: Attributes) -> Sequence[C_co]:
        """Those whose rules fit a write."""


class Dispatcher(Protocol[C_contra]):
    """Asks them."""

    def dispatch(self, attributes: Attributes, candidates: Sequence[C_contra]) -> Awaitable[None]:
        """:raises StatusError: when the write is refused."""


class DispatchingPlugin(Plugin):
    """Base of the plugins.

    :param source: finds whom to ask.
    :param new_dispatcher: makes what asks them; called once, for the first write that somebody is asked about.
    """

    operations: tuple[str, ...] = ("CREATE", "UPDATE", "DELETE", "CONNECT")
    subresources = None

    def __init__(self, source: Source[C], new_dispatcher: Callable[[], Dispatcher[C]]) -> None:
        self._source: Source[Any] = source
        self._new_dispatcher = new_dispatcher
        self._dispatcher: Dispatcher[Any] | None = None

    def dispatch(self, attributes: Attributes) -> Awaitable[None]:
        """Ask all whose rules fit."""
        candidates = self._source.candidates(attributes)
        if not candidates:
            return DONE
        if self._dispatcher is None:
            self._dispatcher = self._new_dispatcher()
        return self._dispatcher.dispatch(attributes, candidates)
