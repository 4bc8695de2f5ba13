"""Schemas of kinds, as the server's OpenAPI documents have them, without references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kube_twisted.api.errors import StatusError
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.server.loopback import LoopbackClient

Schema = dict[str, Any]
_PREFIX = "#/components/schemas/"
_NOT_FOUND = 404


class KindSchemas:
    """Finds schemas; each document is asked for once."""

    def __init__(self, client: LoopbackClient) -> None:
        self._client = client
        self._documents: dict[str, Mapping[str, Schema]] = {}

    async def find(self, kind: GroupVersionKind) -> Schema | None:
        """The schema of a kind; None when there is none."""
        definitions = await self._definitions(kind)
        named = {"group": kind.group, "version": kind.version, "kind": kind.kind}
        for name, schema in definitions.items():
            if named in schema.get("x-kubernetes-group-version-kind", ()):
                return populated(definitions, schema, (name,))
        return None

    async def _definitions(self, kind: GroupVersionKind) -> Mapping[str, Schema]:
        path = f"/openapi/v3/apis/{kind.api_version}" if kind.group else f"/openapi/v3/api/{kind.version}"
        found = self._documents.get(path)
        if found is None:
            found = self._documents[path] = await self._read(path)
        return found

    async def _read(self, path: str) -> Mapping[str, Schema]:
        try:
            document = await self._client.call("GET", path)
        except StatusError as error:
            if error.code != _NOT_FOUND:
                raise
            return {}
        found: Mapping[str, Schema] = (document.get("components") or {}).get("schemas") or {}
        return found


def populated(definitions: Mapping[str, Schema], schema: Schema, within: tuple[str, ...] = ()) -> Schema:
    """A schema with what its references lead to in their place; those that lead in a circle become plain objects.

    :param within: the definitions that the schema is part of.
    """
    name = _reference(schema)
    if name is not None:
        if name in within or name not in definitions:
            return {"type": "object"}
        return populated(definitions, definitions[name], (*within, name))
    found = {**schema}
    if schema.get("format") == "int-or-string":
        found["x-kubernetes-int-or-string"] = True
    if "properties" in schema:
        found["properties"] = {key: populated(definitions, one, within) for key, one in schema["properties"].items()}
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            found[key] = populated(definitions, schema[key], within)
    return found


def _reference(schema: Schema) -> str | None:
    """The definition that a schema stands for, also when it is wrapped to give it a description."""
    direct = schema.get("$ref")
    if direct:
        return str(direct).removeprefix(_PREFIX)
    return next((name for one in schema.get("allOf") or () if (name := _reference(one)) is not None), None)
