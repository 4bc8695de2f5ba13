"""A webhook on this machine, behind TLS, whose answers a test decides."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from twisted.internet.protocol import Factory, Protocol
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.web.resource import Resource
from twisted.web.server import Request, Site

from kube_twisted.server import certificates
from kube_twisted.server.tls import ServerTLS

NOW = datetime.now(UTC)
AUTHORITY = certificates.new_authority("webhooks", NOW)
#: The name of a Service, and the address.
NAMES = ("hook.ns.svc", "127.0.0.1")
_SERVING = certificates.new_serving(AUTHORITY, NAMES, NOW)

#: Gives the body, or ``NOT_DONE_YET``.
Handler = Callable[[Request], bytes | int]


class Webhook:
    """Listens until it is stopped.

    :ivar port: on 127.0.0.1.
    :ivar connections: how many were made.
    """

    def __init__(self, reactor: Any, handler: Handler) -> None:
        site = Site(_Handled(handler), reactor=reactor)
        self._listening = _listen(reactor, site)
        self.port: int = self._listening.getHost().port
        self._site = site
        self.connections = 0
        build = site.buildProtocol

        def count(address: Any) -> Any:
            self.connections += 1
            return build(address)

        site.buildProtocol = count

    def stop(self) -> Any:
        return self._listening.stopListening()


class _Handled(Resource):
    isLeaf = True

    def __init__(self, handler: Handler) -> None:
        super().__init__()
        self.render = handler


class Blurting(Protocol):
    """Says something, whatever it is asked, and hangs up."""

    words = b""

    def dataReceived(self, data: bytes) -> None:
        self.transport.write(self.words)
        self.transport.loseConnection()


def blurting(reactor: Any, words: bytes, tls: bool = True) -> Any:
    """A listening port of those who speak no HTTP, or no TLS."""
    factory = Factory.forProtocol(type("Blurting", (Blurting,), {"words": words}))
    return _listen(reactor, factory) if tls else reactor.listenTCP(0, factory, interface="127.0.0.1")


def _listen(reactor: Any, factory: Any) -> Any:
    tls = ServerTLS(_SERVING.certificate_pem(), _SERVING.key_pem(), protocols=(b"http/1.1",))
    return reactor.listenTCP(0, TLSMemoryBIOFactory(tls, False, factory, reactor), interface="127.0.0.1")
