"""The ConfigMap ``extension-apiserver-authentication``: whom aggregated API servers should trust.

Servers of one store may trust different authorities; what each of them trusts is added, what has run out is left out.
Source of the rules: the Kubernetes documentation, "Configure the Aggregation Layer".
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import orjson
from attrs import frozen
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509 import Certificate, load_pem_x509_certificates

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.bootstrap.ensure import create_unless_there
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.clock import Clock

#: Seconds between two looks.
INTERVAL = 60.0
NAMESPACE, NAME = "kube-system", "extension-apiserver-authentication"
_PATH = f"/api/v1/namespaces/{NAMESPACE}/configmaps"
_LISTS = {
    "requestheader-username-headers": "username_headers", "requestheader-uid-headers": "uid_headers",
    "requestheader-group-headers": "group_headers", "requestheader-extra-headers-prefix": "extra_prefixes",
    "requestheader-allowed-names": "allowed_names",
}


@frozen(kw_only=True)
class Trust:
    """Whom a server believes.

    :ivar client_authorities: may issue client certificates.
    :ivar proxy_authorities: may issue the certificates of authenticating proxies; the rest is about those.
    """

    client_authorities: tuple[Certificate, ...]
    proxy_authorities: tuple[Certificate, ...] = ()
    username_headers: tuple[str, ...] = ()
    uid_headers: tuple[str, ...] = ()
    group_headers: tuple[str, ...] = ()
    extra_prefixes: tuple[str, ...] = ()
    allowed_names: tuple[str, ...] = ()


class AuthenticationTrust:
    """Keeps the ConfigMap in being, and complete."""

    def __init__(self, client: LoopbackClient, stores: Stores, clock: Clock, trust: Trust) -> None:
        self._client = client
        self._stores = stores
        self._clock = clock
        self._trust = trust

    async def ensure(self) -> None:
        """:raises StatusError: when it can't be written."""
        found = self._stores.get("", "configmaps", NAMESPACE, NAME)
        data = combined(found.get("data", {}) if found else {}, self._trust, self._clock.now())
        if found is None:
            await create_unless_there(self._client, _PATH, {
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": NAMESPACE, "name": NAME},
                "data": data})
        elif found.get("data", {}) != data:
            found["data"] = data
            try:
                await self._client.call("PUT", f"{_PATH}/{NAME}", found)
            except StatusError as error:
                if error.code != 409:  # another server was faster; the next look adds what is missing
                    raise


def combined(known: dict[str, str], trust: Trust, now: datetime) -> dict[str, str]:
    """The ConfigMap's data with what one more server trusts."""
    data = {}
    clients = _bundle(known.get("client-ca-file", ""), trust.client_authorities, now)
    if clients:
        data["client-ca-file"] = clients
    proxies = _bundle(known.get("requestheader-client-ca-file", ""), trust.proxy_authorities, now)
    if proxies:
        data["requestheader-client-ca-file"] = proxies
        for key, field in _LISTS.items():
            values = [*_list(known.get(key, "")), *getattr(trust, field)]
            if values or field != "uid_headers":
                data[key] = orjson.dumps(list(dict.fromkeys(values))).decode()
    return data


def _list(text: str) -> list[str]:
    try:
        values = orjson.loads(text)
    except ValueError:
        return []
    return [one for one in values if isinstance(one, str)] if isinstance(values, list) else []


def _bundle(known: str, more: Iterable[Certificate], now: datetime) -> str:
    """Certificates as PEM, each once, without those that have run out."""
    try:
        certificates = load_pem_x509_certificates(known.encode()) if known else []
    except ValueError:
        certificates = []
    valid = dict.fromkeys(one for one in [*certificates, *more] if one.not_valid_after_utc > now)
    return "".join(one.public_bytes(Encoding.PEM).decode() for one in valid)
