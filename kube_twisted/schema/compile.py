"""Compiles the OpenAPI definitions of one Kubernetes version into compact rows of plain data.

The definitions tell the types, list relations and patch strategies; ``data/go_structs.json`` adds what only
the Go structs tell: the order of fields, which are pointers, which are left out when empty, named Go types. A
row is marshalled on its own, so that reading the table back costs nothing for kinds that nobody touches.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping
from typing import Any

#: Part of the cache key: raise it when the layout of rows changes.
FORMAT = 2

_CRD = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
#: Definitions that are leaves, by name.
LEAVES = {
    "io.k8s.apimachinery.pkg.api.resource.Quantity": "quantity",
    "io.k8s.apimachinery.pkg.util.intstr.IntOrString": "int-or-string",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Time": "time",
    "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime": "micro-time",
    "io.k8s.apimachinery.pkg.apis.meta.v1.Duration": "duration",
    "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1": "untyped",
    "io.k8s.apimachinery.pkg.runtime.RawExtension": "untyped",
    _CRD + "JSON": "untyped",
    _CRD + "JSONSchemaPropsOrArray": "schema-or-array",
    _CRD + "JSONSchemaPropsOrBool": "schema-or-bool",
    _CRD + "JSONSchemaPropsOrStringArray": "schema-or-strings",
}
_ZEROS = {"string": "", "boolean": False, "integer": 0, "number": 0}
_NUMBERS = {"int32": "int32", "int64": "int64", "double": "float64"}

#: A type as plain data: the name of a leaf, ``("struct", name, atomic)``, ``("map", value, atomic)`` or
#: ``("list", item, relation, keys, key defaults)``.
TypeRow = Any
#: ``(name, type, flags, Go type, embedded struct, patch strategies, merge key, default)``.
FieldRow = tuple[str, TypeRow, str, str, str, tuple[str, ...], str, Any]
#: ``{"kinds": {"group/version/Kind": name}, "structs": {name: marshalled (atomic, fields)}}``.
Table = dict[str, dict[str, Any]]


def compile_table(definitions: Mapping[str, Any], go_structs: Mapping[str, Mapping[str, str]],
                  defaults: Mapping[str, Any]) -> Table:
    """Compile all definitions; leaves have no rows.

    :param go_structs: package -> struct -> its field line, as ``data/go_structs.json`` explains.
    :param defaults: ``definition.field`` -> the default that OpenAPI v3 shows.
    """
    compiler = _Compiler(definitions, go_structs, defaults)
    kinds: dict[str, str] = {}
    structs: dict[str, bytes] = {}
    for name, definition in definitions.items():
        if name not in LEAVES:
            structs[name] = marshal.dumps(compiler.struct(name))
        for kind in definition.get("x-kubernetes-group-version-kind", ()):
            kinds["{group}/{version}/{kind}".format(**kind)] = name
    return {"kinds": kinds, "structs": structs}


class _Compiler:
    """Reads definitions and the lines of Go structs side by side."""

    def __init__(self, definitions: Mapping[str, Any], go_structs: Mapping[str, Mapping[str, str]],
                 defaults: Mapping[str, Any]) -> None:
        self._definitions = definitions
        self._go_structs = go_structs
        self._defaults = defaults

    def struct(self, name: str) -> tuple[bool, list[FieldRow]]:
        definition = self._definitions[name]
        package, _, short = name.rpartition(".")
        line = self._go_structs.get(package, {}).get(short, "")
        properties = definition.get("properties", {})
        fields = [self._field(name, token, properties) for token in _tokens(line)]
        return definition.get("x-kubernetes-map-type") == "atomic", fields

    def _field(self, owner: str, token: tuple[str, str, str, str], properties: Mapping[str, Any]) -> FieldRow:
        name, flags, go_type, embedded = token
        schema = properties[name]
        strategy = schema.get("x-kubernetes-patch-strategy", "")
        strategies = tuple(strategy.split(",")) if strategy else ()
        return (name, self._type(schema), flags, go_type or _go_type(schema), embedded, strategies,
                schema.get("x-kubernetes-patch-merge-key", ""), self._default(owner, name, flags, schema))

    def _default(self, owner: str, name: str, flags: str, schema: Mapping[str, Any]) -> Any:
        """The default that OpenAPI v3 shows; a scalar that Go always writes has its zero."""
        explicit = self._defaults.get(f"{owner}.{name}")
        if explicit is not None or flags or "$ref" in schema:
            return explicit
        return _ZEROS.get(_kind(schema)) if schema.get("format") != "byte" else None

    def _type(self, schema: Mapping[str, Any]) -> TypeRow:
        reference = _reference(schema)
        map_type = schema.get("x-kubernetes-map-type")
        atomic = map_type == "atomic" if map_type else None
        if reference:
            return LEAVES.get(reference) or ("struct", reference, atomic)
        kind = _kind(schema)
        if kind == "array":
            return self._list(schema)
        if kind == "object":
            return ("map", self._type(schema["additionalProperties"]), bool(atomic))
        if kind == "integer" or kind == "number":
            return _NUMBERS[schema.get("format", "int64")]
        if kind == "boolean":
            return "bool"
        return "bytes" if schema.get("format") == "byte" else "string"

    def _list(self, schema: Mapping[str, Any]) -> TypeRow:
        keys = tuple(schema.get("x-kubernetes-list-map-keys", ()))
        defaults: dict[str, Any] = {}
        if keys:
            _, fields = self.struct(_reference(schema["items"]))
            defaults = {field[0]: field[-1] for field in fields if field[0] in keys and field[-1] is not None}
        relation = schema.get("x-kubernetes-list-type", "atomic")
        return ("list", self._type(schema["items"]), relation, keys, defaults)


def _tokens(line: str) -> Iterator[tuple[str, str, str, str]]:
    """Split a struct's line into ``(name, flags, Go type, embedded struct)``."""
    embedded = ""
    for token in line.split():
        if token == "+TypeMeta":
            yield "kind", "o", "string", "TypeMeta"
            yield "apiVersion", "o", "string", "TypeMeta"
        elif token == "-":
            embedded = embedded.rpartition(".")[0]
        elif token.startswith("+"):
            embedded = f"{embedded}.{token[1:]}" if embedded else token[1:]
        else:
            field, _, go_type = token.partition("=")
            name, _, flags = field.partition(":")
            yield name, flags, go_type, embedded


def _reference(schema: Mapping[str, Any]) -> str:
    """The name of the definition that a schema refers to, or nothing."""
    return str(schema["$ref"]).rpartition("/")[2] if "$ref" in schema else ""


def _kind(schema: Mapping[str, Any]) -> str:
    """The JSON type; the definitions write an optional one as ``[type, "null"]``."""
    kind = schema["type"]
    return kind if isinstance(kind, str) else next(one for one in kind if one != "null")


def short_go_type(name: str) -> str:
    """A definition as Go names its type: package and type, ``v1.PodSpec``."""
    package, _, short = name.rpartition(".")
    return f"{package.rpartition('.')[2]}.{short}"


def _go_type(schema: Mapping[str, Any]) -> str:
    """The Go type of a field that needs no entry of its own in the table."""
    if "$ref" in schema:
        return short_go_type(_reference(schema))
    kind = _kind(schema)
    if kind == "array":
        return "[]" + _go_type(schema["items"])
    if kind == "object":
        return "map[string]" + _go_type(schema["additionalProperties"])
    if kind == "string":
        return "[]uint8" if schema.get("format") == "byte" else "string"
    return "bool" if kind == "boolean" else _NUMBERS[schema.get("format", "int64")]
