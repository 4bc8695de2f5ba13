"""OpenAPI of custom resources: the operations that all of them have, and their schemas."""

from kube_twisted.endpoints.openapi.custom.rendering import CustomVersion, render_custom
from kube_twisted.endpoints.openapi.custom.resource import CustomResource, from_definition

__all__ = ["CustomResource", "CustomVersion", "from_definition", "render_custom"]
