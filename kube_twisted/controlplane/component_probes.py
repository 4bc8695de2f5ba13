"""Asks the store and, where they run on this machine, controller-manager and scheduler how they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from kube_twisted.controlplane.special.component_health import Health, Probe
from kube_twisted.util.https import DEADLINE, BodyError, HTTPSClient, HTTPSError, Server

#: Ports on which the components answer ``/healthz``.
PORTS = {"scheduler": 10259, "controller-manager": 10257}
#: Seconds that a component may take.
TIMEOUT = 20.0
_OK = 200
_FAILED = 400
_HOST = "127.0.0.1"
_TOO_LATE = f"{DEADLINE} (Client.Timeout exceeded while awaiting headers)"


def component_probes(https: HTTPSClient, store_problem: Callable[[], str | None]) -> Mapping[str, Probe]:
    """By name, in the order in which they are listed.

    :param store_problem: says what is wrong with the store.
    """
    async def store() -> Health:
        problem = store_problem()
        return Health(not problem, problem or "ok")

    return {**{name: partial(_ask, https, port) for name, port in PORTS.items()}, "etcd-0": store}


async def _ask(https: HTTPSClient, port: int) -> Health:
    """The components' certificates are their own: nobody vouches for them, and nothing secret is sent."""
    url = f"https://{_HOST}:{port}/healthz"
    try:
        answer = await https.request(Server(_HOST, port, verified=False), "GET", url, {}, timeout=TIMEOUT)
    except HTTPSError as error:
        return Health(False, f'Get "{url}": {_TOO_LATE if error.reason == DEADLINE else error.reason}')
    except BodyError as error:
        return Health(False, f'Get "{url}": {error}')
    if answer.code >= _FAILED:
        return Health(False, f"HTTP probe failed with statuscode: {answer.code}")
    return Health(answer.code == _OK, answer.body.decode("utf-8", "replace"))
