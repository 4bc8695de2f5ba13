"""Discovery: which groups, versions, resources and paths there are, and which version this is."""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.endpoints.discovery.documents import DiscoveryDocuments
from kube_twisted.endpoints.discovery.order import Priority, no_priority
from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.endpoints.request import Handler
from kube_twisted.endpoints.routes import Routes

__all__ = ["DiscoveryDocuments", "install_discovery"]


def install_discovery(
    tree: Routes, groups: Callable[[], list[APIGroup]], otherwise: Handler, *,
    server_address: Callable[[], str], priority: Priority = no_priority,
    listed: Callable[[], list[APIGroup]] | None = None,
) -> DiscoveryDocuments:
    """Serve discovery at ``/api``, ``/apis`` and below, from what is installed.

    :param groups: the groups of this server and of all behind it.
    :param otherwise: answers for groups and versions that are not installed: the next server of the chain.
    :param server_address: host and port that ``/api`` tells clients to connect to.
    :param priority: of the group-versions; custom ones have :func:`no_priority`.
    :param listed: the groups that the plain documents list, in order; all, by default.
    :returns: to be told when something is installed or removed.
    """
    documents = DiscoveryDocuments(groups, server_address, otherwise, priority, listed)
    documents.install(tree)
    return documents
