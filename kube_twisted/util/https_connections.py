"""Connections to HTTPS servers, and what is sent over them; for :class:`~kube_twisted.util.https.HTTPSClient`."""

from __future__ import annotations

from typing import Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IConsumer, IProtocol, IProtocolFactory, IStreamClientEndpoint
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.web.client import URI, Agent, HTTPConnectionPool
from twisted.web.http_headers import Headers
from twisted.web.iweb import IAgentEndpointFactory, IBodyProducer, IResponse
from zope.interface import implementer

from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.dial import connect_tcp
from kube_twisted.util.http_body import read_body
from kube_twisted.util.http_words import EOF, is_cancelled, words
from kube_twisted.util.https import DEADLINE, Answer, BodyError, HeaderValues, HTTPSError, Server
from kube_twisted.util.tls import ClientTLS

#: Idle connections that are kept for each server, and for how many seconds.
IDLE_CONNECTIONS, IDLE_SECONDS = 25, 90


class Exchange:
    """One request and its answer."""

    def __init__(self, agent: Agent, method: str, url: str) -> None:
        self._agent = agent
        self._method = method
        self._url = url
        self._late = False

    def expire(self, work: Deferred[Answer]) -> None:
        """The time is over."""
        self._late = True
        work.cancel()

    async def head(self, headers: HeaderValues, body: bytes) -> IResponse:
        """:raises HTTPSError: when there is no answer."""
        wanted = Headers({name: [one] if isinstance(one, str) else list(one) for name, one in headers.items()})
        try:
            response: IResponse = await self._agent.request(
                self._method.encode(), self._url.encode(), wanted, _Bytes(body) if body else None)
        except Exception as error:
            raise HTTPSError(self._method, self._url, self._reason(error)) from error
        return response

    async def run(self, headers: HeaderValues, body: bytes, limit: int) -> Answer:
        """:raises HTTPSError: likewise. :raises BodyError: when there is no whole body."""
        response = await self.head(headers, body)
        try:
            content = await read_body(response, limit)
        except Exception as error:
            reason = self._reason(error)
            raise BodyError("unexpected EOF" if reason == EOF else reason) from error
        return Answer(response.code, response.headers, content)

    def _reason(self, error: Exception) -> str:
        if self._late:
            return DEADLINE
        if is_cancelled(error):
            raise CancelledError from error
        return words(error)


@implementer(IAgentEndpointFactory, IStreamClientEndpoint)
class Connections:
    """The connections to one server."""

    def __init__(self, reactor: Any, clock: Clock, server: Server) -> None:
        self._reactor = reactor
        self._server = server
        self._tls = ClientTLS(server.hostname, clock, server.authorities_pem, server.identity,
                              verified=server.verified)
        self._pool = HTTPConnectionPool(reactor)
        self._pool.maxPersistentPerHost = IDLE_CONNECTIONS
        self._pool.cachedConnectionTimeout = IDLE_SECONDS
        self._pool.retryAutomatically = False
        self._agent = Agent.usingEndpointFactory(reactor, self, self._pool)

    def exchange(self, method: str, url: str) -> Exchange:
        """A request to be sent."""
        return Exchange(self._agent, method, url)

    def endpointForURI(self, uri: URI) -> IStreamClientEndpoint:
        return self

    def connect(self, protocolFactory: IProtocolFactory) -> Deferred[IProtocol]:
        return to_deferred(self._connect(protocolFactory))

    async def _connect(self, factory: IProtocolFactory) -> IProtocol:
        server = self._server
        host, port = server.dial() if server.dial is not None else (server.hostname, server.port)
        tls: Any = await connect_tcp(self._reactor, host, port,
                                     TLSMemoryBIOFactory(self._tls, True, factory, self._reactor))
        protocol: IProtocol = tls.wrappedProtocol
        return protocol

    def close(self) -> Deferred[None]:
        """End those that are idle, and keep none any more."""
        self._pool.cachedConnectionTimeout = 0
        closed: Deferred[None] = self._pool.closeCachedConnections()
        return closed


@implementer(IBodyProducer)
class _Bytes:
    """A request's body that is at hand."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.length = len(body)

    def startProducing(self, consumer: IConsumer) -> Deferred[None]:
        consumer.write(self._body)
        done: Deferred[None] = Deferred()
        done.callback(None)
        return done

    def pauseProducing(self) -> None:
        """All is written at once."""

    def resumeProducing(self) -> None:
        """All is written at once."""

    def stopProducing(self) -> None:
        """All is written at once."""
