"""POST of an object that is acted upon, not stored: a binding, an eviction, a review."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from copy import deepcopy
from functools import partial

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.api.options import validate_create_options
from kube_twisted.endpoints.options import include_object, refuse_invalid, write_options
from kube_twisted.endpoints.representation import Encoder
from kube_twisted.endpoints.request import Handler, Request, Response
from kube_twisted.endpoints.scope import EndpointScope
from kube_twisted.endpoints.writing import Writing, body_media_type
from kube_twisted.registry.objectmeta import ensure_namespace
from kube_twisted.registry.strategy import Obj

_CREATED = 201
#: What of metadata only the system sets; a client's values are dropped.
_SYSTEM_FIELDS = ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "uid")


@frozen
class Posted:
    """What a client sent: decoded, with defaults and owners, admitted by mutating plugins.

    :ivar name: of the URL; at a collection, the object's.
    """

    writing: Writing
    obj: Obj
    name: str

    @property
    def request(self) -> Request:
        return self.writing.request

    @property
    def namespace(self) -> str:
        return self.writing.namespace

    @property
    def dry_run(self) -> bool:
        return self.writing.dry_run

    async def validate(self) -> None:
        """Ask validating admission; it must not change the object."""
        await self.writing.validate_create(deepcopy(self.obj))


#: Acts upon what was posted; its answer is an object, or a Status.
Act = Callable[[Posted], Awaitable[Obj]]


def post_handler(scope: EndpointScope, act: Act, *, accepts: Collection[GroupVersion] = (),
                 keep_system_fields: bool = False) -> Handler:
    """What answers ``create`` at the endpoint.

    :param accepts: further versions of which the body may be.
    :param keep_system_fields: whether ``act`` wants the uid of the body, as a precondition.
    """
    return partial(_post, scope, act, accepts, keep_system_fields)


async def _post(scope: EndpointScope, act: Act, accepts: Collection[GroupVersion], keep_system_fields: bool,
                request: Request) -> Response:
    chosen = scope.negotiate(request, tables=False)
    media_type = body_media_type(request, protobuf=scope.has_message)
    options = write_options(request)
    raw = request.transport.read_body()
    if options:
        refuse_invalid("CreateOptions", validate_create_options(options))
    writing = Writing(scope, request, options)
    obj = writing.decode(raw, media_type, accepts)
    meta = obj["metadata"]
    if not keep_system_fields:
        for key in _SYSTEM_FIELDS:
            meta.pop(key, None)
    ensure_namespace(meta, writing.namespace)
    await writing.own(None, obj)
    await writing.admit(writing.attributes("CREATE", obj, None))
    answer = await act(Posted(writing, obj, request.info.name or meta.get("name", "")))
    encoder = Encoder(scope, chosen, include_object(request, chosen))
    if answer["kind"] == "Status":
        return encoder.data_response(answer, _CREATED)
    return encoder.answer(answer, _CREATED)


def success() -> Obj:
    """The Status of something done."""
    return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": _CREATED}
