"""GET of a collection."""

from __future__ import annotations

from attrs import evolve

from kube_twisted.api.options import validate_list_options
from kube_twisted.endpoints.options import include_object, list_options, refuse_invalid
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.selecting import selection_for
from kube_twisted.registry.listing import list_objects


async def list_(scope: RequestScope, request: Request) -> Response:
    """Answer with the objects that the selectors choose."""
    chosen = scope.negotiate(request, watchable=True)
    options = list_options(request)
    if options:
        refuse_invalid("ListOptions", validate_list_options(options, is_watch=False))
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    selection = selection_for(scope, request, options)
    result = await list_objects(scope.store.cache, scope.clock, selection, options)
    if scope.store.converts:
        result = evolve(result, items=await scope.store.shown(result.items))
    return encoder.list_response(result)
