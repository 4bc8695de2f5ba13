"""The three servers, one behind the other.

    aggregator -> kube -> apiextensions -> not found
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from kube_twisted.aggregator.server import APIAggregator
from kube_twisted.apiextensions.handler import CustomResourceHandler
from kube_twisted.controlplane.aggregation import new_aggregator
from kube_twisted.controlplane.completed import CompletedConfig
from kube_twisted.controlplane.custom_resources import CustomKinds, new_handler
from kube_twisted.controlplane.groups import install_apis
from kube_twisted.controlplane.providers import APIEXTENSIONS, APIREGISTRATION, builtin_providers, provider
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.server.generic import GenericAPIServer, NotFound


@frozen
class ServerChain:
    """The three servers.

    :ivar front: the first one.
    :ivar custom_resources: what the last one answers besides its own group.
    """

    front: APIAggregator
    custom_resources: CustomResourceHandler


def create_server_chain(completed: CompletedConfig, url: Callable[[], str]) -> ServerChain:
    """The servers, from the last to the first.

    :param url: where the first one can be reached; known once it listens.
    """
    enabled, options = APIResourceConfig(completed.config.runtime_config), completed.rest_options
    end = NotFound()
    extensions = GenericAPIServer("apiextensions", end)
    install_apis(extensions, [provider(APIEXTENSIONS, "apiextensions")], enabled, options)
    custom = new_handler(options, completed.backend.store, completed.webhooks, completed.conversions, end.handle)
    extensions.tree.mount("/apis", custom.handle)
    extensions.changing_groups = custom.groups
    completed.admission.kinds.custom = CustomKinds(custom)
    completed.admission.equivalents.follow(custom)
    completed.admission.types.custom = custom
    kube = GenericAPIServer("kube", extensions)
    install_apis(kube, builtin_providers(), enabled, options)
    aggregator = new_aggregator(completed, kube, url)
    install_apis(aggregator, [provider(APIREGISTRATION, "apiregistration")], enabled, options)
    end.front = aggregator
    return ServerChain(aggregator, custom)
