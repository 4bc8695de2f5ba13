"""Settings of the HTTPS server."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting


@frozen
class ServerSettings:
    """The section ``server``. Durations are in seconds."""

    bind_address: str = setting("bindAddress", "0.0.0.0", reading.address)
    """Where to listen: one address, or all of them (``0.0.0.0``, ``::``)."""

    advertise_address: str = setting("advertiseAddress", "", reading.optional(reading.address))
    """Where the cluster finds the server: its address in the Endpoints of the Service ``kubernetes``. When empty, the
    bind address, or with all of them the one that this machine has towards other networks."""

    endpoint_reconciler: str = setting("endpointReconciler", "lease", reading.choice("lease", "none"))
    """How the Endpoints of the Service ``kubernetes`` are kept: ``lease`` has all servers of one store in them that are
    alive, ``none`` leaves them alone."""

    secure_port: int = setting("securePort", 6443, reading.whole(0, 65535))
    """The HTTPS port; 0 takes any free one."""

    external_hostname: str = setting("externalHostname", "", reading.host)
    """The name under which clients outside reach the server; part of the certificate."""

    extra_names: tuple[str, ...] = setting("extraNames", (), reading.hosts)
    """Further DNS names and IP addresses for the certificate."""

    certificate_file: Path | None = setting("certificateFile", None, reading.optional_path)
    """An own serving certificate (PEM, intermediates after it) instead of the generated one."""

    key_file: Path | None = setting("keyFile", None, reading.optional_path)
    """The key of ``certificateFile`` (PEM)."""

    request_timeout: float = setting("requestTimeout", 60.0, reading.duration)
    """How long a request that is not long-running may take."""

    min_request_timeout: float = setting("minRequestTimeout", 1800.0, reading.duration)
    """How long a watch without a timeout of its own lasts at least; up to twice that."""

    max_request_body: int = setting("maxRequestBody", 3 * 2**20, reading.size)
    """The largest body accepted, in bytes."""

    cors_allowed_origins: tuple[re.Pattern[str], ...] = setting("corsAllowedOrigins", (), reading.patterns)
    """Regular expressions for the origins of web pages that may talk to the server, such as
    ``^https://example\\.com$``."""

    strict_transport_security: tuple[str, ...] = setting("strictTransportSecurity", (), reading.texts)
    """Directives of the header Strict-Transport-Security, such as ``max-age=31536000``; none for no such header."""

    shutdown_delay: float = setting("shutdownDelay", 0.0, reading.duration)
    """How long to go on serving after the signal to stop, while /readyz already fails."""

    shutdown_grace: float = setting("shutdownGrace", 60.0, reading.duration)
    """How long to wait at most for the requests that are in flight when the server stops."""

    @property
    def own_address_key(self) -> str:
        """Which of the settings says the one address of the server; empty when none does, as all are listened to."""
        for key, address in (("advertiseAddress", self.advertise_address), ("bindAddress", self.bind_address)):
            if address and not ip_address(address).is_unspecified:
                return key
        return ""

    @property
    def own_address(self) -> str:
        """The one address of the server, where the settings say it; else empty."""
        return {"advertiseAddress": self.advertise_address, "bindAddress": self.bind_address}.get(
            self.own_address_key, "")
