"""The kube server's resources over a store in memory: requests go straight to their handlers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import orjson
from attrs import define, field
from cryptography.hazmat.primitives.asymmetric import rsa
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock as FakeReactor

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.api.errors import StatusError
from kube_twisted.api.user import ALL_AUTHENTICATED, SYSTEM_MASTERS, UserInfo
from kube_twisted.authentication.token_review import TokenReviewer
from kube_twisted.authentication.tokens import StaticTokens
from kube_twisted.authorization.masters import SystemMasters
from kube_twisted.authorization.rbac.authorizer import RBACAuthorizer
from kube_twisted.authorization.union import UnionAuthorizer
from kube_twisted.controlplane.providers import builtin_providers
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.controlplane.service_accounts import new_service_accounts
from kube_twisted.controlplane.special.component_health import Health
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.batching import FrameBatcher
from kube_twisted.endpoints.request import Request
from kube_twisted.endpoints.request_info import resolve
from kube_twisted.endpoints.watch import WatchSettings
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.server.generic import GenericAPIServer, NotFound
from kube_twisted.storage.memory import MemoryStore
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import run_eagerly
from tests.authorization.policies import default_policy
from tests.inprocess import SentTransport
from tests.schema.shared_schema import shared_schema

ISSUER = "https://issuer.example"
ADMIN = UserInfo("admin", "1", (SYSTEM_MASTERS, ALL_AUTHENTICATED))
JANE = UserInfo("jane", "2", ("dev", ALL_AUTHENTICATED))
_GROUPS = ("", "policy", "authentication.k8s.io", "authorization.k8s.io")
#: 2026-01-01T00:00:00Z
START = 1767225600.0


@cache
def signing_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, 2048)


@define
class Answer:
    """What came back."""

    code: int
    body: Any
    headers: Mapping[str, str] = field(factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        message: str = self.body["message"]
        return message


class Cluster:
    """A server without a chain."""

    def __init__(self) -> None:
        self.reactor = FakeReactor()
        self.reactor.advance(START)
        clock = self.clock = Clock(self.reactor)
        storage = MemoryStore(clock)
        self.stores = Stores(storage, shared_schema(), clock, 3600)
        self.accounts = new_service_accounts(ISSUER, signing_key(), self.stores, clock)
        self.authorizer = UnionAuthorizer((SystemMasters(), RBACAuthorizer(default_policy())))
        reviewer = TokenReviewer((StaticTokens({"secret": ADMIN}), self.accounts.tokens),
                                 self.accounts.audiences)
        options = RESTOptions(
            Resources.load(), self.stores, shared_schema(), AdmissionChain((), clock),
            WatchSettings(FrameBatcher(clock)), clock, Plans(), self.authorizer, reviewer, self.accounts.issuer,
            {"etcd-0": _well, "scheduler": _unwell}, _addresses)
        self.server = GenericAPIServer("kube", NotFound())
        for provider in builtin_providers():
            if provider.group_name in _GROUPS:
                info = provider.new_rest_storage(APIResourceConfig({}), options)
                assert info is not None
                if info.group:
                    self.server.install_api_groups([info])
                else:
                    self.server.install_legacy_api_group("/api", info)
        _result(_start(storage, self.stores))

    def ask(self, method: str, path: str, body: Any = None, user: UserInfo = ADMIN, **headers: str) -> Answer:
        """Send a request; an error's Status is an answer like any other."""
        raw = b"" if body is None else orjson.dumps(body)
        plain, _, query = path.partition("?")
        request = Request(method, plain, query, SentTransport({"user-agent": "test/1", **headers}, raw))
        request.info, request.user = resolve(method, plain), user
        try:
            response = _result(self.server.handle(request))
        except StatusError as error:
            return Answer(error.code, error.status(), error.headers, tuple(request.warnings))
        parsed = orjson.loads(response.body) if response.body else None
        return Answer(response.code, parsed, dict(response.headers or ()), tuple(request.warnings))

    def post(self, path: str, body: Any, user: UserInfo = ADMIN) -> Answer:
        return self.ask("POST", path, body, user)

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    # -- things to have -------------------------------------------------------------------------------------

    def make(self, path: str, name: str, **more: Any) -> dict[str, Any]:
        """Create an object in a collection, and give it as it was answered."""
        answer = self.post(path, {"metadata": {"name": name, **more.pop("metadata", {})}, **more})
        assert answer.code == 201, answer.body
        created: dict[str, Any] = answer.body
        return created

    def make_pod(self, name: str, status: Mapping[str, Any] | None = None,
                 metadata: Mapping[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
        """A pod in ``ns``, with a status when one is given."""
        spec = {"containers": [{"name": "main", "image": "i"}], "serviceAccountName": "default", **spec}
        pod = self.make("/api/v1/namespaces/ns/pods", name, metadata=dict(metadata or {}), spec=spec)
        if status is None:
            return pod
        answer = self.ask("PUT", f"/api/v1/namespaces/ns/pods/{name}/status", {**pod, "status": dict(status)})
        assert answer.code == 200, answer.body
        changed: dict[str, Any] = answer.body
        return changed


async def _start(storage: MemoryStore, stores: Stores) -> None:
    await storage.start()
    await stores.start()


async def _well() -> Health:
    return Health(True, "ok")


async def _unwell() -> Health:
    return Health(False, "connection refused")


async def _addresses(host: str) -> list[str]:
    """Names beginning with ``n`` are known."""
    if host[0].isdigit():
        return [host]
    if host.startswith("n"):
        return ["10.1.1.1"]
    raise LookupError(f"lookup {host}: no such host")


def _result(work: Any) -> Any:
    """The result of a coroutine that a store in memory lets finish at once."""
    outcome = run_eagerly(work)
    if not isinstance(outcome, Deferred):
        return outcome
    results: list[Any] = []
    outcome.addBoth(results.append)
    assert results, "still waiting"
    if hasattr(results[0], "raiseException"):
        results[0].raiseException()
    return results[0]
