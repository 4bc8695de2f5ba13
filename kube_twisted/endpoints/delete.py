"""DELETE of one object, and of a collection."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from kube_twisted.api import errors
from kube_twisted.api.options import validate_delete_options, validate_list_options
from kube_twisted.endpoints.delete_options import decode_options
from kube_twisted.endpoints.options import delete_options, include_object, list_options, refuse_invalid
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Request, Response
from kube_twisted.endpoints.scope import RequestScope
from kube_twisted.endpoints.selecting import selection_for
from kube_twisted.endpoints.writing import Writing, body_media_type
from kube_twisted.registry.listing import list_objects
from kube_twisted.registry.strategy import Obj
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.selection import Selection

#: In which version the audit log shows the options of a body, as in the original.
_DECODED_VERSION = "meta.k8s.io/__internal"


async def delete(scope: RequestScope, request: Request) -> Response:
    """Delete the object that the path names, or start its deletion."""
    chosen = scope.negotiate(request)
    options = _options(scope, request)
    writing = Writing(scope, request, options)
    await scope.store.cache.read_revision()
    item, gone = await _delete_one(scope, writing, request.info.name)
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    code = 202 if not gone and options.get("orphanDependents") is False else 200
    if gone and not scope.strategy.returns_deleted_object:
        return encoder.data_response(_success(scope, item), code)
    return encoder.object_response(item, code)


async def _delete_one(scope: RequestScope, writing: Writing, name: str) -> tuple[CachedObject, bool]:
    admission = scope.admission

    async def validate(obj: Obj) -> None:
        attributes = writing.attributes("DELETE", None, obj)
        await admission.admit(attributes)
        await admission.validate(attributes)

    return await scope.store.delete(writing.write, name, validate)


def _options(scope: RequestScope, request: Request) -> dict[str, Any]:
    """DeleteOptions from the body, else from the query.

    :raises StatusError: 400, 415, 422.
    """
    raw = request.transport.read_body()
    if raw:
        options = decode_options(raw, body_media_type(request, protobuf=True), scope.schema)
        if request.recording is not None:
            request.recording.request_object({"kind": "DeleteOptions", "apiVersion": _DECODED_VERSION, **options})
    else:
        options = delete_options(request)
    refuse_invalid("DeleteOptions", validate_delete_options(options))
    return options


def _success(scope: RequestScope, item: CachedObject) -> dict[str, Any]:
    details: dict[str, Any] = {"name": item.name}
    if scope.resource.group:
        details["group"] = scope.resource.group
    details["kind"] = scope.resource.resource
    details["uid"] = item.parse()["metadata"]["uid"]
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}


async def delete_collection(scope: RequestScope, request: Request) -> Response:
    """Delete what the selectors choose; answers with the list of it, as it was before."""
    chosen = scope.negotiate(request)
    listing = list_options(request)
    refuse_invalid("ListOptions", validate_list_options(listing, is_watch=False))
    selection = selection_for(scope, request, listing)
    options = _options(scope, request)
    if _is_read_in_parts(scope, selection, listing):
        listing["resourceVersionMatch"] = "Exact"
    result = await list_objects(scope.store.cache, scope.clock, selection, listing)
    for item in result.items:
        try:
            await _delete_one(scope, Writing(scope, request, dict(options)), item.name)
        except errors.StatusError as error:
            if error.code != 404:  # somebody else was faster
                raise
    if scope.store.converts:
        result = evolve(result, items=await scope.store.shown(result.items))
    return Encoder(scope, chosen, include_object(request, chosen)).list_response(result)


def _is_read_in_parts(scope: RequestScope, selection: Selection, listing: dict[str, Any]) -> bool:
    """Whether a revision means the state at just that revision.

    The original reads what it deletes in parts, unless told not to by a negative limit, and a list in parts is one of a
    snapshot.
    """
    version = listing.get("resourceVersion", "").lstrip("0")
    return bool(version) and listing.get("limit", 0) >= 0 and not (
        listing.get("resourceVersionMatch") or listing.get("continue") or scope.store.cache.names_one(selection))
