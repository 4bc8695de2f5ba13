"""The schemas in OpenAPI documents: the published definitions in the forms of v2 and of v3.

What the published definitions leave out comes from the built-in schema (defaults) and from
``schema/data/openapi_extras.json`` (enums, and two scalars).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any, Literal

import orjson
from attrs import frozen

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.definitions import read_definitions

Form = Literal["v2", "v3"]
#: Where references of a form point to.
PREFIXES: Mapping[Form, str] = {"v2": "#/definitions/", "v3": "#/components/schemas/"}
_KINDS = "x-kubernetes-group-version-kind"
#: Kinds that belong to every group-version.
_EVERYWHERE = ("io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
               "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent")


@frozen
class _Text:
    """A schema as JSON, and the names of those that it refers to."""

    json: bytes
    references: tuple[str, ...]


class Definitions:
    """All definitions of one Kubernetes version; read when the first document is rendered.

    :param version: such as ``1.36``.
    """

    def __init__(self, schema: BuiltinSchema, version: str) -> None:
        self._schema = schema
        self._version = version
        self._texts: dict[str, _Text] | None = None

    def name(self, kind: GroupVersionKind) -> str | None:
        """The name of a kind's definition; None for one that has none."""
        try:
            return self._schema.kind(kind).name
        except KeyError:
            return None

    def v2(self, names: Iterable[str]) -> dict[str, Any]:
        """The definitions of these names and of all that they refer to, sorted by name."""
        return self._select(names, self._render("v2"))

    def v3(self, names: Iterable[str], group_version: GroupVersion | None = None) -> dict[str, Any]:
        """The schemas of these names and of all that they refer to, sorted by name; they are kept as bytes.

        :param group_version: whose document it is: kinds that are in every group-version name this one only.
        """
        if self._texts is None:
            self._texts = self._render("v3")
        selected = self._select(names, self._texts)
        for name in _EVERYWHERE:
            if name in selected and group_version is not None:
                selected[name] = _scoped(self._texts[name], group_version)
        return selected

    @staticmethod
    def _select(names: Iterable[str], texts: Mapping[str, _Text]) -> dict[str, Any]:
        wanted, found = list(names), set[str]()
        while wanted:
            name = wanted.pop()
            if name not in found and name in texts:
                found.add(name)
                wanted += texts[name].references
        return {name: orjson.Fragment(texts[name].json) for name in sorted(found)}

    def _render(self, form: Form) -> dict[str, _Text]:
        extras = orjson.loads((files("kube_twisted.schema") / "data" / "openapi_extras.json").read_bytes())
        writer = _Writer(form, self._schema, extras)
        texts = {}
        for name, definition in read_definitions(self._version).items():
            written = writer.definition(name, definition)
            texts[name] = _Text(orjson.dumps(written), tuple(sorted(set(_references(written)))))
        return texts


def _scoped(text: _Text, group_version: GroupVersion) -> dict[str, Any]:
    """Leave the kind of the core group and of one other group-version."""
    schema: dict[str, Any] = orjson.loads(text.json)
    kept = (("", "v1"), (group_version.group, group_version.version))
    schema[_KINDS] = [one for one in schema[_KINDS] if (one["group"], one["version"]) in kept]
    return schema


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema and isinstance(schema["$ref"], str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


class _Writer:
    """Writes published definitions in one form."""

    def __init__(self, form: Form, schema: BuiltinSchema, extras: Mapping[str, Any]) -> None:
        self._form = form
        self._schema = schema
        self._prefix = PREFIXES[form]
        self._scalars = extras["scalars"]
        self._enums, self._fields, self._items = extras["enums"], extras["fields"], extras["items"]

    def definition(self, name: str, published: Mapping[str, Any]) -> dict[str, Any]:
        scalar = self._scalars.get(name)
        if scalar is not None:
            return {"description": scalar["description"], **scalar[self._form]}
        schema = self._plain(published)
        defaults = self._defaults(name) if self._form == "v3" else {}
        for field, property_ in published.get("properties", {}).items():
            schema["properties"][field] = self._property(f"{name}.{field}", property_, defaults.get(field))
        return schema

    def _defaults(self, name: str) -> dict[str, Any]:
        """By field: Go's zero value, or the API's own default; a struct that is no pointer has ``{}``."""
        defaults = {}
        for field, kind, flags, *_, default in self._schema.rows(name):
            is_struct = isinstance(kind, tuple) and kind[0] == "struct"
            defaults[field] = {} if is_struct and "p" not in flags else default
        return defaults

    def _property(self, path: str, published: Mapping[str, Any], default: Any) -> dict[str, Any]:
        schema = self._plain(published)
        if default is not None:
            schema["default"] = default
        if path in self._fields:
            meanings = self._enums[self._fields[path]]
            schema["description"] = (schema.get("description", "") + _enum_text(meanings)).strip()
            schema["enum"] = list(meanings)
        if path in self._items:
            held = schema.get("items") or schema["additionalProperties"]
            held["enum"] = list(self._enums[self._items[path]])
        if self._form == "v3" and "$ref" in schema and len(schema) > 1:
            schema["allOf"] = [{"$ref": schema.pop("$ref")}]
        return schema

    def _plain(self, published: Mapping[str, Any]) -> dict[str, Any]:
        """A schema with what was added for JSON Schema validators taken away."""
        schema = dict(published)
        schema.pop("enum", None)
        kind = schema.get("type")
        if isinstance(kind, list):
            schema["type"] = next(one for one in kind if one != "null")
        if "$ref" in schema:
            schema["$ref"] = self._prefix + schema["$ref"].rpartition("/")[2]
        for held in ("items", "additionalProperties"):
            if held in schema:
                schema[held] = self._plain(schema[held])
        if "properties" in schema:
            schema["properties"] = dict(schema["properties"])
        return schema


def _enum_text(meanings: Mapping[str, str]) -> str:
    lines = (f' - `"{value}"` {meaning}'.rstrip() for value, meaning in meanings.items())
    return "\n".join(("\n\nPossible enum values:", *lines))
