"""PUT of one object."""

from __future__ import annotations

from copy import deepcopy

from kube_twisted.api import errors
from kube_twisted.api.options import validate_update_options
from kube_twisted.endpoints.options import include_object, refuse_invalid, write_options
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.writing import Writing, body_media_type
from kube_twisted.registry.objectmeta import ensure_namespace
from kube_twisted.registry.strategy import Obj


async def update(scope: RequestScope, request: Request) -> Response:
    """Replace the object that the path names; kinds that allow it are created (201) when missing."""
    chosen = scope.negotiate(request)
    raw = request.transport.read_body()
    options = write_options(request)
    if options:
        refuse_invalid("UpdateOptions", validate_update_options(options))
    media_type = body_media_type(request, protobuf=scope.has_message)
    writing = Writing(scope, request, options)
    sent = writing.decode(raw, media_type)
    writing.write.uid = sent["metadata"].get("uid", "")
    check_name(request, sent["metadata"])
    ensure_namespace(sent["metadata"], writing.namespace)

    async def replacement(old: Obj | None) -> Obj:
        obj = deepcopy(sent)  # there may be another attempt
        if old is None:
            return await writing.new_object(obj)
        writing.drop_repeated_owners(obj)
        await writing.own(scope.writable(old), obj)
        return await writing.changed_object(old, obj)

    item, created = await scope.store.update(
        writing.write, request.info.name, replacement, writing.validate_create_on_update, writing.validate_update,
        strategy=scope.strategy)
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    return encoder.object_response(item, 201 if created else 200)


def check_name(request: Request, meta: Obj) -> None:
    """The name of the body must be that of the path.

    :raises StatusError: 400.
    """
    name, wanted = meta.get("name", ""), request.info.name
    if not name:
        raise errors.bad_request(f"the name of the object ({wanted} based on URL) was undeterminable: "
                                 "name must be provided")
    if name != wanted:
        raise errors.bad_request(f"the name of the object ({name}) does not match the name on the URL ({wanted})")
