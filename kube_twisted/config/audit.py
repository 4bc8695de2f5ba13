"""Settings of auditing."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import section, setting

MODES = BATCH, BLOCKING, BLOCKING_STRICT = "batch", "blocking", "blocking-strict"


@frozen
class AuditLogSettings:
    """The section ``audit.log``."""

    path: str = setting("path", "", reading.text)
    """The file that events are added to; ``-`` is the standard output, empty means no such log."""

    format: str = setting("format", "json", reading.choice("json", "legacy"))
    """How events are written: as JSON, or in the old format of one short line."""

    mode: str = setting("mode", BLOCKING, reading.choice(*MODES))
    """Whether answers wait until their events are written (``blocking``), and requests fail when they can't be
    (``blocking-strict``), or nobody waits (``batch``)."""

    max_size: int = setting("maxSize", 100, reading.whole(1))
    """Megabytes after which the file is put aside."""

    max_age: int = setting("maxAge", 366, reading.whole(0))
    """For how many days such files are kept; 0 for as long as there are not too many."""

    max_backups: int = setting("maxBackups", 100, reading.whole(0))
    """How many of them are kept; 0 for any number."""

    compress: bool = setting("compress", False, reading.boolean)
    """Whether they are packed with gzip."""

    max_event_size: int = setting("maxEventSize", 0, reading.whole(0))
    """Bytes above which an event is written without the objects of request and answer; 0 for any size."""


@frozen
class AuditWebhookSettings:
    """The section ``audit.webhook``."""

    kubeconfig: Path | None = setting("kubeconfig", None, reading.optional_path)
    """A kubeconfig that says where to send events, and as whom; when None, they are sent nowhere."""

    mode: str = setting("mode", BATCH, reading.choice(*MODES))
    """Whether events are sent together (``batch``), or each at once, with the answer waiting for it (``blocking``),
    and the request failing without it (``blocking-strict``)."""

    batch_size: int = setting("batchSize", 400, reading.whole(1))
    """How many events are sent together at most."""

    batch_wait: float = setting("batchWait", 30.0, reading.duration)
    """How many seconds events wait for others."""

    buffer_size: int = setting("bufferSize", 10_000, reading.whole(1))
    """How many events may wait; more are lost."""

    initial_backoff: float = setting("initialBackoff", 10.0, reading.duration)
    """Seconds until what could not be sent is sent again, the first time."""

    max_event_size: int = setting("maxEventSize", 0, reading.whole(0))
    """Bytes above which an event is sent without the objects of request and answer; 0 for any size."""


@frozen
class AuditSettings:
    """The section ``audit``. Without a policy, or without a place where events go, nothing is recorded."""

    policy_file: Path | None = setting("policyFile", None, reading.optional_path)
    """An audit.k8s.io/v1 Policy: what is recorded of which request."""

    log: AuditLogSettings = section("log", AuditLogSettings)
    webhook: AuditWebhookSettings = section("webhook", AuditWebhookSettings)
