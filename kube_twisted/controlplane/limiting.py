"""What keeps the server from being overrun: priority and fairness, or plain limits, as the settings say."""

from __future__ import annotations

from functools import partial

from kube_twisted.controlplane.completed import CompletedConfig
from kube_twisted.controlplane.flow_control import FlowControlController, FlowControlObjects
from kube_twisted.controlplane.flow_control_dump import install_dumps
from kube_twisted.controlplane.flow_control_metrics import families
from kube_twisted.endpoints.request import Handler
from kube_twisted.flowcontrol.flow_control import FlowControl
from kube_twisted.server.chain import Filter
from kube_twisted.server.filters.fairness import with_priority_and_fairness
from kube_twisted.server.filters.max_in_flight import with_max_in_flight
from kube_twisted.server.generic import Hook
from kube_twisted.server.layer import LayerTree
from kube_twisted.server.lifecycle import LifecycleSignals
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.server.metrics import Family


class Limiting:
    """The filter of the handler chain, and what works for it.

    :ivar flow_control: None where priority and fairness are switched off.
    """

    def __init__(self, completed: CompletedConfig) -> None:
        self._completed = completed
        self._settings = completed.config.flow_control
        self._objects = FlowControlObjects(completed.stores)
        self._controller: FlowControlController | None = None
        self.flow_control: FlowControl | None = None
        if self._settings.priority_and_fairness:
            self.flow_control = FlowControl(self._objects, completed.clock, self._settings.seats)

    @property
    def filter(self) -> Filter:
        if self.flow_control is None:
            settings = self._settings
            return lambda handler: with_max_in_flight(
                handler, settings.max_requests_in_flight, settings.max_mutating_requests_in_flight)
        return partial(self._fair, self.flow_control)

    def _fair(self, flow_control: FlowControl, handler: Handler) -> Handler:
        return with_priority_and_fairness(handler, flow_control, self._completed.clock,
                                          self._completed.config.server.request_timeout, self._objects.stored)

    # -- the controller -------------------------------------------------------------------------------------------

    def work_with(self, client: LoopbackClient, signals: LifecycleSignals) -> None:
        """:param client: writes what objects are found to be."""
        if self.flow_control is not None:
            completed = self._completed
            self._controller = FlowControlController(
                self.flow_control, completed.stores, client, completed.clock, signals)

    def install_paths(self, tree: LayerTree) -> None:
        """Show what waits, and where."""
        if self.flow_control is not None:
            install_dumps(tree, self.flow_control)

    def families(self) -> list[Family]:
        return families(self.flow_control) if self.flow_control is not None else []

    def hooks(self) -> list[tuple[str, Hook]]:
        if self._controller is None:
            return []
        return [("priority-and-fairness-config-consumer", self._controller.start)]

    def follow(self) -> None:
        """The stores are filled."""
        if self._controller is not None:
            self._controller.follow()

    async def stop(self) -> None:
        if self._controller is not None:
            await self._controller.stop()
