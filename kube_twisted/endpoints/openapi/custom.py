"""OpenAPI v3 documents of custom resources: the operations that all of them have, and their schemas.

Source of the rules: the Kubernetes documentation, "Publish Validation Schema in OpenAPI".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson
from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.negotiation import JSON, YAML
from kube_twisted.endpoints.openapi.definitions import PREFIXES, Definitions
from kube_twisted.endpoints.openapi.operations import Body, Operation, Parameter, in_path, noun, options
from kube_twisted.endpoints.openapi.v3 import render_v3

_MEDIA_TYPES = (JSON, YAML)
_PATCHES = ("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml")
_INFO = {"title": "Kubernetes CRD Swagger", "version": "v0.1.0"}
_META = "io.k8s.apimachinery.pkg.apis.meta.v1."
_SCALE = "io.k8s.api.autoscaling.v1.Scale"
_KINDS = "x-kubernetes-group-version-kind"
_CONVENTIONS = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md"
#: Groups whose options kinds are not told here: those that clients of custom resources don't know.
_UNKNOWN = ("admission.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "imagepolicy.k8s.io")


@frozen
class CustomResource:
    """A custom resource in one version.

    :ivar schema: its structural schema; None when there is none to show.
    :ivar status: whether it has the subresource; so ``scale``.
    :ivar selectable: paths of selectable fields, such as ``.spec.color``.
    """

    group: str
    version: str
    plural: str
    kind: str
    list_kind: str
    namespaced: bool
    schema: Mapping[str, Any] | None = None
    status: bool = False
    scale: bool = False
    selectable: tuple[str, ...] = ()

    def definition(self, kind: str) -> str:
        """The name of a definition: the group backwards, version and kind."""
        return ".".join([*reversed(self.group.split(".")), self.version, kind])

    def gvk(self, kind: str) -> list[dict[str, str]]:
        return [{"group": self.group, "kind": kind, "version": self.version}]


def render_custom(resources: Sequence[CustomResource], definitions: Definitions) -> bytes:
    """The document of a group-version.

    :param resources: all of its custom resources.
    """
    operations = [operation for one in resources for operation in _Operations(one).all()]
    own = {name: schema for one in resources for name, schema in _schemas(one, definitions).items()}

    def schemas(names: Iterable[str]) -> dict[str, Any]:
        builtin = definitions.v3([*names, _META + "ObjectMeta", _META + "ListMeta"])
        if _META + "DeleteOptions" in builtin:
            builtin[_META + "DeleteOptions"] = _known_kinds(builtin[_META + "DeleteOptions"])
        return dict(sorted({**builtin, **own}.items()))

    return render_v3(operations, schemas, _INFO, security=False)


def _known_kinds(fragment: Any) -> dict[str, Any]:
    schema: dict[str, Any] = orjson.loads(orjson.dumps(fragment))
    schema[_KINDS] = [one for one in schema[_KINDS] if one["group"] not in _UNKNOWN]
    return schema


# -- operations ---------------------------------------------------------------------------------------------


@frozen
class _Operations:
    resource: CustomResource

    def all(self) -> Iterator[Operation]:
        one = self.resource
        item, listed = one.definition(one.kind), one.definition(one.list_kind)
        if one.namespaced:
            yield self._operation("get", "list", "list", {200: listed}, "ListOptions", everywhere=True)
        yield self._operation("get", "list", "list", {200: listed}, "ListOptions")
        yield self._operation("post", "post", "create", dict.fromkeys((200, 201, 202), item), "CreateOptions",
                              body=Body(item, _MEDIA_TYPES))
        yield self._operation("delete", "deletecollection", "deletecollection", {200: _META + "Status"},
                              "ListOptions")
        yield from self._single("/{name}", item)
        yield self._operation(
            "delete", "delete", "delete", dict.fromkeys((200, 202), _META + "Status"), "DeleteOptions",
            "/{name}", Body(_META + "DeleteOptions", _MEDIA_TYPES, required=False))
        if one.status:
            yield from self._single("/{name}/status", item)
        if one.scale:
            yield from self._single("/{name}/scale", _SCALE)

    def _single(self, path: str, definition: str) -> Iterator[Operation]:
        """Reading, replacing and patching."""
        yield self._operation("get", "get", "read", {200: definition}, "GetOptions", path)
        yield self._operation("put", "put", "replace", dict.fromkeys((200, 201), definition), "UpdateOptions",
                              path, Body(definition, _MEDIA_TYPES))
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
            GroupVersion(one.group, one.version).kind(one.kind))


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


# -- schemas ------------------------------------------------------------------------------------------------


def _schemas(resource: CustomResource, definitions: Definitions) -> dict[str, Any]:
    """The definitions of the kind and of its lists."""
    status = orjson.loads(orjson.dumps(definitions.v3([_META + "Status"])[_META + "Status"]))
    type_meta = {name: status["properties"][name] for name in ("apiVersion", "kind")}
    extensions: dict[str, Any] = {}
    if resource.selectable:
        extensions["x-kubernetes-selectable-fields"] = [
            {"fieldPath": path.removeprefix(".")} for path in resource.selectable]
    kind: dict[str, Any] = {"type": "object"}
    if resource.schema is not None:
        metadata = _reference("ObjectMeta", f"Standard object's metadata. More info: {_CONVENTIONS}#metadata")
        kind = _published(resource.schema)
        kind["properties"] = _sorted({**kind.get("properties", {}), **type_meta, "metadata": metadata})
    item = resource.definition(resource.kind)
    listed = {
        "description": f"{resource.list_kind} is a list of {resource.kind}", "type": "object",
        "required": ["items"], "properties": _sorted({
            **type_meta,
            "items": {"description": f"List of {resource.plural}. More info: {_CONVENTIONS}", "type": "array",
                      "items": {"$ref": PREFIXES["v3"] + item}},
            "metadata": _reference(
                "ListMeta", f"Standard list metadata. More info: {_CONVENTIONS}#types-kinds")})}
    return {item: {**kind, _KINDS: resource.gvk(resource.kind), **extensions},
            resource.definition(resource.list_kind): {**listed, _KINDS: resource.gvk(resource.list_kind),
                                                      **extensions}}


def _published(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A structural schema with what its extensions stand for written out."""
    result = dict(schema)
    if "properties" in result:
        result["properties"] = _sorted({name: _published(one) for name, one in result["properties"].items()})
    for held in ("items", "additionalProperties"):
        if isinstance(result.get(held), Mapping):
            result[held] = _published(result[held])
    for extension, write in _EXTENSIONS.items():
        if schema.get(extension) is True:
            write(result)
    return result


