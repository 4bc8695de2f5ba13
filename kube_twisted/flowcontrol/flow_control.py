"""All FlowSchemas and priority levels at work: finds the flow of each request, and shares out the seats.

Source of the rules: KEP-1040, and apiserver's ``util/flowcontrol/apf_controller.go``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from attrs import frozen
from twisted.logger import Logger

from kube_twisted.flowcontrol.counts import FlowCounts
from kube_twisted.flowcontrol.level import PriorityLevel
from kube_twisted.flowcontrol.limits import current_limits, limits_of
from kube_twisted.flowcontrol.matching import Digest, FlowSchema, read_schema
from kube_twisted.util.clock import Clock

Obj = Mapping[str, Any]
#: Seconds between two adjustments of what levels lend each other.
INTERVAL = 10.0
CATCH_ALL = "catch-all"
#: Of how many kinds of requests the flow is known at most.
_MOST_FLOWS = 10_000
_SCHEMA_HEADER, _LEVEL_HEADER = b"X-Kubernetes-PF-FlowSchema-UID", b"X-Kubernetes-PF-PriorityLevel-UID"
_log = Logger()


@frozen(eq=False)
class Flow:
    """Where requests of one kind belong.

    :ivar digest: what these have in common.
    :ivar name: tells the flows of a schema apart.
    :ivar headers: what answers say about it.
    """

    digest: Digest
    level: PriorityLevel
    counts: FlowCounts
    name: str
    headers: tuple[tuple[bytes, bytes], ...]


class Objects(Protocol):
    """Where the objects come from; the mandatory ones are always among them."""

    def schemas(self) -> Sequence[Obj]: ...

    def levels(self) -> Sequence[Obj]: ...


class FlowControl:
    """Decides which requests are worked on, which wait, and which are turned away.

    :param objects: FlowSchemas and PriorityLevelConfigurations; read when a request comes after they changed.
    :param seats: how many requests may be worked on at once, in all.
    :ivar flows: those that were found, by what their requests have in common.
    :ivar levels: by name, also those that are gone and still have requests.
    :ivar counts: by level and schema.
    """

    def __init__(self, objects: Objects, clock: Clock, seats: int) -> None:
        self._objects = objects
        self._is_stale = True
        self._clock = clock
        self._server_limit = seats
        self._schemas: tuple[FlowSchema, ...] = ()
        self.flows: dict[tuple[object, ...], Flow] = {}
        self.levels: dict[str, PriorityLevel] = {}
        self.counts: dict[tuple[str, str], FlowCounts] = {}

    # -- finding the flow -----------------------------------------------------------------------------------------

    def find(self, digest: Digest) -> Flow:
        """The flow of requests like this; remembered until the objects change.

        The first schema that matches decides; requests that none matches are caught in the end.
        """
        if self._is_stale:
            self._configure()
        if len(self.flows) >= _MOST_FLOWS:
            self.flows.clear()
        flow = self.flows[digest] = self._find(digest)
        return flow

    def _find(self, digest: Digest) -> Flow:
        last = self._schemas[-1]
        schema = next((one for one in self._schemas if one.matches(digest)), last)
        level = self.levels[schema.level]
        counts = self.counts.get((level.name, schema.name))
        if counts is None:
            counts = self.counts[level.name, schema.name] = FlowCounts(level.name, schema.name)
        headers = (_SCHEMA_HEADER, schema.uid.encode()), (_LEVEL_HEADER, level.uid.encode())
        return Flow(digest, level, counts, schema.flow_of(digest), headers)

    # -- configuration --------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """The objects are others now."""
        self._is_stale = True
        self.flows.clear()

    def _configure(self) -> None:
        """Take over the objects. Requests that wait go on waiting."""
        self._is_stale = False
        specs = {obj["metadata"]["name"]: obj for obj in self._objects.levels()}
        self._leave_levels(specs)
        for name in specs:
            if name not in self.levels:
                self.levels[name] = PriorityLevel(name, self._clock)
        limits = limits_of({name: obj["spec"] for name, obj in specs.items()}, self._server_limit)
        for name, obj in specs.items():
            self.levels[name].configure(obj["metadata"].get("uid", ""), obj["spec"], limits[name])
        usable = [schema for schema in map(read_schema, self._objects.schemas()) if schema.level in specs]
        self._schemas = tuple(sorted(usable, key=lambda one: (one.name == CATCH_ALL, one.precedence, one.name)))
        self._share_out()

    def _leave_levels(self, specs: Mapping[str, Obj]) -> None:
        for name, level in list(self.levels.items()):
            if name not in specs:
                level.is_quiescing = True
        self._forget_idle()

    def _forget_idle(self) -> None:
        for name, level in list(self.levels.items()):
            if level.is_quiescing and level.is_idle:
                del self.levels[name]
                for key in [key for key in self.counts if key[0] == name]:
                    del self.counts[key]

    def rebalance(self) -> None:
        """Lend the seats that levels did not need lately to those that needed more."""
        if self._is_stale:
            self._configure()
        else:
            self._forget_idle()
            self._share_out()

    def _share_out(self) -> None:
        demands = {name: level.take_demand() for name, level in self.levels.items()}
        limited = [name for name, level in self.levels.items() if not level.is_exempt]
        exempt = sum(max(demand.limits.lower, demand.peak) for name, demand in demands.items()
                     if self.levels[name].is_exempt)
        seats = sum(demand.limits.nominal for demand in demands.values())
        found = current_limits([demands[name] for name in limited], seats, exempt)
        for name, limit in zip(limited, found, strict=True):
            self.levels[name].set_limit(limit)
