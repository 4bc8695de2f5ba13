"""Settings of the etcd cluster that holds the objects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting

_URL = re.compile(r"(https?)://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*):(\d{1,5})/?")
_PREFIX = re.compile(r"(/[A-Za-z0-9._-]+)+")


@frozen
class Endpoint:
    """Where a member of the cluster listens."""

    host: str
    port: int
    is_tls: bool = False

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def _endpoints(value: Any) -> tuple[Endpoint, ...]:
    found = [_URL.fullmatch(one) for one in reading.texts(value)]
    if not found or not all(match and 0 < int(match[3]) < 65536 for match in found):
        raise ValueError("must be a list of URLs such as https://etcd.example.com:2379")
    return tuple(Endpoint(match[2].strip("[]"), int(match[3]), match[1] == "https") for match in found if match)


def _prefix(value: Any) -> str:
    if not isinstance(value, str) or not _PREFIX.fullmatch(value):
        raise ValueError("must be a path of keys such as /registry")
    return value


@frozen
class EtcdSettings:
    """The section ``storage.etcd``."""

    endpoints: tuple[Endpoint, ...] = setting("endpoints", (Endpoint("127.0.0.1", 2379),), _endpoints)
    """The members, in the order in which they are tried."""

    prefix: str = setting("prefix", "/registry", _prefix)
    """What all keys begin with."""

    ca_file: Path | None = setting("caFile", None, reading.optional_path)
    """Whom to trust, as PEM; when None, whom the system trusts."""

    certificate_file: Path | None = setting("certificateFile", None, reading.optional_path)
    """The certificate to show, as PEM."""

    key_file: Path | None = setting("keyFile", None, reading.optional_path)
    """Its key."""
