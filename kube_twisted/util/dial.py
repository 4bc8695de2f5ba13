"""Connecting by TCP to a host by name or address; why it fails is said in the words of Go's ``net``."""

from __future__ import annotations

import ipaddress
import os
from typing import Any, Protocol

from twisted.internet import error
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import TCP4ClientEndpoint, TCP6ClientEndpoint
from twisted.internet.interfaces import IAddress, IHostResolution, IProtocol, IProtocolFactory, IResolutionReceiver
from zope.interface import implementer

#: Seconds for one address; fewer when there is another one to try.
TIMEOUT, TIMEOUT_OF_MANY = 30.0, 5.0


class DialError(Exception):
    """No connection; the text is that of a Go client."""


class Dial(Protocol):
    """Says where a server listens, host and port, each time that a connection is made to it.

    What it raises is shown as the reason why there is no connection.
    """

    def __call__(self) -> tuple[str, int]: ...


async def connect_tcp(reactor: Any, host: str, port: int, factory: IProtocolFactory) -> IProtocol:
    """The protocol, connected; a name's addresses are tried one after the other.

    :param reactor: does TCP and resolves names.
    :raises DialError: why it did not work at the first address.
    """
    addresses = await _addresses(reactor, host)
    timeout = TIMEOUT if len(addresses) == 1 else TIMEOUT_OF_MANY
    failed: DialError | None = None
    for address in addresses:
        endpoint = TCP6ClientEndpoint if ":" in address else TCP4ClientEndpoint
        try:
            protocol: IProtocol = await endpoint(reactor, address, port, timeout).connect(factory)
        except error.ConnectError as why:
            failed = failed or DialError(f"dial tcp {host_port(address, port)}: {_reason(why)}")
        else:
            return protocol
    raise failed or DialError(f"dial tcp: lookup {host}: no such host")


def host_port(host: str, port: int) -> str:
    """As Go's ``net.JoinHostPort``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_address(host: str) -> bool:
    """Whether it is an IP address and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


async def _addresses(reactor: Any, host: str) -> list[str]:
    if is_address(host):
        return [host]
    found = _Found()
    reactor.nameResolver.resolveHostName(found, host, 0, [IPv4Address, IPv6Address])
    return await found.complete


@implementer(IResolutionReceiver)
class _Found:
    """The addresses of a name.

    :ivar complete: fires with them.
    """

    def __init__(self) -> None:
        self._addresses: list[str] = []
        self.complete: Deferred[list[str]] = Deferred()

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:
        """It can't be cancelled: a thread waits for the system's resolver."""

    def addressResolved(self, address: IAddress) -> None:
        assert isinstance(address, (IPv4Address, IPv6Address))
        self._addresses.append(address.host)

    def resolutionComplete(self) -> None:
        self.complete.callback(self._addresses)


def _reason(why: error.ConnectError) -> str:
    if isinstance(why, (error.TimeoutError, error.TCPTimedOutError)) and not isinstance(why.osError, int):
        return "i/o timeout"
    if isinstance(why.osError, int):
        return f"connect: {os.strerror(why.osError).lower()}"
    return f"connect: {'connection refused' if isinstance(why, error.ConnectionRefusedError) else why}"
