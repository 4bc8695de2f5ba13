"""A client for HTTPS servers that are called again and again: webhooks, kubelets, aggregated servers.

Connections are kept and used again, for each server and whom it is trusted by. What goes wrong is said in the
words of Go's ``net/http``, which clients of the API know.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen
from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.internet.interfaces import IConsumer, IProtocol, IProtocolFactory, IStreamClientEndpoint
from twisted.protocols.tls import TLSMemoryBIOFactory
from twisted.web.client import URI, Agent, HTTPConnectionPool
from twisted.web.http_headers import Headers
from twisted.web.iweb import IAgentEndpointFactory, IBodyProducer, IResponse
from zope.interface import implementer

from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.dial import Dial, connect_tcp
from kube_twisted.util.http_body import read_body
from kube_twisted.util.http_words import DEADLINE, EOF, is_cancelled, words
from kube_twisted.util.tls import ClientTLS, Identity

#: Idle connections that are kept for each server, and for how many seconds.
IDLE_CONNECTIONS, IDLE_SECONDS = 25, 90
#: Servers whose connections are kept.
SERVERS = 200
#: Bytes of an answer's body.
BODY_LIMIT = 64 * 1024 * 1024


class HTTPSError(Exception):
    """No answer; the text is a Go client's, such as ``Post "https://...": context deadline exceeded``.

    :ivar reason: the text without method and URL.
    """

    def __init__(self, method: str, url: str, reason: str) -> None:
        super().__init__(f'{method.capitalize()} "{url}": {reason}')
        self.reason = reason


class BodyError(Exception):
    """The answer began, but its body can't be had; the text says why."""


@frozen
class Server:
    """A server, and how it is known to be the right one.

    :ivar hostname: what its certificate must name.
    :ivar port: as the URL has it.
    :ivar authorities_pem: whom to trust; when None, whom the system trusts.
    :ivar identity: the certificate to show.
    :ivar dial: where to connect to, when not to host and port; compared by equality to tell servers apart.
    :ivar verified: whether its certificate is looked at.
    """

    hostname: str
    port: int
    authorities_pem: bytes | None = None
    identity: Identity | None = None
    dial: Dial | None = None
    verified: bool = True


#: Names and values; a list is sent as one header a value.
HeaderValues = Mapping[str, str | Sequence[str]]


@frozen
class Answer:
    """A whole answer. Redirects are answers like others."""

    code: int
    headers: Headers
    body: bytes

    def header(self, name: str) -> str:
        """A header's first value; empty without one."""
        return str((self.headers.getRawHeaders(name) or [""])[0])


class HTTPSClient:
    """Sends requests over connections that it keeps; of one owner, who closes it.

    :param reactor: connects, resolves names, and times idle connections.
    """

    def __init__(self, reactor: Any, clock: Clock) -> None:
        self._reactor = reactor
        self._clock = clock
        self._agents: OrderedDict[Server, _Connections] = OrderedDict()
        self._running: set[Deferred[Any]] = set()

    async def request(self, server: Server, method: str, url: str, headers: HeaderValues, body: bytes = b"", *,
                      timeout: float, limit: int = BODY_LIMIT) -> Answer:
        """The answer, whatever its code.

        :param url: with the server's host name and port.
        :param timeout: seconds for all, from connecting to the last byte.
        :param limit: bytes that the answer's body may have.
        :raises HTTPSError: when there is no answer.
        :raises BodyError: when there is no whole body in time.
        :raises BadAuthorities: when the trusted certificates can't be read.
        """
        exchange = _Exchange(self._connections(server).agent, method, url)
        work = to_deferred(exchange.run(headers, body, limit))
        timer = self._clock.call_later(timeout, exchange.expire, work)
        self._running.add(work)
        try:
            return await work
        finally:
            self._running.discard(work)
            if timer.active():
                timer.cancel()

    async def open(self, server: Server, method: str, url: str, headers: HeaderValues,
                   body: bytes = b"") -> IResponse:
        """The head of the answer. Its body is the caller's: to be taken as it comes, or ended.

        :raises HTTPSError: when there is no answer.
        :raises BadAuthorities: when the trusted certificates can't be read.
        """
        work = to_deferred(_Exchange(self._connections(server).agent, method, url).head(headers, body))
        self._running.add(work)
        try:
            return await work
        finally:
            self._running.discard(work)

    def _connections(self, server: Server) -> _Connections:
        found = self._agents.pop(server, None)
        if found is None:
            found = _Connections(self._reactor, self._clock, server)
            if len(self._agents) >= SERVERS:
                _, oldest = self._agents.popitem(last=False)
                oldest.close()
        self._agents[server] = found
        return found

    def close(self) -> Deferred[None]:
        """Cancel what is running and end all connections; fires when they have ended."""
        for work in list(self._running):
            work.cancel()
        ended = [connections.close() for connections in self._agents.values()]
        self._agents.clear()
        return DeferredList(ended).addCallback(lambda _: None)


class _Exchange:
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
        wanted = Headers({name: [one] if isinstance(one, str) else list(one) for name, one in headers.items()})
        try:
            response: IResponse = await self._agent.request(
                self._method.encode(), self._url.encode(), wanted, _Bytes(body) if body else None)
        except Exception as error:
            raise HTTPSError(self._method, self._url, self._reason(error)) from error
        return response

    async def run(self, headers: HeaderValues, body: bytes, limit: int) -> Answer:
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
class _Connections:
    """The connections to one server.

    :ivar agent: sends requests over them.
    """

    def __init__(self, reactor: Any, clock: Clock, server: Server) -> None:
        self._reactor = reactor
        self._server = server
        self._tls = ClientTLS(server.hostname, clock, server.authorities_pem, server.identity,
                              verified=server.verified)
        self._pool = HTTPConnectionPool(reactor)
        self._pool.maxPersistentPerHost = IDLE_CONNECTIONS
        self._pool.cachedConnectionTimeout = IDLE_SECONDS
        self._pool.retryAutomatically = False
        self.agent = Agent.usingEndpointFactory(reactor, self, self._pool)

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