def _int_or_string(schema: dict[str, Any]) -> None:
    both = [{"type": "integer"}, {"type": "string"}]
    if "anyOf" not in schema and not any(one.get("anyOf") == both for one in schema.get("allOf", ())):
        schema["anyOf"] = both
    elif schema.get("anyOf", both) != both:
        schema["allOf"] = [{"anyOf": both}, *schema.get("allOf", ())]


def _embedded_resource(schema: dict[str, Any]) -> None:
    metadata = _reference("ObjectMeta", f"Standard object's metadata. More info: {_CONVENTIONS}#metadata")
    schema["properties"] = _sorted({
        **schema.get("properties", {}), "metadata": metadata,
        "apiVersion": {"description": "apiVersion defines the versioned schema of this representation of an "
                                      f"object. More info: {_CONVENTIONS}#resources", "type": "string"},
        "kind": {"description": "kind is a string value representing the type of this object. In CamelCase. "
                                f"More info: {_CONVENTIONS}#types-kinds", "type": "string"}})
    required = schema.get("required", [])
    schema["required"] = [*required, *(one for one in ("kind", "apiVersion") if one not in required)]


_EXTENSIONS: Mapping[str, Callable[[dict[str, Any]], None]] = {
    "x-kubernetes-int-or-string": _int_or_string,
    "x-kubernetes-embedded-resource": _embedded_resource,
}


def _reference(name: str, description: str) -> dict[str, Any]:
    return {"description": description, "allOf": [{"$ref": PREFIXES["v3"] + _META + name}]}


def _sorted(properties: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(properties.items()))
