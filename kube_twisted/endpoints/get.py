"""GET of one object."""

from __future__ import annotations

from kube_twisted.api import errors
from kube_twisted.endpoints.options import include_object
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.registry.listing import parse_revision, wait_for_revision
from kube_twisted.storage.cached import CachedObject


async def get(scope: RequestScope, request: Request) -> Response:
    """Answer with the object; ``resourceVersion`` asks for one at least that new."""
    chosen = scope.negotiate(request)
    item = await read(scope, request)
    return Encoder(scope, chosen, include_object(request, chosen)).object_response(item)


async def read(scope: RequestScope, request: Request) -> CachedObject:
    """The object that the path names.

    :raises StatusError: 404; 504 for a revision in the future; 500 for one that is no number, as the original.
    """
    store, info = scope.store, request.info
    version = request.parameter("resourceVersion")
    if version:
        try:
            revision = parse_revision(version)
        except ValueError as error:
            raise errors.plain_internal(str(error)) from None
        if revision:
            await wait_for_revision(store.cache, store.clock, revision)
    else:
        await store.cache.read_revision()
    item = store.lookup(info.namespace if scope.namespaced else "", info.name)
    return (await store.shown((item,)))[0] if store.converts else item
