"""OpenAPI v3 documents: one per group-version, and small ones for the other paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from kube_twisted.endpoints.openapi.definitions import PREFIXES
from kube_twisted.endpoints.openapi.operations import (
    TEXT,
    Operation,
    Parameter,
    common_parameters,
    own_parameters,
)

_SECURITY = {"BearerToken": {"type": "apiKey", "description": "Bearer Token authentication",
                             "name": "authorization", "in": "header"}}


#: From names of definitions to their schemas and those of all that they refer to.
Schemas = Callable[[Iterable[str]], Mapping[str, Any]]
#: What status codes mean.
DESCRIPTIONS = {200: "OK", 201: "Created", 202: "Accepted"}


def render_v3(operations: Iterable[Operation], schemas: Schemas, info: Mapping[str, str],
              security: bool = True) -> bytes:
    """One document.

    :param info: its title and version.
    :param security: whether it says how to authenticate.
    """
    by_path: dict[str, list[Operation]] = {}
    names: set[str] = set()
    for operation in operations:
        by_path.setdefault(operation.path, []).append(operation)
        names |= operation.definitions()
    components: dict[str, Any] = {"schemas": schemas(names)} if names else {}
    if security:
        components["securitySchemes"] = _SECURITY
    return orjson.dumps({
        "openapi": "3.0.0",
        "info": info,
        "paths": {path: _path(by_path[path]) for path in sorted(by_path)},
        "components": components,
    })


def _path(operations: list[Operation]) -> dict[str, Any]:
    common = common_parameters(operations)
    item: dict[str, Any] = {one.method: _operation(one, common) for one in operations}
    if common:
        item["parameters"] = [_parameter(one) for one in common]
    return item


def _operation(operation: Operation, common: list[Parameter]) -> dict[str, Any]:
    identity, tag = operation.identify()
    document: dict[str, Any] = {"tags": [tag], "description": operation.description, "operationId": identity}
    own = own_parameters(operation, common)
    if own:
        document["parameters"] = [_parameter(one) for one in own]
    body = operation.body
    if body is not None:
        document["requestBody"] = {"content": _content(body.media_types, body.definition)}
        if body.required:
            document["requestBody"]["required"] = True
    document["responses"] = {
        str(code): {"description": DESCRIPTIONS[code], "content": _content(operation.produces, definition)}
        for code, definition in operation.responses.items()}
    document["responses"]["401"] = {"description": "Unauthorized"}
    return {**document, **extensions(operation)}


def extensions(operation: Operation) -> dict[str, Any]:
    """What Kubernetes adds to an operation: the verb, and the kind that it is about."""
    if operation.kind is None:
        return {}
    kind = operation.kind
    return {"x-kubernetes-action": operation.action, "x-kubernetes-group-version-kind": {
        "group": kind.group, "version": kind.version, "kind": kind.kind}}


def _content(media_types: Iterable[str], definition: str) -> dict[str, Any]:
    schema = {"type": "string"} if definition == TEXT else {"$ref": PREFIXES["v3"] + definition}
    return {media_type: {"schema": schema} for media_type in sorted(media_types)}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": parameter.name, "in": parameter.location, "description": parameter.description}
    if parameter.location == "path":
        document["required"] = True
    document["schema"] = {"type": parameter.type, "uniqueItems": True}
    return document
