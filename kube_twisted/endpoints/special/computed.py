"""Objects that are computed when they are asked for: get and list."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from kube_twisted.api import fields, labels
from kube_twisted.api.options import validate_list_options
from kube_twisted.endpoints.options import include_object, list_options, refuse_invalid
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.scope import EndpointScope
from kube_twisted.registry.strategy import Obj

#: Computes the object of a name.
Get = Callable[[str], Awaitable[Obj]]
#: Computes all objects.
List = Callable[[], Awaitable[list[Obj]]]


def computed_handlers(scope: EndpointScope, get: Get, list_: List) -> Mapping[str, Handler]:
    """What answers ``get`` and ``list``; objects have no revision."""
    return {"get": partial(_get, scope, get), "list": partial(_list, scope, list_)}


async def _get(scope: EndpointScope, get: Get, request: Request) -> Response:
    chosen = scope.negotiate(request)
    return Encoder(scope, chosen, include_object(request, chosen)).answer(await get(request.info.name))


async def _list(scope: EndpointScope, list_: List, request: Request) -> Response:
    chosen = scope.negotiate(request, watchable=True)
    options = list_options(request)
    refuse_invalid("ListOptions", validate_list_options(options, is_watch=False))
    by_label = options.get("labelSelector") or labels.parse("")
    by_field = options.get("fieldSelector") or fields.parse("")
    fields.check_labels(by_field, None, scope.namespaced)
    objects = [one for one in await list_() if by_label.matches(one["metadata"].get("labels") or {})
               and by_field.matches({"metadata.name": one["metadata"]["name"]})]
    return Encoder(scope, chosen, include_object(request, chosen)).answer_list(objects)
