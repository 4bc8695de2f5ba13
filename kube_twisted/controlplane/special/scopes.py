"""Scopes of endpoints whose objects are not stored."""

from __future__ import annotations

from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.endpoints.scope import EndpointScope
from kube_twisted.registry.strategy import Strategy
from kube_twisted.schema.apply.fieldmanager import FieldManager

_PLAIN = Strategy()


def posted_scope(options: RESTOptions, resource: GroupVersionResource, kind: GroupVersionKind, *,
                 namespaced: bool = False, subresource: str = "",
                 strategy: Strategy = _PLAIN) -> EndpointScope:
    """The scope of what takes objects of ``kind`` and stores none.

    :param strategy: brings the kind's defaults.
    """
    struct = options.schema.kind(kind)
    manager = FieldManager(struct, kind.api_version, subresource, kind=kind.kind, plans=options.plans)
    return EndpointScope(
        resource=resource, kind=kind, namespaced=namespaced, subresource=subresource, strategy=strategy,
        schema=options.schema, struct=struct, admission=options.admission,
        clock=options.clock, field_manager=manager)
