"""Auditing as the settings say: the policy, and where events go. Not imported where nothing is audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kube_twisted.audit.auditor import Auditor
from kube_twisted.audit.log import LineFile, LogSink, Thread
from kube_twisted.audit.log_file import LogFile, Rotation, StandardOutput
from kube_twisted.audit.policy_file import read_policy
from kube_twisted.audit.sinks import AuditCounts, Sink, Truncating, Union
from kube_twisted.audit.webhook import WebhookSink
from kube_twisted.config.audit import BLOCKING_STRICT, AuditLogSettings, AuditSettings, AuditWebhookSettings
from kube_twisted.util.clock import Clock
from kube_twisted.util.https import HTTPSClient
from kube_twisted.webhooks.kubeconfig import read_kubeconfig


def assemble(settings: AuditSettings, policy: Path, reactor: Any, clock: Clock, https: HTTPSClient) -> Auditor:
    """:raises StartError: when a file can't be read."""
    counts = AuditCounts()
    modes, sinks = [], []
    if settings.log.path:
        modes.append(settings.log.mode)
        sinks.append(_truncating(_log(settings.log, reactor, clock, counts), settings.log.max_event_size, counts))
    if settings.webhook.kubeconfig is not None:
        modes.append(settings.webhook.mode)
        sinks.append(_truncating(_webhook(settings.webhook, settings.webhook.kubeconfig, https, clock, counts),
                                 settings.webhook.max_event_size, counts))
    return Auditor(read_policy(policy), Union(sinks), BLOCKING_STRICT in modes, counts, clock)


def _log(settings: AuditLogSettings, reactor: Any, clock: Clock, counts: AuditCounts) -> Sink:
    rotation = Rotation(settings.max_size, settings.max_age, settings.max_backups, settings.compress)
    file: LineFile = StandardOutput() if settings.path == "-" else LogFile(Path(settings.path), rotation, clock.now)
    return LogSink(file, Thread(reactor), settings.format, settings.mode, counts)


def _webhook(settings: AuditWebhookSettings, kubeconfig: Path, https: HTTPSClient, clock: Clock,
             counts: AuditCounts) -> Sink:
    return WebhookSink(read_kubeconfig(kubeconfig), https, clock, settings.mode, counts, batch_size=settings.batch_size,
                       batch_wait=settings.batch_wait, buffer_size=settings.buffer_size,
                       initial_backoff=settings.initial_backoff)


def _truncating(sink: Sink, most: int, counts: AuditCounts) -> Sink:
    return Truncating(sink, most, counts) if most else sink
