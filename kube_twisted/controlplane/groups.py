"""Installs the built-in groups on the three servers of the chain."""

from __future__ import annotations

from collections.abc import Iterable

from kube_twisted.controlplane.rest import IRESTStorageProvider, RESTOptions
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.server.generic import GenericAPIServer


def install_apis(server: GenericAPIServer, providers: Iterable[IRESTStorageProvider], config: APIResourceConfig,
                 options: RESTOptions) -> None:
    """Ask each provider for its group: the core group goes below ``/api``, the rest together below ``/apis``."""
    infos = []
    for provider in providers:
        info = provider.new_rest_storage(config, options)
        if info is None:
            continue
        if info.group == "":
            server.install_legacy_api_group("/api", info)
        else:
            infos.append(info)
    server.install_api_groups(infos)
