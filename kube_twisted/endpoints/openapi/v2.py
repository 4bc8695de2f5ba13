"""The OpenAPI v2 document: everything in one, with parameters that many paths share set apart."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from kube_twisted.endpoints.openapi.definitions import PREFIXES, Definitions
from kube_twisted.endpoints.openapi.operations import (
    TEXT,
    Operation,
    Parameter,
    common_parameters,
    own_parameters,
)
from kube_twisted.endpoints.openapi.v3 import DESCRIPTIONS, extensions

_SECURITY = {"BearerToken": {"description": "Bearer Token authentication", "type": "apiKey",
                             "name": "authorization", "in": "header"}}
#: Never set apart: their texts name a kind, or clients look for them in the operation.
_UNSHARED = ("name", "fieldValidation", "dryRun")
#: What the definitions of custom kinds refer to.
_CUSTOM_USE = ("io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta", "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
_GENERIC = PREFIXES["v2"] + "io.k8s.apimachinery"


def render_v2(operations: Iterable[Operation], definitions: Definitions, version: str,
              custom: Mapping[str, Any] = {}) -> bytes:
    """The document.

    :param version: of Kubernetes.
    :param custom: definitions of kinds that are not built in, by name.
    """
    by_path: dict[str, list[Operation]] = {}
    names: set[str] = set()
    for operation in operations:
        by_path.setdefault(operation.path, []).append(operation)
        names |= operation.definitions()
    if custom:
        names.update(_CUSTOM_USE)
    shared = _SharedParameters()
    paths = {path: _path(by_path[path], shared) for path in sorted(by_path)}
    return orjson.dumps({
        "swagger": "2.0",
        "info": {"title": "Kubernetes", "version": version},
        "paths": paths,
        "definitions": dict(sorted({**custom, **definitions.v2(names)}.items())),
        "parameters": dict(sorted(shared.parameters.items())),
        "securityDefinitions": _SECURITY,
        "security": [{"BearerToken": []}],
    })


class _SharedParameters:
    """Parameters that are written once and referred to, each by its name and a hash of its text."""

    def __init__(self) -> None:
        self.parameters: dict[str, dict[str, Any]] = {}
        self._references: dict[bytes, dict[str, str]] = {}

    def refer(self, parameter: dict[str, Any]) -> dict[str, Any]:
        """The parameter itself if it is not to be shared, else a reference to it."""
        generic = parameter["in"] != "body" or parameter["schema"]["$ref"].startswith(_GENERIC)
        if parameter["name"] in _UNSHARED or not generic:
            return parameter
        text = orjson.dumps(parameter)
        if text not in self._references:
            name = f"{parameter['name']}-{_hash(text)}"
            self.parameters[name] = parameter
            self._references[text] = {"$ref": f"#/parameters/{name}"}
        return self._references[text]


def _hash(text: bytes) -> str:
    """Eight letters of the FNV-1 hash, as the original has them."""
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF ^ byte
    return urlsafe_b64encode(value.to_bytes(8, "big")[:6]).decode()


def _path(operations: list[Operation], shared: _SharedParameters) -> dict[str, Any]:
    common = common_parameters(operations)
    item: dict[str, Any] = {one.method: _operation(one, common, shared) for one in operations}
    if common:
        item["parameters"] = [shared.refer(_parameter(one)) for one in common]
    return item


def _operation(operation: Operation, common: list[Parameter], shared: _SharedParameters) -> dict[str, Any]:
    identity, tag = operation.identify()
    document: dict[str, Any] = {
        "description": operation.description, "consumes": list(operation.consumes),
        "produces": list(operation.produces), "schemes": ["https"], "tags": [tag], "operationId": identity}
    parameters = [_parameter(one) for one in own_parameters(operation, common)]
    if operation.body is not None:
        parameters = sorted([*parameters, _body(operation)], key=lambda one: str(one["name"]))
    if parameters:
        document["parameters"] = [shared.refer(one) for one in parameters]
    document["responses"] = {
        str(code): {"description": DESCRIPTIONS[code], "schema": _schema(definition)}
        for code, definition in operation.responses.items()}
    document["responses"]["401"] = {"description": "Unauthorized"}
    return {**document, **extensions(operation)}


def _schema(definition: str) -> dict[str, Any]:
    return {"type": "string"} if definition == TEXT else {"$ref": PREFIXES["v2"] + definition}


def _body(operation: Operation) -> dict[str, Any]:
    assert operation.body is not None
    document: dict[str, Any] = {"name": "body", "in": "body"}
    if operation.body.required:
        document["required"] = True
    document["schema"] = _schema(operation.body.definition)
    return document


def _parameter(parameter: Parameter) -> dict[str, Any]:
    document: dict[str, Any] = {
        "uniqueItems": True, "type": parameter.type, "description": parameter.description,
        "name": parameter.name, "in": parameter.location}
    if parameter.location == "path":
        document["required"] = True
    return document
