"""Tells systemd how the service is doing (``sd_notify(3)``)."""

from __future__ import annotations

import socket
from collections.abc import Mapping

from twisted.logger import Logger

_log = Logger()

READY = "READY=1"
STOPPING = "STOPPING=1"


def notify(environment: Mapping[str, str], *states: str) -> bool:
    """Send states to the socket that ``NOTIFY_SOCKET`` names; whether there was one and it took them.

    A supervisor that cannot be told is logged: the server runs on.
    """
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    if address.startswith("@"):  # in Linux's abstract namespace
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
            channel.settimeout(0)
            channel.connect(address)
            channel.sendall("\n".join(states).encode())
    except OSError as error:
        _log.warn("cannot notify the service supervisor: {error}", error=error)
        return False
    return True
