"""Where a webhook is, and as whom it is called, from a kubeconfig."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from attrs import frozen

from kube_twisted.util.https import Server
from kube_twisted.util.starting import StartError
from kube_twisted.util.tls import Identity

_HTTPS_PORT = 443
_Fields = Mapping[str, Any]


@frozen
class Remote:
    """A webhook that is called with credentials.

    :ivar token: a bearer token, or nothing.
    """

    server: Server
    url: str
    token: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}


def read_kubeconfig(path: Path) -> Remote:
    """The cluster and user of the current context; of the first ones where there is no context.

    :raises StartError: when it, or a file that it names, can't be read, or it names no HTTPS server.
    """
    try:
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
        if not isinstance(config, dict):
            raise ValueError("must be a kubeconfig")
        return _remote(config, path.parent)
    except OSError as error:
        raise StartError(f"{error.filename or path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError, yaml.YAMLError) as error:
        raise StartError(f"{path}: can't be used as kubeconfig: {' '.join(str(error).split())}") from error


def _remote(config: _Fields, folder: Path) -> Remote:
    contexts = {one["name"]: one["context"] for one in config.get("contexts") or ()}
    context = contexts.get(config.get("current-context", ""), {})
    cluster = _named(config, "clusters", "cluster", context.get("cluster"))
    user = _named(config, "users", "user", context.get("user"))
    url = urlsplit(cluster["server"])
    if url.scheme != "https" or not url.hostname:
        raise ValueError("the server must be an https URL")
    chain, key = _bytes(user, "client-certificate", folder), _bytes(user, "client-key", folder)
    server = Server(cluster.get("tls-server-name") or url.hostname, url.port or _HTTPS_PORT,
                    _bytes(cluster, "certificate-authority", folder), Identity(chain, key) if chain and key else None,
                    verified=not cluster.get("insecure-skip-tls-verify", False))
    token = user.get("token") or ""
    if not token and user.get("tokenFile"):
        token = (folder / user["tokenFile"]).read_text().strip()
    return Remote(server, cluster["server"], token)


def _named(config: _Fields, key: str, inner: str, name: str | None) -> _Fields:
    entries = config.get(key) or []
    for one in entries:
        if one["name"] == name or name is None:
            found: _Fields = one[inner] or {}
            return found
    if name:
        raise ValueError(f"there is no {inner} {name!r}")
    return {}


def _bytes(fields: _Fields, key: str, folder: Path) -> bytes | None:
    """What a field holds, or the file that it names."""
    if fields.get(f"{key}-data"):
        return base64.b64decode(fields[f"{key}-data"])
    return (folder / fields[key]).read_bytes() if fields.get(key) else None
