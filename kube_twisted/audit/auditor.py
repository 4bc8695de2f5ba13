"""The policy and the sinks of a server that audits."""

from __future__ import annotations

from attrs import frozen
from twisted.internet.defer import Deferred

from kube_twisted.api.user import UserInfo
from kube_twisted.audit.policy import AuditPolicy
from kube_twisted.audit.recording import Recording
from kube_twisted.audit.sinks import AuditCounts, Sink
from kube_twisted.util.clock import Clock


@frozen
class Auditor:
    """Passes events on.

    :ivar is_strict: whether requests fail whose first event can't be kept.
    """

    policy: AuditPolicy
    sink: Sink
    is_strict: bool
    counts: AuditCounts
    clock: Clock

    def tell(self, recording: Recording, stage: str, user: UserInfo | None = None) -> Deferred[bool] | None:
        """Pass on the event of a stage, where it is wanted.

        :param user: as whom the request goes on.
        :returns: what an answer has to wait for.
        """
        if not recording.wants(stage):
            return None
        self.counts.events += 1
        return self.sink.process(recording.event(stage, self.clock.seconds(), user))
