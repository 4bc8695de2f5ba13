"""OpenAPI v2 and v3: what the server's paths take and answer, for clients that ask the server itself."""

from kube_twisted.endpoints.openapi.custom import CustomResource, from_definition
from kube_twisted.endpoints.openapi.documents import Document, OpenAPIDocuments
from kube_twisted.endpoints.openapi.serving import install_openapi

__all__ = ["CustomResource", "Document", "OpenAPIDocuments", "from_definition", "install_openapi"]
