"""The OpenAPI documents of a server: each is rendered when first asked for, and kept compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from kube_twisted.api.gvk import GroupVersion
from kube_twisted.endpoints.groupversion import APIGroup
from kube_twisted.endpoints.openapi.document import Document, RemoteDocument, digest_of
from kube_twisted.schema.builtin import BuiltinSchema

if TYPE_CHECKING:
    from kube_twisted.endpoints.openapi.custom import CustomResource, CustomVersion
    from kube_twisted.endpoints.openapi.merging import Document as Part
    from kube_twisted.endpoints.openapi.rendering import Renderer

#: The names under which the forms of the v2 document are kept.
_V2 = "v2"
_V2_PROTOBUF = "v2 protobuf"


class OpenAPIDocuments:
    """All documents by name: ``api/v1``, ``apis/apps``, ``apis/apps/v1``, ``version``.

    :param groups: those with built-in kinds; asked again after :meth:`invalidate`.
    :param paths: the fixed paths that the server has.
    :param version: of Kubernetes, such as ``1.36``.
    """

    def __init__(self, groups: Callable[[], list[APIGroup]], schema: BuiltinSchema,
                 paths: Callable[[], list[str]], version: str) -> None:
        self._groups = groups
        self._schema = schema
        self._paths = paths
        self._version = version
        self._published: dict[str, Document] = {}
        self._resources: dict[str, Sequence[CustomResource]] = {}
        self._custom: dict[str, CustomVersion] = {}
        self._builtin: dict[str, Document] | None = None
        self._known: dict[str, Document] | None = None
        self._kept: dict[str, tuple[str, bytes]] = {}
        #: v3 documents of other servers, by name; own ones of the same name count
        self.remote: Mapping[str, RemoteDocument] = {}
        self._parts: dict[str, tuple[str, Part]] = {}

    # -- what there is --------------------------------------------------------------------------------------

    def invalidate(self) -> None:
        """Something built in was installed or removed: look again. Documents whose hash is the same are kept."""
        self._builtin = self._known = None

    def publish_custom(self, group_version: GroupVersion, resources: Sequence[CustomResource]) -> None:
        """Tell of a group-version of custom resources, or no more when there are none left."""
        name = f"apis/{group_version}"
        if resources:
            self._resources[name] = resources
        else:
            self._resources.pop(name, None)
            self._kept.pop(name, None)
        self._custom.pop(name, None)
        self._known = None

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

    # -- documents ------------------------------------------------------------------------------------------

    def v3(self) -> Mapping[str, Document]:
        """The v3 documents by name."""
        if self._builtin is None:
            self._builtin = self._renderer.builtin(self._groups(), set(self._paths()))
        if self._known is None:
            custom = {name: self._renderer.custom_document(one) for name, one in self._custom_versions().items()}
            self._known = {**self._builtin, **custom, **self._published}
        return self._known

    def v2(self) -> Document:
        """The v2 document of all built-in kinds and custom resources, and of what other servers serve."""
        told = [document.hash for name, document in sorted(self.v3().items()) if name not in self._published]
        told += [digest for _, (digest, _) in sorted(self._parts.items())]
        return Document(digest_of(told), self._render_v2)

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

    # -- rendering ------------------------------------------------------------------------------------------

    @cached_property
    def _renderer(self) -> Renderer:
        from kube_twisted.endpoints.openapi.rendering import Renderer

        return Renderer(self._schema, self._version)

    def _custom_versions(self) -> Mapping[str, CustomVersion]:
        """Those of all custom resources; what is rendered of them is kept as long as they don't change."""
        for name, resources in self._resources.items():
            if name not in self._custom:
                self._custom[name] = self._renderer.custom(resources)
        return self._custom

    def _render_v2(self) -> bytes:
        return self._renderer.v2(self._groups(), set(self._paths()), list(self._custom_versions().values()),
                                 {name: part for name, (_, part) in self._parts.items()})

    def _render_protobuf(self) -> bytes:
        from kube_twisted.endpoints.openapi.rendering import protobuf_of

        return protobuf_of(self.compressed_v2()[1])
