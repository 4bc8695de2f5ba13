"""The schema of the built-in kinds of one Kubernetes version, from the installed definitions or a cache."""

from __future__ import annotations

import json
import marshal
import os
import sys
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import define

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.schema.compile import FORMAT, FieldRow, Table, TypeRow, compile_table, short_go_type
from kube_twisted.schema.definitions import definitions_file
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct, Type, Untyped

_DATA = Path(__file__).parent / "data"
_SCHEMA_PROPS = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"


@define(eq=False)
class GoField(Field):
    """A field of a built-in kind.

    :ivar go_type: the Go type, as error messages name it: ``[]v1.Container``.
    :ivar embedded: the embedded Go structs that the field sits in, joined by dots: ``VolumeSource``.
    """

    go_type: str = ""
    embedded: str = ""


@define(eq=False)
class SchemaOr(Untyped):
    """A JSON schema or something simpler, in a CustomResourceDefinition; one leaf for field ownership.

    :ivar other: what else it may be: ``array`` (of schemas), ``bool`` or ``strings``.
    """

    other: str
    schema: Struct


class BuiltinSchema:
    """The built-in kinds.

    Types are made on first use and belong to this object: two schemas share nothing.
    """

    def __init__(self, table: Table) -> None:
        self._kinds: dict[str, str] = table["kinds"]
        self._rows: dict[str, bytes] = table["structs"]
        self._structs: dict[tuple[str, bool | None], Struct] = {}
        self._unserved: dict[str, str] = json.loads((_DATA / "unserved_kinds.json").read_bytes())

    @classmethod
    def load(cls, cache_dir: Path | None = None, version: str = "1.36") -> BuiltinSchema:
        """Read the schema of a Kubernetes version.

        :param cache_dir: where the compiled table is kept; it is written when missing, stale or unreadable.
        :raises LookupError: if the installed definitions do not cover the version.
        """
        source = definitions_file(version)
        key = _cache_key(source)
        cache = None if cache_dir is None else cache_dir / f"schema-{version}.cache"
        table = None if cache is None else _read_cache(cache, key)
        if table is None:
            table = _compile(source)
            if cache is not None:
                _write_cache(cache, key, table)
        return cls(table)

    def kind(self, gvk: GroupVersionKind) -> Struct:
        """The struct of a kind.

        :raises KeyError: for a kind without a definition.
        """
        return self.definition(self._kinds[f"{gvk.group}/{gvk.version}/{gvk.kind}"])

    def kinds(self) -> Iterable[GroupVersionKind]:
        """All kinds that have a definition."""
        return [GroupVersionKind(*key.split("/")) for key in self._kinds]

    def is_registered(self, gvk: GroupVersionKind) -> bool:
        """Whether the original knows the kind, served or not: it knows those of ``apps/v1beta1``."""
        return (f"{gvk.group}/{gvk.version}/{gvk.kind}" in self._kinds
                or gvk.kind in self._unserved.get(gvk.api_version, "").split())

    def definition(self, name: str, atomic: bool | None = None) -> Struct:
        """The struct of a definition, such as ``io.k8s.api.core.v1.PodSpec``.

        :param atomic: whether it is owned as a whole where it is used; None leaves that to the definition.
        :raises KeyError: for an unknown name.
        """
        struct = self._structs.get((name, atomic))
        if struct is None:
            own_atomic, rows = marshal.loads(self._rows[name])
            go_type = short_go_type(name)
            struct = Struct(name=name, go_name=go_type.partition(".")[2], go_type=go_type,
                            atomic=own_atomic if atomic is None else atomic, load=partial(self._fields, rows))
            self._structs[name, atomic] = struct
        return struct

    def rows(self, name: str) -> list[FieldRow]:
        """The fields of a definition as plain data, which is not kept; a leaf has none."""
        row = self._rows.get(name)
        if row is None:
            return []
        rows: list[FieldRow] = marshal.loads(row)[1]
        return rows

    def _fields(self, rows: list[FieldRow]) -> dict[str, Field]:
        return {row[0]: self._field(row) for row in rows}

    def _field(self, row: FieldRow) -> GoField:
        name, kind, flags, go_type, embedded, strategy, merge_key, default = row
        return GoField(name=name, type=self._type(kind), pointer="p" in flags, omit_empty="o" in flags,
                       omit_zero="z" in flags, patch_strategy=strategy, patch_merge_key=merge_key,
                       default=default, go_type=go_type, embedded=embedded)

    def _type(self, row: TypeRow) -> Type:
        match row:
            case "untyped":
                return Untyped()
            case "schema-or-array" | "schema-or-bool" | "schema-or-strings":
                return SchemaOr(row.rpartition("-")[2], self.definition(_SCHEMA_PROPS))
            case ("struct", name, atomic):
                return self.definition(name, atomic)
            case ("map", value, atomic):
                return Map(self._type(value), atomic)
            case ("list", item, relation, keys, defaults):
                return List(self._type(item), relation, keys, dict(defaults))
            case _:
                return Scalar(row)


def _cache_key(source: Path) -> list[Any]:
    """What the compiled table depends on: the definitions, our own tables and the layout of rows."""
    stat = source.stat()
    own = sha256()
    for name in ("go_structs.json", "explicit_defaults.json"):
        own.update((_DATA / name).read_bytes())
    return [FORMAT, marshal.version, sys.version_info[:2], str(source), stat.st_size, stat.st_mtime_ns,
            own.hexdigest()]


def _compile(source: Path) -> Table:
    definitions = json.loads(source.read_bytes())["$defs"]
    go_structs = json.loads((_DATA / "go_structs.json").read_bytes())["packages"]
    return compile_table(definitions, go_structs, json.loads((_DATA / "explicit_defaults.json").read_bytes()))


def _read_cache(path: Path, key: list[Any]) -> Table | None:
    """The table in a cache file; nothing if the file is missing, of other sources, or damaged."""
    try:
        digest, _, content = path.read_bytes().partition(b"\n")
        if digest.decode() != sha256(content).hexdigest():
            return None
        stored, table = marshal.loads(content)
    except (OSError, ValueError, TypeError, EOFError):
        return None
    return table if stored == key else None


def _write_cache(path: Path, key: list[Any], table: Table) -> None:
    """Write atomically: a reader sees the old file or the new one."""
    content = marshal.dumps([key, table])
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_name(f"{path.name}.{os.getpid()}.new")
    written.write_bytes(sha256(content).hexdigest().encode() + b"\n" + content)
    os.replace(written, path)
