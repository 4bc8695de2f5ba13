"""The 403 of a request that no authorizer allowed, worded as kube-apiserver words it."""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.api.errors import StatusError
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupResource
from kube_twisted.authorization.interfaces import Attributes

#: What is replaced so that no browser takes an error for HTML.
_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def forbidden(attributes: Attributes, reason: str = "") -> StatusError:
    """403 for what ``attributes`` wanted; ``reason`` is the authorizers'."""
    message = describe(attributes).translate(_HTML)
    resource = GroupResource(attributes.group, attributes.resource)
    return errors.forbidden(resource, attributes.name, f"{message}: {reason}" if reason else message)


def describe(attributes: Attributes) -> str:
    """``User "jane" cannot list resource "pods" in API group "" in the namespace "default"``."""
    denied = f"User {go_quote(attributes.user.name)} cannot {attributes.verb}"
    if not attributes.resource_request:
        return f"{denied} path {go_quote(attributes.path)}"
    resource = attributes.resource
    if attributes.subresource:
        resource = f"{resource}/{attributes.subresource}"
    text = f"{denied} resource {go_quote(resource)} in API group {go_quote(attributes.group)}"
    if attributes.namespace:
        return f"{text} in the namespace {go_quote(attributes.namespace)}"
    return f"{text} at the cluster scope"
