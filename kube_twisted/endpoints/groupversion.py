"""One API group-version at work: from a parsed path to the endpoint of a resource and its verb.

It is mounted as one branch of its layer's tree and splits the rest of the path itself: raw bytes stay raw, ``//``
is not redirected, and an unknown path is a Status, not a page.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.request import Answer, Handler, Request
from kube_twisted.endpoints.request_info import RequestInfo, is_watch

#: HTTP methods of a single object, and of a collection, with the verb that a resource must offer.
_OBJECT_METHODS = {"GET": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete", "POST": "create"}
_OBJECT_VERBS = ("get", "update", "patch", "delete")
#: In a path that has the place of a namespace, and none there.
_NO_NAMESPACE = "/namespaces//"
_COLLECTION_METHODS = {"GET": "list", "POST": "create", "DELETE": "deletecollection"}


@define
class APIResource:
    """A resource, or subresource, as discovery lists it, with what answers its verbs.

    :ivar name: ``pods`` or ``pods/log``.
    :ivar group: and ``version``: of the kind, where they differ from the group-version's own.
    :ivar handlers: by verb; ``connect`` stands for any method of the path.
    :ivar verbs: as discovery lists them.
    """

    name: str
    kind: str
    namespaced: bool
    verbs: tuple[str, ...]
    handlers: Mapping[str, Handler]
    singular: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    group: str = ""
    version: str = ""
    storage_version_hash: str = ""


class APIGroupVersion:
    """All resources of one group-version.

    :param resources: by name.
    :param in_order: whether discovery lists them as they came, rather than by name.
    """

    def __init__(self, group_version: GroupVersion, resources: Mapping[str, APIResource] | None = None, *,
                 in_order: bool = False) -> None:
        self.group_version = group_version
        self.resources: dict[str, APIResource] = dict(resources or {})
        self._in_order = in_order

    @property
    def listed(self) -> list[APIResource]:
        """The resources as discovery lists them."""
        if self._in_order:
            return list(self.resources.values())
        return [one for _, one in sorted(self.resources.items())]

    def handle(self, request: Request) -> Answer:
        """Answer a request below the group-version's prefix.

        :raises StatusError: 404 for what is not there, 405 for a method that it doesn't have.
        """
        return self.find(request)(request)

    def find(self, request: Request) -> Handler:
        """:raises StatusError: like :meth:`handle`."""
        handler = self._find(request)
        request.found = True
        return handler

    def _find(self, request: Request) -> Handler:
        info = request.info
        resource = self.resources.get(f"{info.resource}/{info.subresource}" if info.subresource else info.resource)
        if resource is None or info.verb == "proxy" or not self._fits(resource, info):
            raise errors.resource_not_found()
        if info.watch_path:
            return self._watch(resource, request)
        on_object = bool(info.name)
        lacks_namespace = resource.namespaced and not info.namespace
        if lacks_namespace and _NO_NAMESPACE not in request.path:
            if on_object:
                raise errors.resource_not_found()
            return self._all_namespaces(resource, request)
        methods = _OBJECT_METHODS if on_object else _COLLECTION_METHODS
        verb = methods.get(request.method, "")
        connect = resource.handlers.get("connect")
        if connect is not None:
            return connect
        if on_object and not info.subresource:
            if not any(one in resource.handlers for one in _OBJECT_VERBS):
                raise errors.resource_not_found()  # reviews have no names
            if verb == "create":
                verb = ""
        if verb == "list" and request.query_text and is_watch(request.query):
            verb = "watch"
            info.verb = "watch"
        handler = resource.handlers.get(verb)
        if handler is None:
            raise errors.method_not_allowed()
        if lacks_namespace and (on_object or verb == "deletecollection"):
            raise errors.bad_request("Namespace parameter required.")
        return handler

    @staticmethod
    def _fits(resource: APIResource, info: RequestInfo) -> bool:
        """Whether the path has the shape of this resource's paths."""
        if len(info.parts) > 3 and "connect" not in resource.handlers:
            return False
        if resource.namespaced:
            return True
        # the namespace resource itself is found under its own name
        return not info.namespace or info.parts[0] == "namespaces"

    @staticmethod
    def _all_namespaces(resource: APIResource, request: Request) -> Handler:
        if request.method == "POST" and "create" in resource.verbs and "list" not in resource.verbs:
            raise errors.resource_not_found()
        if request.method != "GET" or "list" not in resource.handlers:
            raise errors.method_not_allowed()
        if request.query_text and is_watch(request.query):
            request.info.verb = "watch"
            return resource.handlers["watch"]
        return resource.handlers["list"]

    @staticmethod
    def _watch(resource: APIResource, request: Request) -> Handler:
        handler = resource.handlers.get("watch")
        if handler is None:
            raise errors.resource_not_found()
        if request.method != "GET":
            raise errors.method_not_allowed()
        return handler


@define
class APIGroup:
    """A group with its versions, the preferred one first, as discovery shows it."""

    name: str
    versions: list[APIGroupVersion] = field(factory=list)
