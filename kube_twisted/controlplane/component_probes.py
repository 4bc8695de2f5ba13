"""Asks the store and, where they run on this machine, controller-manager and scheduler how they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from OpenSSL import SSL
from twisted.internet import error as reasons
from twisted.internet.defer import Deferred
from twisted.internet.defer import TimeoutError as TimedOut
from twisted.internet.interfaces import IOpenSSLClientConnectionCreator, IReactorTime
from twisted.web.client import Agent, ResponseFailed, readBody
from twisted.web.iweb import IAgent, IPolicyForHTTPS
from zope.interface import implementer

from kube_twisted.controlplane.special.component_health import Health, Probe

#: Ports on which the components answer ``/healthz``.
PORTS = {"scheduler": 10259, "controller-manager": 10257}
#: Seconds that a component may take.
TIMEOUT = 20.0
_OK = 200
_FAILED = 400


def component_probes(reactor: Any, store_problem: Callable[[], str | None],
                     agent: IAgent | None = None) -> Mapping[str, Probe]:
    """By name, in the order in which they are listed.

    :param store_problem: says what is wrong with the store.
    :param agent: for tests.
    """
    if agent is None:
        agent = Agent(reactor, _AnyCertificate())

    async def store() -> Health:
        problem = store_problem()
        return Health(not problem, problem or "ok")

    return {**{name: partial(_ask, reactor, agent, port) for name, port in PORTS.items()}, "etcd-0": store}


async def _ask(reactor: IReactorTime, agent: IAgent, port: int) -> Health:
    url = f"https://127.0.0.1:{port}/healthz"
    try:
        code, body = await Deferred.fromCoroutine(_get(agent, url)).addTimeout(TIMEOUT, reactor)
    except Exception as error:  # whatever is wrong with a component is an answer
        return Health(False, f'Get "{url}": {_reason(error, port)}')
    if code >= _FAILED:
        return Health(False, f"HTTP probe failed with statuscode: {code}")
    return Health(code == _OK, body.decode("utf-8", "replace"))


async def _get(agent: IAgent, url: str) -> tuple[int, bytes]:
    response = await agent.request(b"GET", url.encode())
    return response.code, await readBody(response)


def _reason(error: BaseException | None, port: int) -> str:
    """What Go's client says in such a case."""
    if isinstance(error, TimedOut):
        return "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
    if isinstance(error, reasons.ConnectError):
        refused = isinstance(error, reasons.ConnectionRefusedError)
        return f"dial tcp 127.0.0.1:{port}: connect: {'connection refused' if refused else error}"
    if isinstance(error, ResponseFailed) and error.reasons:
        return _reason(error.reasons[0].value, port)
    return "EOF" if isinstance(error, reasons.ConnectionClosed) else str(error)


@implementer(IPolicyForHTTPS, IOpenSSLClientConnectionCreator)
class _AnyCertificate:
    """The components' certificates are their own: nobody vouches for them, and nothing secret is sent."""

    def creatorForNetloc(self, hostname: bytes, port: int) -> _AnyCertificate:
        return self

    def clientConnectionForTLS(self, tlsProtocol: object) -> SSL.Connection:
        return SSL.Connection(SSL.Context(SSL.TLS_CLIENT_METHOD), None)
