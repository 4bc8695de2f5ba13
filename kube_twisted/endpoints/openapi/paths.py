"""Which operations there are: those of every installed resource, and those of discovery."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import evolve, frozen

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.endpoints.groupversion import APIGroupVersion, APIResource
from kube_twisted.endpoints.negotiation import JSON
from kube_twisted.endpoints.openapi.operations import (
    ANYTHING,
    NOTHING,
    OBJECTS,
    PATCHES,
    STREAMS,
    TEXT,
    Body,
    Operation,
    Parameter,
    in_path,
    is_options,
    noun,
    options,
)

_META = "io.k8s.apimachinery.pkg.apis.meta.v1."
_STATUS = _META + "Status"
_WATCH_NOTE = ". deprecated: use the 'watch' parameter with a list operation instead"
#: HTTP methods of connect resources by discovery verb, in the order in which they are described.
_CONNECT = {"get": "GET", "create": "POST", "update": "PUT", "patch": "PATCH", "delete": "DELETE"}
#: Resources whose deletion answers with the object, not with a Status.
_RETURN_OBJECT = frozenset((
    "persistentvolumeclaims", "persistentvolumes", "pods", "podtemplates", "resourcequotas",
    "serviceaccounts", "services",
    "csidrivers", "csinodes", "storageclasses", "volumeattachments", "volumeattributesclasses",
    "deviceclasses", "devicetaintrules", "resourceclaims", "resourceclaimtemplates", "resourceslices",
    "resourcepoolstatusrequests"))

#: The name of a kind's definition, or None.
DefinitionName = Callable[[GroupVersionKind], str | None]


def group_version_operations(version: APIGroupVersion, name: DefinitionName) -> Iterator[Operation]:
    """All operations of a group-version; a resource whose kind has no definition is left out."""
    group_version = version.group_version
    prefix = f"/apis/{group_version}" if group_version.group else f"/api/{group_version}"
    yield Operation("get", prefix + "/", "getAPIResources", "get available resources",
                    {200: _META + "APIResourceList"})
    for resource in (version.resources[one] for one in sorted(version.resources)):
        main = version.resources.get(resource.name.partition("/")[0], resource)
        own = GroupVersionKind(resource.group or group_version.group,
                               resource.version or group_version.version, resource.kind)
        definition = TEXT if is_options(resource.kind) else name(own)
        if definition is not None:
            listed = name(GroupVersionKind(own.group, own.version, own.kind + "List")) or definition
            yield from _Paths(prefix, resource, main.kind, own, definition, listed).operations()


def api_root() -> list[Operation]:
    """The operation of ``/api/``."""
    return [Operation("get", "/api/", "getAPIVersions", "get available API versions",
                      {200: _META + "APIVersions"})]


def apis_root() -> list[Operation]:
    """The operation of ``/apis/``."""
    return [Operation("get", "/apis/", "getAPIVersions", "get available API versions",
                      {200: _META + "APIGroupList"})]


def group_root(group: str) -> list[Operation]:
    """The operation of ``/apis/<group>/``."""
    return [Operation("get", f"/apis/{group}/", "getAPIGroup", "get information of a group",
                      {200: _META + "APIGroup"})]


#: Paths that are no API: the document's name -> its operation.
OTHERS = {
    "version": Operation(
        "get", "/version/", "getCodeVersion", "get the version information for this server",
        {200: "io.k8s.apimachinery.pkg.version.Info"}, produces=(JSON,)),
    ".well-known/openid-configuration": Operation(
        "get", "/.well-known/openid-configuration/", "getServiceAccountIssuerOpenIDConfiguration",
        "get service account issuer OpenID configuration, also known as the 'OIDC discovery doc'",
        {200: TEXT}, produces=(JSON,), reads=NOTHING),
    "openid/v1/jwks": Operation(
        "get", "/openid/v1/jwks/", "getServiceAccountIssuerOpenIDKeyset",
        "get service account issuer OpenID JSON Web Key Set (contains public token verification keys)",
        {200: TEXT}, produces=("application/jwk-set+json",), reads=NOTHING),
}


@frozen
class _Paths:
    """The operations of one resource or subresource.

    :ivar kind: that the operations' names speak of: a subresource's are named after its resource.
    :ivar own: the kind of the objects.
    :ivar definition: the name of that kind's schema.
    :ivar listed: the name of the schema of lists.
    """

    prefix: str
    resource: APIResource
    kind: str
    own: GroupVersionKind
    definition: str
    listed: str

    def operations(self) -> Iterator[Operation]:
        if is_options(self.resource.kind):
            yield from self._connect()
            return
        verbs = self.resource.verbs
        if "list" in verbs:
            yield from self._lists()
        if "create" in verbs:
            yield self._create()
        if "deletecollection" in verbs:
            yield self._delete_collection()
        for verb, make in (("get", self._get), ("update", self._replace), ("patch", self._patch),
                           ("delete", self._delete)):
            if verb in verbs:
                yield make()

    # -- names and paths ------------------------------------------------------------------------------------

    @property
    def _subresource(self) -> str:
        return self.resource.name.partition("/")[2]

    def _path(self, item: bool, watch: bool = False) -> str:
        main, _, subresource = self.resource.name.partition("/")
        path = self.prefix + ("/watch" if watch else "")
        path += f"/namespaces/{{namespace}}/{main}" if self.resource.namespaced else f"/{main}"
        if item or subresource:
            path += "/{name}"
        return f"{path}/{subresource}" if subresource else path

    def _named(self, verb: str, suffix: str = "") -> str:
        scope = "Namespaced" if self.resource.namespaced else ""
        return f"{verb}{scope}{self.kind}{self._subresource.capitalize()}{suffix}"

    def _about(self, verb: str, what: str) -> str:
        """``read the specified Pod``, or ``read log of the specified Pod``."""
        return f"{verb} {self._subresource} of {what}" if self._subresource else f"{verb} {what}"

    def _place(self, item: bool) -> tuple[Parameter, ...]:
        parameters: tuple[Parameter, ...] = ()
        if item or self._subresource:
            parameters = (in_path("name", f"name of the {self.own.kind}"),)
        if self.resource.namespaced:
            text = "object name and auth scope, such as for teams and projects"
            parameters += (in_path("namespace", text),)
        return parameters

    def _body(self, media_types: tuple[str, ...] = ANYTHING) -> Body:
        return Body(self.definition, media_types)

    # -- verbs ----------------------------------------------------------------------------------------------

    def _lists(self) -> Iterator[Operation]:
        watched = "watch" in self.resource.verbs
        one = Operation(
            "get", self._path(False), self._named("list"),
            f"{'list or watch' if watched else 'list'} objects of kind {self.kind}", {200: self.listed},
            options("ListOptions") + self._place(False), STREAMS, action="list", kind=self.own)
        yield one
        yield from self._everywhere(one)
        if watched:
            listing = evolve(
                one, path=self._path(False, watch=True), name=self._named("watch", "List"),
                action="watchlist",
                description=f"watch individual changes to a list of {self.kind}{_WATCH_NOTE}.",
                responses={200: _META + "WatchEvent"})
            yield listing
            yield from self._everywhere(listing)
            yield evolve(
                listing, path=self._path(True, watch=True), name=self._named("watch"), action="watch",
                description=f"watch changes to an object of kind {self.kind}{_WATCH_NOTE}, "
                            "filtered to a single item with the 'fieldSelector' parameter.",
                parameters=options("ListOptions") + self._place(True))

    def _everywhere(self, one: Operation) -> Iterator[Operation]:
        """The same in all namespaces."""
        if self.resource.namespaced:
            yield evolve(one, path=one.path.replace("/namespaces/{namespace}", ""),
                         name=one.name.replace("Namespaced", "", 1) + "ForAllNamespaces",
                         parameters=options("ListOptions"))

    def _create(self) -> Operation:
        return Operation(
            "post", self._path(False), self._named("create"), self._about("create", noun(self.kind)),
            dict.fromkeys((200, 201, 202), self.definition), options("CreateOptions") + self._place(False),
            body=self._body(), action="post", kind=self.own)

    def _delete_collection(self) -> Operation:
        parameters = options("DeleteOptions", "ListOptions", but=("watch", "allowWatchBookmarks"))
        return Operation(
            "delete", self._path(False), self._named("deletecollection"),
            f"delete collection of {self.kind}", {200: _STATUS}, parameters + self._place(False),
            body=Body(_META + "DeleteOptions", ANYTHING, required=False), action="deletecollection",
            kind=self.own)

    def _get(self) -> Operation:
        one = Operation(
            "get", self._path(True), self._named("read"),
            self._about("read", f"the specified {self.kind}"), {200: self.definition},
            options() + self._place(True), action="get", kind=self.own)
        if self.resource.name == "pods/log":
            return evolve(one, responses={200: TEXT}, produces=("text/plain", *OBJECTS),
                          parameters=options("PodLogOptions", but=("sinceTime",)) + self._place(True))
        return one

    def _replace(self) -> Operation:
        return Operation(
            "put", self._path(True), self._named("replace"),
            self._about("replace", f"the specified {self.kind}"),
            dict.fromkeys((200, 201), self.definition), options("UpdateOptions") + self._place(True),
            body=self._body(), action="put", kind=self.own)

    def _patch(self) -> Operation:
        return Operation(
            "patch", self._path(True), self._named("patch"),
            self._about("partially update", f"the specified {self.kind}"),
            dict.fromkeys((200, 201), self.definition), options("PatchOptions") + self._place(True),
            body=Body(_META + "Patch", PATCHES), action="patch", kind=self.own)

    def _delete(self) -> Operation:
        answer = self.definition if self.resource.name in _RETURN_OBJECT else _STATUS
        return Operation(
            "delete", self._path(True), self._named("delete"), self._about("delete", noun(self.kind)),
            dict.fromkeys((200, 202), answer), options("DeleteOptions") + self._place(True),
            body=Body(_META + "DeleteOptions", ANYTHING, required=False), action="delete", kind=self.own)

    def _connect(self) -> Iterator[Operation]:
        methods = [method for verb, method in _CONNECT.items() if verb in self.resource.verbs]
        proxy = self.resource.kind.endswith("ProxyOptions")
        for method in [*methods, "HEAD", "OPTIONS"] if proxy else methods:
            what = f"{self._subresource} of {self.kind}" if self._subresource else self.kind
            one = Operation(
                method.lower(), self._path(True), self._named(f"connect{method.capitalize()}"),
                f"connect {method} requests to {what}", {200: TEXT},
                options(self.resource.kind, pretty=False) + self._place(True), ANYTHING,
                action="connect", kind=self.own)
            yield one
            if proxy:
                yield evolve(one, path=one.path + "/{path}", name=one.name + "WithPath",
                             parameters=(*one.parameters, in_path("path", "path to the resource")))
