"""The OpenAPI documents of a server: each is rendered when first asked for, and kept compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha512

import orjson
from attrs import frozen

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroup, APIGroupVersion
from kube_twisted.endpoints.openapi.custom import CustomResource, CustomVersion
from kube_twisted.endpoints.openapi.definitions import Definitions
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
from kube_twisted.endpoints.request import Handler
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.definitions import definitions_file

#: Part of every hash: raise it when documents are rendered differently.
_FORMAT = 1
#: The names under which the forms of the v2 document are kept.
_V2 = "v2"
_V2_PROTOBUF = "v2 protobuf"


@frozen
class Document:
    """What makes a document.

    :ivar hash: changes whenever the document does; known before anything is rendered.
    :ivar render: the document as JSON.
    """

    hash: str
    render: Callable[[], bytes]


@frozen
class RemoteDocument:
    """A v3 document that another server has.

    :ivar address: where clients find it on this server, with its hash.
    :ivar handler: answers requests for it.
    """

    address: str
    handler: Handler


class OpenAPIDocuments:
    """All documents by name: ``api/v1``, ``apis/apps``, ``apis/apps/v1``, ``version``.

    :param groups: those with built-in kinds; asked again after :meth:`invalidate`.
    :param paths: the fixed paths that the server has.
    :param version: of Kubernetes, such as ``1.36``.
    """

    def __init__(self, groups: Callable[[], list[APIGroup]], schema: BuiltinSchema,
                 paths: Callable[[], list[str]], version: str) -> None:
        self._groups = groups
        self._paths = paths
        self._version = version
        self._definitions = Definitions(schema, version)
        self._published: dict[str, Document] = {}
        self._custom: dict[str, CustomVersion] = {}
        self._builtin: dict[str, Document] | None = None
        self._known: dict[str, Document] | None = None
        self._kept: dict[str, tuple[str, bytes]] = {}
        #: v3 documents of other servers, by name; own ones of the same name count
        self.remote: Mapping[str, RemoteDocument] = {}
        self._parts: dict[str, tuple[str, Part]] = {}

    def invalidate(self) -> None:
        """Something built in was installed or removed: look again. Documents whose hash is the same are kept."""
        self._builtin = self._known = None

    def publish_custom(self, group_version: GroupVersion, resources: Sequence[CustomResource]) -> None:
        """Tell of a group-version of custom resources, or no more when there are none left.

        Nothing is rendered for it before somebody asks.
        """
        name = f"apis/{group_version}"
        if resources:
            custom = self._custom[name] = CustomVersion(resources, self._definitions)
            self.publish(name, Document(_digest([*self._basis(), custom.digest]), custom.v3))
        else:
            self._custom.pop(name, None)
            self.withdraw(name)

    def publish(self, name: str, document: Document) -> None:
        """Serve a document that somebody else renders."""
        self._published[name] = document
        self._known = None

    def withdraw(self, name: str) -> None:
        """Take back what was published."""
        self._published.pop(name, None)
        self._kept.pop(name, None)
        self._known = None

    def publish_part(self, name: str, digest: str, part: Part) -> None:
        """Make what another server serves a part of the v2 document.

        :param name: by which it is withdrawn; the order of names is that of their parts.
        :param digest: changes with the part.
        """
        self._parts[name] = digest, part

    def withdraw_part(self, name: str) -> None:
        self._parts.pop(name, None)

    def v3(self) -> Mapping[str, Document]:
        """The v3 documents by name."""
        if self._builtin is None:
            self._builtin = self._collect()
        if self._known is None:
            self._known = {**self._builtin, **self._published}
        return self._known

    def v2(self) -> Document:
        """The v2 document of all built-in kinds and custom resources, and of what other servers serve."""
        told = [document.hash for name, document in sorted(self.v3().items())
                if name not in self._published or name in self._custom]
        told += [digest for _, (digest, _) in sorted(self._parts.items())]
        return Document(_digest(told), self._render_v2)

    def compressed(self, name: str) -> tuple[str, bytes]:
        """A v3 document's hash, and the document in gzip format.

        :raises KeyError: for an unknown name.
        """
        return self._compressed(name, self.v3()[name])

    def compressed_v2(self, protobuf: bool = False) -> tuple[str, bytes]:
        """The v2 document, likewise; both of its forms have one hash."""
        document = self.v2()
        if protobuf:
            return self._compressed(_V2_PROTOBUF, Document(document.hash, self._render_protobuf))
        return self._compressed(_V2, document)

    def _compressed(self, name: str, document: Document) -> tuple[str, bytes]:
        kept = self._kept.get(name)
        if kept is None or kept[0] != document.hash:
            kept = self._kept[name] = document.hash, gzip.compress(document.render(), 6, mtime=0)
        return kept

    # -- what there is --------------------------------------------------------------------------------------

    def _collect(self) -> dict[str, Document]:
        groups = self._groups()
        basis = self._basis()
        documents = {"api": self._small(basis, api_root()), "apis": self._small(basis, apis_root())}
        for group in groups:
            if group.name:
                documents[f"apis/{group.name}"] = self._small(basis, group_root(group.name))
            for version in group.versions:
                prefix = "apis" if group.name else "api"
                documents[f"{prefix}/{version.group_version}"] = self._large(basis, version)
        paths = set(self._paths())
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
        return Document(_digest([*basis, operations[0].path]), partial(self._render_v3, operations, None))

    def _large(self, basis: list[object], version: APIGroupVersion) -> Document:
        resources = [[one.name, one.kind, one.namespaced, one.verbs, one.group, one.version]
                     for _, one in sorted(version.resources.items())]
        return Document(_digest([*basis, str(version.group_version), resources]),
                        partial(self._render_group_version, version))

    def _render_group_version(self, version: APIGroupVersion) -> bytes:
        operations = group_version_operations(version, self._definitions.name)
        return self._render_v3(operations, version.group_version)

    def _render_v3(self, operations: Iterable[Operation], group_version: GroupVersion | None) -> bytes:
        schemas = partial(self._definitions.v3, group_version=group_version)
        return render_v3(operations, schemas, {"title": "Kubernetes", "version": self._version})

    def _render_v2(self) -> bytes:
        custom = {name: schema for one in self._custom.values() for name, schema in one.v2_definitions.items()}
        own = render_v2(self._all_operations(), self._definitions, self._version, custom)
        if not self._parts:
            return own
        return orjson.dumps(merged(orjson.loads(own), [part for _, (_, part) in sorted(self._parts.items())]))

    def _render_protobuf(self) -> bytes:
        return to_protobuf(orjson.loads(gzip.decompress(self.compressed_v2()[1])))

    def _all_operations(self) -> Iterator[Operation]:
        yield from api_root()
        yield from apis_root()
        paths = set(self._paths())
        yield from (operation for name, operation in OTHERS.items() if f"/{name}" in paths)
        for group in self._groups():
            if group.name:
                yield from group_root(group.name)
            for version in group.versions:
                yield from group_version_operations(version, self._definitions.name)
        for one in self._custom.values():
            yield from one.operations()


def _digest(basis: list[object] | list[str]) -> str:
    return sha512(orjson.dumps(basis)).hexdigest().upper()
