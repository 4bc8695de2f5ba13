"""Settings of authentication."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting


@frozen
class AuthenticationSettings:
    """The section ``authentication``."""

    client_ca_file: Path | None = setting("clientCAFile", None, reading.optional_path)
    """Certificate authorities (PEM) of client certificates, besides the server's own one."""

    token_file: Path | None = setting("tokenFile", None, reading.optional_path)
    """A CSV file of bearer tokens: ``token,user,uid,"group1,group2"``."""

    anonymous: bool = setting("anonymous", True, reading.boolean)
    """Whether requests without credentials go on as ``system:anonymous``; otherwise they are 401."""
