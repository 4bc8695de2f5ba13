"""Custom resources in the server chain: their handler, and who is told when definitions come, change and go."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.apiextensions.conversion.choosing import Converters
from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.apiextensions.definition import Definition
from kube_twisted.apiextensions.handler import CustomResourceHandler
from kube_twisted.apiextensions.parts import ServingParts
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.discovery import DiscoveryDocuments
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.endpoints.request import Handler
from kube_twisted.storage.interfaces import IStore
from kube_twisted.webhooks.client import WebhookClient

if TYPE_CHECKING:
    from kube_twisted.apiextensions.serving import Serving
    from kube_twisted.endpoints.openapi.custom import CustomResource


def new_handler(options: RESTOptions, storage: IStore, webhooks: WebhookClient, metrics: ConversionMetrics,
                otherwise: Handler) -> CustomResourceHandler:
    """The handler of all custom resources.

    :param otherwise: answers what is no custom resource.
    """
    converters = Converters(webhooks, options.clock, metrics)
    parts = ServingParts(storage, options.schema, options.clock, options.admission, options.watches,
                         lambda definition: converters.converter(definition.crd))
    handler = CustomResourceHandler(parts, otherwise)
    _tell_stores(handler, options.stores)
    return handler


def _tell_stores(handler: CustomResourceHandler, stores: Stores) -> None:
    """Admission, quota and metrics find the objects."""
    def added(serving: Serving) -> None:
        stores.put(serving.definition.group_resource, serving.store)

    def removed(serving: Serving) -> None:
        stores.remove(serving.definition.group_resource)

    handler.on_start.append(added)
    handler.on_stop.append(removed)


def tell_documents(handler: CustomResourceHandler, discovery: DiscoveryDocuments, openapi: OpenAPIDocuments) -> None:
    """Discovery and OpenAPI show what is established."""
    def changed(definition: Definition) -> None:
        discovery.invalidate()
        for version in definition.versions.values():
            openapi.publish_custom(version.group_version, _published(handler, version.group_version))

    handler.on_change.append(changed)


def _published(handler: CustomResourceHandler, group_version: GroupVersion) -> list[CustomResource]:
    """What OpenAPI shows of a group-version."""
    from kube_twisted.endpoints.openapi.custom import from_definition

    shown = (one for one in handler.definitions if one.group == group_version.group and one.is_discovered)
    return [from_definition(one.crd, group_version.version) for one in shown
            if group_version in {version.group_version for version in one.served}]


class CustomKinds:
    """Finds the custom resources whose objects are of a kind."""

    def __init__(self, handler: CustomResourceHandler) -> None:
        self._handler = handler

    def __call__(self, kind: GroupVersionKind) -> Sequence[tuple[str, bool]]:
        """Resource names, and whether they are namespaced."""
        return [(one.plural, one.namespaced) for one in self._handler.definitions
                if one.group == kind.group and one.kind == kind.kind and one.is_discovered
                and any(version.name == kind.version for version in one.served)]
