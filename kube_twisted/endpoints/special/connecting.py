"""Subresources that pass a connection on, such as ``pods/exec``: methods, options, admission."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.endpoints.options import Reader, read_options
from kube_twisted.endpoints.request import Request, Response

#: Where streams are upgraded: GET is for browsers, whose WebSockets know no other.
UPGRADE_METHODS = ("GET", "POST")
PROXY_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_LONGEST_PATH = 3
#: Makes an option's value of all the texts that it is given with.
ListReader = Callable[[list[str]], list[Any]]


@frozen
class Connection:
    """A connection that a client wants.

    :ivar options: as the query has them.
    """

    request: Request
    options: Mapping[str, Any]

    @property
    def namespace(self) -> str:
        return self.request.info.namespace

    @property
    def name(self) -> str:
        return self.request.info.name


@frozen
class ConnectEndpoint:
    """Answers all methods of one subresource.

    :ivar kind: of the options.
    :ivar methods: those that are allowed.
    :ivar act: connects, or says why not.
    :ivar readers: of the options.
    :ivar lists: readers of options that may be given several times.
    :ivar with_path: whether a path may follow the subresource; it becomes the option ``path``.
    """

    resource: GroupVersionResource
    subresource: str
    kind: GroupVersionKind
    methods: Collection[str]
    admission: AdmissionChain
    act: Callable[[Connection], Awaitable[Response]]
    readers: Mapping[str, Reader] = {}
    lists: Mapping[str, ListReader] = {}
    with_path: bool = False

    async def handle(self, request: Request) -> Response:
        """:raises StatusError: 404, 405, and whatever admission or ``act`` object to."""
        parts = request.info.parts
        if len(parts) > _LONGEST_PATH and not self.with_path:
            raise errors.resource_not_found()
        if request.method not in self.methods:
            raise errors.method_not_allowed()
        if request.query_text and "dryRun" in request.query:
            raise errors.bad_request("dryRun is not supported")
        options = read_options(request, self.readers)
        for name, read in self.lists.items():
            if name in request.query:
                options[name] = read(request.query[name])
        if self.with_path:
            options["path"] = "/" + "/".join(parts[_LONGEST_PATH:])
        return await self.act(Connection(request, await self._admitted(request, options)))

    async def _admitted(self, request: Request, options: dict[str, Any]) -> dict[str, Any]:
        """The options after admission."""
        info = request.info
        obj = {"kind": self.kind.kind, "apiVersion": self.kind.api_version, **options}
        attributes = Attributes("CONNECT", self.kind, self.resource, self.subresource, info.namespace,
                                info.name, obj, None, request.user, {}, False, request.add_warning,
                                annotate=request.annotate, deadline=request.deadline)
        await self.admission.admit(attributes)
        await self.admission.validate(attributes)
        return {name: value for name, value in obj.items() if name not in ("kind", "apiVersion")}
