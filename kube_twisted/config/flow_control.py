"""Settings of how many requests are worked on at once."""

from __future__ import annotations

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting


@frozen
class FlowControlSettings:
    """The section ``flowControl``."""

    priority_and_fairness: bool = setting("priorityAndFairness", True, reading.boolean)
    """Whether FlowSchemas and priority levels decide which requests go first; the two limits together are then the
    seats that the levels share. Otherwise each limit is one of its own."""

    max_requests_in_flight: int = setting("maxRequestsInFlight", 400, reading.whole(0))
    """How many requests that read may be in flight at once; without priority and fairness, 0 is no limit."""

    max_mutating_requests_in_flight: int = setting("maxMutatingRequestsInFlight", 200, reading.whole(0))
    """How many requests that write may be in flight at once; without priority and fairness, 0 is no limit."""

    @property
    def seats(self) -> int:
        """What the priority levels share."""
        return self.max_requests_in_flight + self.max_mutating_requests_in_flight
