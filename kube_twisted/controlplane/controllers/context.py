"""What a controller is, and what it is made with."""

from __future__ import annotations

from attrs import frozen
from zope.interface import Interface

from kube_twisted.controlplane.controllers.informer import Informers
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks


@frozen
class Context:
    """What all controllers share.

    :ivar client: speaks to the server as any client does, over no connection.
    :ivar tasks: owns the work that is under way.
    :ivar root_ca: what pods must trust to trust the server, as PEM.
    """

    client: LoopbackClient
    clock: Clock
    tasks: Tasks
    informers: Informers
    root_ca: str


class IController(Interface):
    """A loop that brings what is nearer to what should be. Made with a Context."""

    def start() -> None:
        """Begin to work. The informers that were asked for in the constructor start just after."""

    def stop() -> None:
        """Begin no more work, and forget all timers."""
