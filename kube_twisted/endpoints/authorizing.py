"""What a request wants, as authorizers are asked about it; and further permissions that a request may need."""

from __future__ import annotations

from attrs import evolve

from kube_twisted.api import fields
from kube_twisted.api.errors import StatusError
from kube_twisted.api.names import path_segment
from kube_twisted.authorization.forbidden import forbidden
from kube_twisted.authorization.interfaces import Attributes
from kube_twisted.endpoints.request import Request

_WITH_SELECTORS = ("list", "watch", "deletecollection")


def attributes_of(request: Request) -> Attributes:
    """The request as authorizers see it."""
    info = request.info
    attributes = Attributes(
        user=request.user, verb=info.verb, group=info.group, version=info.version, resource=info.resource,
        subresource=info.subresource, namespace=info.namespace, name=info.name, path=info.path,
        resource_request=info.is_resource)
    if request.query_text and info.verb in _WITH_SELECTORS and info.is_resource and not info.watch_path:
        return _with_selectors(attributes, request)
    return attributes


def _with_selectors(attributes: Attributes, request: Request) -> Attributes:
    """The selectors count too (KEP-4601); one that asks for a single name makes a list as good as a get."""
    by_field, by_label = request.parameter("fieldSelector"), request.parameter("labelSelector")
    if not by_field and not by_label:
        return attributes
    name = attributes.name
    if by_field and attributes.verb != "deletecollection":
        name = _single_name(by_field)
    return evolve(attributes, name=name, field_selector=by_field, label_selector=by_label)


def _single_name(selector: str) -> str:
    """The only name that a field selector lets through; empty when there may be several."""
    try:
        name = fields.parse(selector).requires_exact("metadata.name")
    except StatusError:
        return ""
    return "" if name is None or path_segment(name) else name


async def require_verb(request: Request, verb: str) -> None:
    """:raises StatusError: 403 when the request's user may not do ``verb`` to what the request is about."""
    if request.authorizer is None:
        return
    attributes = evolve(attributes_of(request), verb=verb)
    decision = await request.authorizer.authorize(attributes)
    if not decision.allowed:
        raise forbidden(attributes, decision.reason)
