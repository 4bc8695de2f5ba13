"""The paths that the server in front has besides those of the API groups: health, metrics, discovery, debugging."""

from __future__ import annotations

from collections.abc import Callable

from kube_twisted.aggregator.server import APIAggregator
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.config.shown import shown_settings
from kube_twisted.controlplane.completed import CompletedConfig
from kube_twisted.controlplane.resources import Resources
from kube_twisted.endpoints.discovery import DiscoveryDocuments, install_discovery
from kube_twisted.endpoints.discovery.index import install_index
from kube_twisted.endpoints.discovery.version import install_version
from kube_twisted.endpoints.openapi import install_openapi
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.endpoints.openid_metadata import install_openid_metadata
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.server.debugging import install_debugging
from kube_twisted.server.health import HealthCheck, HealthResults, health_paths, install_health
from kube_twisted.server.metrics import CONTENT_TYPE, Metrics, exposition
from kube_twisted.server.zpages import install_flagz, install_statusz


def install_paths(front: APIAggregator, completed: CompletedConfig, metrics: Metrics,
                  checks: Callable[[], list[HealthCheck]],
                  url: Callable[[], str]) -> tuple[DiscoveryDocuments, OpenAPIDocuments]:
    """Install them on the first server of the chain.

    :param url: where the server can be reached; known once it listens.
    :returns: the documents, to be told what comes and goes.
    """
    tree = front.tree
    results = HealthResults()
    install_health(tree, checks, results)
    tree.route("/metrics", _rendered(metrics.render))
    tree.route("/metrics/slis", _rendered(lambda: exposition(results.families())))
    install_debugging(tree)
    install_flagz(tree, shown_settings(completed.config))
    install_statusz(tree, completed.clock, completed.resources.version, front.all_paths)
    issuer = completed.service_accounts.issuer
    install_openid_metadata(tree, issuer.issuer, issuer.signer.key_set(), url)
    documents = install_discovery(tree, front.all_groups, front.delegate.handle,
                                  priority=_priorities(completed.resources, front),
                                  server_address=lambda: url().removeprefix("https://"),
                                  listed=front.services.groups if front.is_enabled else None)
    install_index(tree, lambda: [*front.all_paths(), *documents.paths(), *health_paths(checks()), *_PREFIXES])
    install_version(tree, completed.resources.version)
    return documents, install_openapi(tree, front.installed_groups, completed.schema, paths=front.all_paths)


def _rendered(render: Callable[[], bytes]) -> Handler:
    async def rendered(_request: Request) -> Response:
        return Response(200, render(), CONTENT_TYPE)

    return rendered


#: What is on the index page only: the original serves what is below these paths, besides the paths themselves.
_PREFIXES = ("/apis/", "/openapi/v3/")
#: Of groups that are in no table: those of custom resources.
_CUSTOM = (1000, 100)


def _priorities(resources: Resources, front: APIAggregator) -> Callable[[GroupVersion], tuple[int, int]]:
    known = {facts.group_version: facts.priority for versions in resources.groups.values() for facts in versions}
    return lambda group_version: front.priority(group_version) or known.get(group_version, _CUSTOM)
