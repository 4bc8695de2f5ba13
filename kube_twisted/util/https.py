"""A client for HTTPS servers that are called again and again: webhooks, kubelets, aggregated servers.

Connections are kept and used again, for each server and whom it is trusted by. What goes wrong is said in the
words of Go's ``net/http``, which clients of the API know. Here is what callers see; ``https_connections`` has the rest.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen
from twisted.internet.defer import Deferred, DeferredList
from twisted.web.http_headers import Headers
from twisted.web.iweb import IResponse

from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred
from kube_twisted.util.dial import Dial
from kube_twisted.util.tls import Identity

if TYPE_CHECKING:
    from kube_twisted.util.https_connections import Connections

#: What Go says when the time is over.
DEADLINE = "context deadline exceeded"
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
        self._agents: OrderedDict[Server, Connections] = OrderedDict()
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
        exchange = self._connections(server).exchange(method, url)
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
        work = to_deferred(self._connections(server).exchange(method, url).head(headers, body))
        self._running.add(work)
        try:
            return await work
        finally:
            self._running.discard(work)

    def _connections(self, server: Server) -> Connections:
        found = self._agents.pop(server, None)
        if found is None:
            from kube_twisted.util.https_connections import Connections  # many servers never call another one

            found = Connections(self._reactor, self._clock, server)
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
