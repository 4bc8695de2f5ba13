"""Where a webhook is, from the ``clientConfig`` of a configuration."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from posixpath import normpath
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from attrs import frozen

from kube_twisted.util.dial import host_port
from kube_twisted.util.https import Server
from kube_twisted.webhooks.service_resolver import ServiceAddress, ServiceReader

_HTTPS_PORT = 443
#: What Go's ``net/url`` leaves as it is in a path, besides letters and digits.
_UNESCAPED = "/$&+,:;=@-_.~"


class BadClientConfig(ValueError):
    """The webhook can't be called; the text says why."""


@frozen
class Target:
    """A webhook.

    :ivar url: without a query.
    """

    server: Server
    url: str


def target_of(config: Mapping[str, Any], services: ServiceReader) -> Target:
    """The webhook of a ``clientConfig`` with ``url`` or ``service``, ``caBundle`` and the defaults.

    :raises BadClientConfig: when there is none. Certificates are looked into only when the webhook is called.
    """
    authorities = base64.b64decode(config.get("caBundle") or "").strip() or None
    service = config.get("service")
    if service is not None:
        address = ServiceAddress(services, service["namespace"], service["name"], service.get("port", _HTTPS_PORT))
        host = host_port(address.hostname, address.port)
        return Target(Server(address.hostname, address.port, authorities, dial=address),
                      f"https://{host}{_path(service.get('path', ''))}")
    if not config.get("url"):
        raise BadClientConfig("webhook configuration must have either service or URL")
    try:
        url = urlsplit(config["url"])
        server = Server(url.hostname or "", url.port or _HTTPS_PORT, authorities)
    except ValueError as error:
        raise BadClientConfig(f"Unparsable URL: {error}") from error
    return Target(server, f"{url.scheme}://{url.netloc.rpartition('@')[2]}{_path(unquote(url.path))}")


def _path(path: str) -> str:
    """Without repeated and trailing slashes."""
    clean = normpath("/" + path)
    return quote("/" + clean.lstrip("/"), safe=_UNESCAPED)
