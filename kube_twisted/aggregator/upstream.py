"""The servers behind APIServices: how they are reached, and as whom they are asked."""

from __future__ import annotations

from collections.abc import Mapping
from string import ascii_letters, digits
from urllib.parse import quote

from attrs import frozen

from kube_twisted.aggregator.addresses import Resolve
from kube_twisted.aggregator.apiservice import APIService
from kube_twisted.api.user import SYSTEM_MASTERS, UserInfo
from kube_twisted.util.dial import host_port
from kube_twisted.util.https import Answer, HTTPSClient, Server
from kube_twisted.util.tls import Identity

#: Who asks when the aggregator itself wants to know: whether a server is there, and what it serves.
AGGREGATOR = UserInfo("system:kube-aggregator", groups=(SYSTEM_MASTERS,))
#: Who asks for OpenAPI documents.
OPENAPI_AGGREGATOR = UserInfo("system:aggregator")
_USER, _UID, _GROUP, _EXTRA = "X-Remote-User", "X-Remote-Uid", "X-Remote-Group", "X-Remote-Extra-"
#: What may stand in a header's name.
_TOKEN = ascii_letters + digits + "!#$&'*+-.^_`|~"

Headers = Mapping[str, list[str]]


@frozen
class Upstream:
    """A server at its address of this moment.

    :ivar origin: such as ``https://10.0.0.7:443``.
    """

    server: Server
    origin: str


@frozen
class _Address:
    """Where to connect to."""

    host: str
    port: int

    def __call__(self) -> tuple[str, int]:
        return self.host, self.port


@frozen
class Upstreams:
    """Finds and asks them.

    :ivar identity: shows them that it is the aggregator who asks, whom they believe what user it speaks for.
    """

    https: HTTPSClient
    resolve: Resolve
    identity: Identity

    def find(self, service: APIService) -> Upstream:
        """:raises StatusError, Unroutable: when its Service has no address."""
        assert service.service is not None
        host, port = self.resolve(service.service)
        hostname = f"{service.service.name}.{service.service.namespace}.svc"
        server = Server(hostname, port, service.authorities_pem, self.identity, _Address(host, port), service.verified)
        return Upstream(server, f"https://{host_port(host, port)}")

    async def get(self, service: APIService, path: str, user: UserInfo, headers: Headers, timeout: float) -> Answer:
        """:raises StatusError, Unroutable, HTTPSError, BodyError, BadAuthorities: without an answer."""
        upstream = self.find(service)
        return await self.https.request(upstream.server, "GET", upstream.origin + path,
                                        {**headers, **user_headers(user)}, timeout=timeout)


def user_headers(user: UserInfo) -> dict[str, list[str]]:
    """The headers by which a server learns who the aggregator speaks for."""
    headers = {_USER: [user.name]}
    if user.uid:
        headers[_UID] = [user.uid]
    if user.groups:
        headers[_GROUP] = list(user.groups)
    for key, values in user.extra.items():
        if values:
            headers[_EXTRA + quote(key, safe=_TOKEN)] = list(values)
    return headers


def is_user_header(name: str) -> bool:
    """Whether a client must not send it on: it would tell who it is."""
    name = name.lower()
    return name in ("x-remote-user", "x-remote-uid", "x-remote-group") or name.startswith(_EXTRA.lower())
