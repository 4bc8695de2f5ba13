"""Asks the store and, where they run on this machine, controller-manager and scheduler how they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from OpenSSL import SSL
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator
from twisted.web.client import Agent, readBody
from twisted.web.iweb import IPolicyForHTTPS
from zope.interface import implementer

from kube_twisted.controlplane.special.component_health import Health, Probe

#: Ports on which the components answer ``/healthz``.
PORTS = {"scheduler": 10259, "controller-manager": 10257}
_TIMEOUT = 20.0
_OK = 200


def component_probes(reactor: Any, store_problem: Callable[[], str | None]) -> Mapping[str, Probe]:
    """By name, in the order in which they are listed."""
    agent = Agent(reactor, _AnyCertificate(), connectTimeout=_TIMEOUT)

    async def store() -> Health:
        problem = store_problem()
        return Health(not problem, problem or "ok")

    return {**{name: partial(_ask, agent, port) for name, port in PORTS.items()}, "etcd-0": store}


async def _ask(agent: Agent, port: int) -> Health:
    url = f"https://127.0.0.1:{port}/healthz"
    try:
        response = await agent.request(b"GET", url.encode())
        body = await readBody(response)
    except Exception as error:  # whatever is wrong with a component is an answer
        return Health(False, f'Get "{url}": {error}')
    return Health(response.code == _OK, body.decode("utf-8", "replace"))


@implementer(IPolicyForHTTPS, IOpenSSLClientConnectionCreator)
class _AnyCertificate:
    """The components' certificates are their own: nobody vouches for them, and nothing secret is sent."""

    def creatorForNetloc(self, hostname: bytes, port: int) -> _AnyCertificate:
        return self

    def clientConnectionForTLS(self, tlsProtocol: object) -> SSL.Connection:
        return SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), None)
