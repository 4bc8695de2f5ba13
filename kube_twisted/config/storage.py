"""Settings of the store."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.etcd import EtcdSettings
from kube_twisted.config.reading import section, setting


@frozen
class StorageSettings:
    """The section ``storage``. Durations are in seconds."""

    backend: str = setting("backend", "sqlite", reading.choice("sqlite", "etcd", "memory"))
    """``sqlite`` keeps the objects in a file, ``etcd`` in a cluster of it, ``memory`` forgets them at the end."""

    file: Path | None = setting("file", None, reading.optional_path)
    """The database file; when None, ``state.db`` in the data directory."""

    compaction_interval: float = setting("compactionInterval", 300.0, reading.duration)
    """How often to forget what was overwritten before the last such time."""

    history_limit: int = setting("historyLimit", 100_000, reading.whole(1))
    """How many past revisions to keep at most."""

    event_ttl: float = setting("eventTTL", 3600.0, reading.duration)
    """How long Event objects live."""

    etcd: EtcdSettings = section("etcd", EtcdSettings)
