"""POST to a collection."""

from __future__ import annotations

from kube_twisted.api.options import validate_create_options
from kube_twisted.endpoints.options import include_object, refuse_invalid, write_options
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.writing import Writing, body_media_type
from kube_twisted.registry.objectmeta import ensure_namespace


async def create(scope: RequestScope, request: Request) -> Response:
    """Create the object of the body; answers 201 with it."""
    chosen = scope.negotiate(request)
    media_type = body_media_type(request, protobuf=scope.has_message)
    options = write_options(request)
    raw = request.transport.read_body()
    if options:
        refuse_invalid("CreateOptions", validate_create_options(options))
    writing = Writing(scope, request, options)
    obj = writing.decode(raw, media_type)
    ensure_namespace(obj["metadata"], writing.namespace)
    obj = await writing.new_object(obj)
    item = await scope.store.create(writing.write, obj, writing.validate_create, scope.strategy)
    return Encoder(scope, chosen, include_object(request, chosen)).object_response(item, 201)
