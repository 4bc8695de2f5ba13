"""The addresses of a host name, as the system's resolver knows them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import (
    IAddress,
    IHostnameResolver,
    IHostResolution,
    IReactorPluggableNameResolver,
    IResolutionReceiver,
)
from zope.interface import implementer

#: Gives the addresses of a host, an address being its own; LookupError when it has none.
HostLookup = Callable[[str], Awaitable[list[str]]]


def host_lookup(reactor: IReactorPluggableNameResolver) -> HostLookup:
    """Asks the reactor's resolver, whichever is installed at that time."""

    async def addresses(host: str) -> list[str]:
        found = await _Resolution().begin(reactor.nameResolver, host)
        if not found:
            raise LookupError(f"lookup {host}: no such host")
        return found

    return addresses


@implementer(IResolutionReceiver)
class _Resolution:
    """Collects what one lookup finds."""

    def __init__(self) -> None:
        self._found: list[str] = []
        self._done: Deferred[list[str]] = Deferred()

    def begin(self, resolver: IHostnameResolver, host: str) -> Deferred[list[str]]:
        resolver.resolveHostName(self, host)
        return self._done

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:
        """Nobody cancels it: resolvers have a timeout of their own."""

    def addressResolved(self, address: IAddress) -> None:
        self._found.append(address.host)  # type: ignore[attr-defined]

    def resolutionComplete(self) -> None:
        self._done.callback(self._found)
