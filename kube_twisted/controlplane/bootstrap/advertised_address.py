"""The address at which the cluster finds this server."""

from __future__ import annotations

import socket
from ipaddress import ip_address

from kube_twisted.config.server import ServerSettings

#: Addresses for documentation (RFC 5737, RFC 3849): a way there leads out of this machine.
_OUTSIDE = {4: "192.0.2.1", 6: "2001:db8::1"}


def advertised_address(settings: ServerSettings, version: int) -> str | None:
    """The address of the configuration, else the one it listens at, else that of the way to other networks.

    :param version: of IP, when any address would do.
    :returns: None when there is none that others could reach.
    """
    address = settings.own_address or _own_address(version)
    return address if address and not ip_address(address).is_loopback else None


def _own_address(version: int) -> str:
    """Connecting a datagram socket asks for a route and sends nothing."""
    with socket.socket(socket.AF_INET6 if version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_OUTSIDE[version], 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])
