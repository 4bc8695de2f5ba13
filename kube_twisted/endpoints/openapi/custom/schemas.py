"""The definitions of a custom resource: of its kind, and of its lists."""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.endpoints.openapi.custom.resource import CustomResource
from kube_twisted.endpoints.openapi.custom.structural import CONVENTIONS, Schema, published, reference
from kube_twisted.endpoints.openapi.definitions import PREFIXES, Definitions, Form

_STATUS = "io.k8s.apimachinery.pkg.apis.meta.v1.Status"
_KINDS = "x-kubernetes-group-version-kind"
_PRESERVE = "x-kubernetes-preserve-unknown-fields"


def own_schemas(resource: CustomResource, definitions: Definitions, form: Form) -> dict[str, Any]:
    """The definitions by name."""
    status = orjson.loads(orjson.dumps(definitions.v3([_STATUS])[_STATUS]))
    type_meta = {name: status["properties"][name] for name in ("apiVersion", "kind")}
    extensions: dict[str, Any] = {}
    if resource.selectable:
        extensions["x-kubernetes-selectable-fields"] = [
            {"fieldPath": path.removeprefix(".")} for path in resource.selectable]
    item = _item(resource, type_meta, form)
    listed = _list(resource, type_meta, form)
    return {resource.definition(kind): {**schema, _KINDS: resource.gvk(kind), **extensions}
            for kind, schema in ((resource.kind, item), (resource.list_kind, listed))}


def _item(resource: CustomResource, type_meta: dict[str, Schema], form: Form) -> Schema:
    """The schema of objects. Nothing is claimed where clients would take it for all that there can be."""
    schema = resource.schema
    if schema is None or (form == "v2" and (resource.keeps_unknown_fields or schema.get(_PRESERVE))):
        return {"type": "object"}
    item = published(schema, form)
    metadata = reference("ObjectMeta", f"Standard object's metadata. More info: {CONVENTIONS}#metadata", form)
    item["properties"] = dict(sorted({**item.get("properties", {}), **type_meta, "metadata": metadata}.items()))
    return item


def _list(resource: CustomResource, type_meta: dict[str, Schema], form: Form) -> Schema:
    item = {"$ref": PREFIXES[form] + resource.definition(resource.kind)}
    properties = {
        "items": {"description": f"List of {resource.plural}. More info: {CONVENTIONS}", "type": "array",
                  "items": item},
        "metadata": reference("ListMeta", f"Standard list metadata. More info: {CONVENTIONS}#types-kinds", form)}
    return {"description": f"{resource.list_kind} is a list of {resource.kind}", "type": "object",
            "required": ["items"], "properties": dict(sorted({**type_meta, **properties}.items()))}
