"""Which controllers there are; starts those that are switched on, and stops them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from twisted.internet.defer import Deferred, DeferredList
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from kube_twisted.controlplane.controllers.context import Context, IController
from kube_twisted.controlplane.controllers.garbage.controller import GarbageCollector
from kube_twisted.controlplane.controllers.informer import Informers
from kube_twisted.controlplane.controllers.namespace import NamespaceController
from kube_twisted.controlplane.controllers.policies.status import PolicyStatusController
from kube_twisted.controlplane.controllers.root_ca import RootCAPublisher
from kube_twisted.controlplane.controllers.serviceaccount import ServiceAccountController
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import Tasks

_MAKERS: dict[str, Callable[[Context], IController]] = {
    "serviceaccount": ServiceAccountController,
    "namespace": NamespaceController,
    "root-ca-publisher": RootCAPublisher,
    "garbagecollector": GarbageCollector,
    "validatingadmissionpolicy-status": PolicyStatusController,
}
#: Names the field manager of what controllers write, as in a cluster where they run by themselves.
USER_AGENT = "kube-controller-manager"


class Controllers:
    """The running controllers of a server.

    :param names: those that are switched on.
    :param root_ca: what pods must trust to trust the server, as PEM.
    """

    _log = Logger()

    def __init__(self, names: Iterable[str], client: LoopbackClient, clock: Clock, root_ca: str) -> None:
        self._clock = clock
        self._tasks = Tasks()
        client = client.named(USER_AGENT)
        self._informers = Informers(client, clock)
        context = Context(client, clock, self._tasks, self._informers, root_ca)
        self._controllers = [_MAKERS[name](context) for name in names]
        self._start: IDelayedCall | None = None

    def start(self) -> None:
        """Start them in the next turn of the reactor, so that being ready waits for none of their work."""
        self._start = self._clock.call_later(0, self._begin)

    def _begin(self) -> None:
        self._start = None
        for controller in self._controllers:
            controller.start()
        self._informers.start()

    def stop(self) -> Deferred[None]:
        """Stop them; fires when the last of their work has ended."""
        if self._start is not None:
            self._start.cancel()
        for controller in self._controllers:
            controller.stop()
        ended = DeferredList([*self._informers.stop(), self._tasks.stop()])
        return ended.addCallback(lambda _: None)
