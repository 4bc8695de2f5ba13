"""OpenAPI v2 and v3: what the server's paths take and answer, for clients that ask the server itself."""

from kube_twisted.endpoints.openapi.document import Document
from kube_twisted.endpoints.openapi.documents import OpenAPIDocuments
from kube_twisted.endpoints.openapi.serving import install_openapi

__all__ = ["Document", "OpenAPIDocuments", "install_openapi"]
