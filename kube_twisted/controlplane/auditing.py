"""Whether anything is audited, and what /metrics shows of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kube_twisted.config.audit import AuditSettings
from kube_twisted.server.metrics import Family
from kube_twisted.util.clock import Clock
from kube_twisted.util.https import HTTPSClient

if TYPE_CHECKING:
    from kube_twisted.audit.auditor import Auditor


def new_auditor(settings: AuditSettings, reactor: Any, clock: Clock, https: HTTPSClient) -> Auditor | None:
    """None where the settings name no policy, or no place for events.

    :raises StartError: when a file can't be read.
    """
    policy = settings.policy_file
    if policy is None or not (settings.log.path or settings.webhook.kubeconfig is not None):
        return None
    from kube_twisted.controlplane.audit_assembly import assemble

    return assemble(settings, policy, reactor, clock, https)


def families(auditor: Auditor | None) -> list[Family]:
    """What /metrics shows of it."""
    if auditor is None:
        return []
    from kube_twisted.audit.levels import LEVEL_NAMES

    counts = auditor.counts
    return [
        Family("apiserver_audit_event", "Counter of audit events generated and sent to the audit backend.", "counter",
               (), lambda: [((), counts.events)]),
        Family("apiserver_audit_error", "Counter of audit events that failed to be audited properly. Plugin identifies "
               "the plugin affected by the error.", "counter", ("plugin",),
               lambda: [((plugin,), count) for plugin, count in counts.errors.items()]),
        Family("apiserver_audit_level", "Counter of policy levels for audit events (1 per request).", "counter",
               ("level",), lambda: [((LEVEL_NAMES[level],), count) for level, count in counts.levels.items()]),
        Family("apiserver_audit_requests_rejected", "Counter of apiserver requests rejected due to an error in audit "
               "logging backend.", "counter", (), lambda: [((), counts.rejected)]),
    ]
