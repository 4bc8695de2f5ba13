"""Passes requests on to the servers behind APIServices, and their answers back.

Who asks is authenticated and authorized here; the other server is told who it is, and shown the aggregator's own
certificate, so that it believes it. Source of the rules: the Kubernetes documentation, "Configure the Aggregation
Layer", and ``handler_proxy.go`` of kube-aggregator.
"""

from __future__ import annotations

from twisted.logger import Logger
from twisted.web.iweb import UNKNOWN_LENGTH, IResponse

from kube_twisted.aggregator.addresses import NO_ADDRESS
from kube_twisted.aggregator.apiservice import APIService
from kube_twisted.aggregator.forwarding import answer_headers, request_headers, target, wants_upgrade
from kube_twisted.aggregator.relay import Relays
from kube_twisted.aggregator.upstream import Upstream, Upstreams
from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import NO_SNIFFING, Request, Response, StreamingResponse
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import finished_within, to_deferred
from kube_twisted.util.https import DEADLINE, HTTPSError
from kube_twisted.util.tls import BadAuthorities

#: Seconds for the list of a group-version's resources: clients wait for those of all group-versions.
_DISCOVERY_TIMEOUT = 5.0
_DISCOVERY_SEGMENTS = 3
_NO_BODY_CODES = (204, 304)
_REDIRECTED = b"the backend attempted to redirect this request, which is not permitted"


class Proxy:
    """One for all APIServices.

    :ivar relays: the answers that are being passed back.
    """

    _log = Logger()

    def __init__(self, upstreams: Upstreams, clock: Clock) -> None:
        self._upstreams = upstreams
        self._clock = clock
        self.relays = Relays()

    async def handle(self, request: Request, service: APIService) -> Response:
        """The other server's answer, or in plain text why there is none.

        :raises StatusError: 413, when the request's body is too long; 501 for a connection that is to be upgraded.
        """
        if not service.available:
            return plain(503, "service unavailable")
        if wants_upgrade(request):
            raise StatusError(501, "NotImplemented", "this server does not pass on upgraded connections yet: "
                              f"{service.service} was not asked")
        try:
            upstream = self._upstreams.find(service)
        except NO_ADDRESS as error:
            self._log.warn("no address of {service}: {error}", service=service.service, error=error)
            return plain(503, "service unavailable")
        body = request.transport.read_body()
        try:
            response = await self._open(request, upstream, body)
        except HTTPSError as error:
            return plain(503, f"error trying to reach service: {error.reason}")
        except BadAuthorities as error:
            return plain(500, str(error))
        return self._answer(request, response)

    async def _open(self, request: Request, upstream: Upstream, body: bytes) -> IResponse:
        """:raises HTTPSError, BadAuthorities: without an answer, or when it comes too late."""
        url = upstream.origin + target(request)
        headers = request_headers(request, upstream.origin.removeprefix("https://"))
        work = to_deferred(self._upstreams.https.open(upstream.server, request.method, url, headers, body))
        if not _is_discovery(request):
            return await work
        response: IResponse
        opened: list[IResponse] = []
        work.addCallback(opened.append)
        if not await finished_within(self._clock, _DISCOVERY_TIMEOUT, work):
            raise HTTPSError(request.method, url, DEADLINE)
        (response,) = opened
        return response

    def _answer(self, request: Request, response: IResponse) -> Response:
        relay = self.relays.new(response, endless=request.info.verb == "watch")
        if 300 <= response.code < 400 and response.headers.hasHeader("location"):
            relay.stop()
            return Response(502, _REDIRECTED, "text/plain; charset=utf-8")
        headers = answer_headers(response.headers)
        if response.length is not UNKNOWN_LENGTH and request.method != "HEAD" and response.code not in _NO_BODY_CODES:
            headers.append(("Content-Length", str(response.length)))
        types = response.headers.getRawHeaders("content-type") or [""]
        return StreamingResponse(relay.begin, types[0], response.code, headers)

    def stop(self) -> None:
        """End what is still being passed back."""
        self.relays.stop()


def plain(code: int, text: str) -> Response:
    """An error as Go's ``http.Error`` writes it."""
    return Response(code, text.encode() + b"\n", "text/plain; charset=utf-8", [NO_SNIFFING])


def _is_discovery(request: Request) -> bool:
    """Whether it is about a group-version as a whole."""
    return not request.info.is_resource and len(request.path.strip("/").split("/")) == _DISCOVERY_SEGMENTS
