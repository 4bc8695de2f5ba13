"""Renders OpenAPI documents. It is loaded when somebody asks for one, which most programs never do."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import orjson

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion
from kube_twisted.endpoints.openapi.custom import CustomResource, CustomVersion
from kube_twisted.endpoints.openapi.definitions import Definitions
from kube_twisted.endpoints.openapi.document import Document, digest_of
from kube_twisted.endpoints.openapi.merging import Document as Part
from kube_twisted.endpoints.openapi.merging import merged
from kube_twisted.endpoints.openapi.operations import Operation
from kube_twisted.endpoints.openapi.paths import (
    OTHERS,
    api_root,
    apis_root,
    group_root,
    group_version_operations,
)
from kube_twisted.endpoints.openapi.protobuf import to_protobuf
from kube_twisted.endpoints.openapi.v2 import render_v2
from kube_twisted.endpoints.openapi.v3 import render_v3
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.definitions import definitions_file

#: Part of every hash: raise it when documents are rendered differently.
_FORMAT = 1


class Renderer:
    """Knows the definitions of the built-in kinds.

    :param version: of Kubernetes, such as ``1.36``.
    """

    def __init__(self, schema: BuiltinSchema, version: str) -> None:
        self._version = version
        self._definitions = Definitions(schema, version)

    def custom(self, resources: Sequence[CustomResource]) -> CustomVersion:
        """The custom resources of a group-version."""
        return CustomVersion(resources, self._definitions)

    # -- v3 ---------------------------------------------------------------------------------------------------

    def custom_document(self, custom: CustomVersion) -> Document:
        """The document of a group-version of custom resources."""
        return Document(digest_of([*self._basis(), custom.digest]), custom.v3)

    def builtin(self, groups: Sequence[APIGroup], paths: set[str]) -> dict[str, Document]:
        """The documents of what is built in, by name."""
        basis = self._basis()
        documents = {"api": self._small(basis, api_root()), "apis": self._small(basis, apis_root())}
        for group in groups:
            if group.name:
                documents[f"apis/{group.name}"] = self._small(basis, group_root(group.name))
            for version in group.versions:
                prefix = "apis" if group.name else "api"
                documents[f"{prefix}/{version.group_version}"] = self._large(basis, version)
        for name, operation in OTHERS.items():
            if f"/{name}" in paths:
                documents[name] = self._small(basis, [operation])
        return documents

    def _basis(self) -> list[object]:
        """What all documents depend on."""
        source = definitions_file(self._version)
        stat = source.stat()
        return [_FORMAT, source.parent.name, stat.st_size, stat.st_mtime_ns]

    def _small(self, basis: list[object], operations: list[Operation]) -> Document:
        return Document(digest_of([*basis, operations[0].path]), partial(self._render_v3, operations, None))

    def _large(self, basis: list[object], version: APIGroupVersion) -> Document:
        resources = [[one.name, one.kind, one.namespaced, one.verbs, one.group, one.version]
                     for _, one in sorted(version.resources.items())]
        return Document(digest_of([*basis, str(version.group_version), resources]),
                        partial(self._render_group_version, version))

    def _render_group_version(self, version: APIGroupVersion) -> bytes:
        operations = group_version_operations(version, self._definitions.name)
        return self._render_v3(operations, version.group_version)

    def _render_v3(self, operations: Iterable[Operation], group_version: GroupVersion | None) -> bytes:
        schemas = partial(self._definitions.v3, group_version=group_version)
        return render_v3(operations, schemas, {"title": "Kubernetes", "version": self._version})

    # -- v2 ---------------------------------------------------------------------------------------------------

    def v2(self, groups: Sequence[APIGroup], paths: set[str], custom: Sequence[CustomVersion],
           parts: Mapping[str, Part]) -> bytes:
        """The v2 document.

        :param parts: what other servers serve, by the names that give their order.
        """
        schemas = {name: schema for one in custom for name, schema in one.v2_definitions.items()}
        own = render_v2(self._all_operations(groups, paths, custom), self._definitions, self._version, schemas)
        if not parts:
            return own
        return orjson.dumps(merged(orjson.loads(own), [part for _, part in sorted(parts.items())]))

    def _all_operations(self, groups: Sequence[APIGroup], paths: set[str],
                        custom: Sequence[CustomVersion]) -> Iterator[Operation]:
        yield from api_root()
        yield from apis_root()
        yield from (operation for name, operation in OTHERS.items() if f"/{name}" in paths)
        for group in groups:
            if group.name:
                yield from group_root(group.name)
            for version in group.versions:
                yield from group_version_operations(version, self._definitions.name)
        for one in custom:
            yield from one.operations()


def protobuf_of(compressed: bytes) -> bytes:
    """The v2 document, compressed JSON, as protobuf."""
    return to_protobuf(orjson.loads(gzip.decompress(compressed)))
