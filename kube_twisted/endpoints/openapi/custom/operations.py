"""What can be done with custom resources, regardless of the OpenAPI version in which it is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.negotiation import JSON, YAML
from kube_twisted.endpoints.openapi.custom.resource import CustomResource
from kube_twisted.endpoints.openapi.operations import Body, Operation, Parameter, in_path, noun, options

_MEDIA_TYPES = (JSON, YAML)
_PATCHES = ("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml")
_META = "io.k8s.apimachinery.pkg.apis.meta.v1."
_SCALE = "io.k8s.api.autoscaling.v1.Scale"


@frozen
class CustomOperations:
    """The operations of a custom resource."""

    resource: CustomResource

    def all(self) -> Iterator[Operation]:
        """Every one of them."""
        one = self.resource
        item, listed = one.definition(one.kind), one.definition(one.list_kind)
        if one.namespaced:
            yield self._operation("get", "list", "list", {200: listed}, "ListOptions", everywhere=True)
        yield self._operation("get", "list", "list", {200: listed}, "ListOptions")
        yield self._operation("post", "post", "create", dict.fromkeys((200, 201, 202), item), "CreateOptions",
                              body=Body(item, _MEDIA_TYPES))
        yield self._operation("delete", "deletecollection", "deletecollection", {200: _META + "Status"}, "ListOptions")
        yield from self._single("/{name}", item)
        yield self._operation(
            "delete", "delete", "delete", dict.fromkeys((200, 202), _META + "Status"), "DeleteOptions", "/{name}",
            Body(_META + "DeleteOptions", _MEDIA_TYPES, required=False))
        if one.status:
            yield from self._single("/{name}/status", item)
        if one.scale:
            yield from self._single("/{name}/scale", _SCALE)

    def _single(self, path: str, definition: str) -> Iterator[Operation]:
        """Reading, replacing and patching."""
        yield self._operation("get", "get", "read", {200: definition}, "GetOptions", path)
        yield self._operation("put", "put", "replace", dict.fromkeys((200, 201), definition), "UpdateOptions", path,
                              Body(definition, _MEDIA_TYPES))
        yield self._operation("patch", "patch", "patch", {200: definition}, "PatchOptions", path,
                              Body(_META + "Patch", _PATCHES))

    def _operation(self, method: str, action: str, verb: str, responses: Mapping[int, str], options_kind: str,
                   path: str = "", body: Body | None = None, *, everywhere: bool = False) -> Operation:
        one = self.resource
        place = "/namespaces/{namespace}" if one.namespaced and not everywhere else ""
        subresource = path.removeprefix("/{name}").strip("/")
        scope = "Namespaced" if place else ""
        suffix = "ForAllNamespaces" if everywhere else subresource.capitalize()
        parameters: tuple[Parameter, ...] = ()
        if place:
            text = "object name and auth scope, such as for teams and projects"
            parameters = (in_path("namespace", text),)
        if path:
            parameters += (in_path("name", f"name of the {one.kind}"),)
        return Operation(
            method, f"/apis/{one.group}/{one.version}{place}/{one.plural}{path}",
            f"{verb}{scope}{one.kind}{suffix}", _describe(verb, subresource, one.kind), responses,
            options(options_kind) + parameters, _MEDIA_TYPES, body, action,
            GroupVersion(one.group, one.version).kind(one.kind), _MEDIA_TYPES)


def _describe(verb: str, subresource: str, kind: str) -> str:
    of = f" {subresource} of" if subresource else ""
    match verb:
        case "list":
            return f"list objects of kind {kind}"
        case "deletecollection":
            return f"delete collection of {kind}"
        case "create" | "delete":
            return f"{verb} {noun(kind)}"
        case "patch":
            return f"partially update{of} the specified {kind}"
        case _:
            return f"{verb}{of} the specified {kind}"
