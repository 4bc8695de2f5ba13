"""How objects, lists and watch events are encoded for a client: as they are, as a Table, or their metadata only."""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.api.errors import StatusError, plain_internal
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.codec.json import pretty
from kube_twisted.endpoints.formats import document, event
from kube_twisted.endpoints.negotiation import PROTOBUF, YAML, Representation
from kube_twisted.endpoints.request import Response
from kube_twisted.endpoints.scope import EndpointScope
from kube_twisted.registry.listing import ListResult
from kube_twisted.registry.printers.table import IncludeObject, partial_object_metadata, table, table_of_one
from kube_twisted.storage.cached import CachedObject

#: Go packages of internal types that are not named like the first part of their group.
_PACKAGES = {"": "core", "events.k8s.io": "core", "internal.apiserver.k8s.io": "apiserverinternal"}


def _internal_go_type(kind: GroupVersionKind) -> str:
    """The type that the original converts a built-in kind to, as its messages name it: ``core.Pod``."""
    return f"{_PACKAGES.get(kind.group) or kind.group.partition('.')[0]}.{kind.kind}"


class Encoder:
    """Encodes for one request.

    :param include_object: what a Table's rows carry: ``None``, ``Metadata`` or ``Object``.
    :ivar is_plain: whether objects are answered as the watch cache has them.
    """

    def __init__(self, scope: EndpointScope, chosen: Representation,
                 include_object: IncludeObject = "Metadata") -> None:
        self.scope = scope
        self.chosen = chosen
        self.include_object = include_object
        self.is_plain = not chosen.transform and scope.view is None and chosen.media_type != PROTOBUF
        self._hidden = scope.strategy.internal_annotations
        self._columns_sent = False

    # -- whole answers --------------------------------------------------------------------------------------------

    def object_response(self, item: CachedObject, code: int = 200) -> Response:
        """One object."""
        if self.is_plain:
            return self.bytes_response(item.body + b"\n", code)
        return self.answer(item.parse(), code)

    def answer(self, obj: dict[str, Any], code: int = 200) -> Response:
        """One object as data.

        :raises StatusError: 406 for who asked for a list, or 500, as the original answers for custom resources.
        """
        if self.chosen.transform == "PartialObjectMetadataList":
            if self._has_no_type:
                raise plain_internal("content is not a list")
            raise self._not_made("", "is not a list")
        return self.data_response(self._transformed(obj), code)

    def _not_made(self, suffix: str, what: str) -> StatusError:
        """406 for a form that a list, or one object, does not have; the request was carried out."""
        go_type = "unstructured.Unstructured" if self._has_no_type else _internal_go_type(self.scope.body_kind)
        return StatusError(406, "NotAcceptable", f"you requested {self.chosen.transform}, but the requested object "
                           f"{what} (*{go_type}{suffix})")

    @property
    def _has_no_type(self) -> bool:
        return self.scope.is_custom and self.scope.shown_kind is None

    def _transformed(self, obj: dict[str, Any]) -> dict[str, Any]:
        if self.chosen.transform == "Table":
            return table_of_one(self.scope.printer, self._printed(obj), self.include_object, self.scope.clock.seconds(),
                                headers=not self._columns_sent, version=self.chosen.meta_version, present=self._present,
                                hidden=self._hidden)
        if self.chosen.transform:
            shown = obj if self.scope.shown_kind is None else self.scope.show(obj)
            return partial_object_metadata(shown, self.chosen.meta_version, self._hidden)
        return self.scope.show(obj)

    def _printed(self, obj: dict[str, Any]) -> dict[str, Any]:
        """What a Table's cells are made of."""
        view = self.scope.view
        return obj if view is None or view.prints_hub else view.show(obj)

    def _present(self, printed: dict[str, Any]) -> dict[str, Any]:
        """The object of a Table's row."""
        view = self.scope.view
        return view.show(printed) if view is not None and view.prints_hub else printed

    def list_response(self, result: ListResult) -> Response:
        """A list of objects."""
        if self.is_plain:
            head = self.scope.list_head + orjson.dumps(self._list_meta(result.metadata()))
            if not result.items:
                return self.bytes_response(head + b',"items":[]}\n')
            if self.scope.is_custom:
                bodies = b",".join([item.body for item in result.items])
                return self.bytes_response(b"".join((head, b',"items":[', bodies, b"]}\n")))
            tails = b",{".join([item.tail for item in result.items])
            return self.bytes_response(b"".join((head, b',"items":[{', tails, b"]}\n")))
        return self.data_response(self._list_data([item.parse() for item in result.items], result.metadata()))

    def answer_list(self, objects: list[dict[str, Any]]) -> Response:
        """A list of objects that are not stored."""
        return self.data_response(self._list_data(objects, {}))

    def _list_data(self, objects: list[dict[str, Any]], metadata: dict[str, Any]) -> dict[str, Any]:
        scope, version = self.scope, self.chosen.meta_version
        if self.chosen.transform == "Table":
            printed = map(self._printed, objects)
            return table(scope.printer, printed, metadata, self.include_object, scope.clock.seconds(),
                         version=version, present=self._present, hidden=self._hidden)
        if self.chosen.transform == "PartialObjectMetadata":
            raise self._not_made("List", "is a list")
        if self.chosen.transform:
            items = [partial_object_metadata(one, version, self._hidden) for one in objects]
            return {"kind": "PartialObjectMetadataList", "apiVersion": f"meta.k8s.io/{version}",
                    "metadata": metadata, "items": items or None}
        items = [scope.show(one) for one in objects]
        if not scope.is_custom:
            for one in items:
                del one["kind"], one["apiVersion"]
        return {**scope.list_type, "metadata": self._list_meta(metadata), "items": items}

    def _list_meta(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """Lists of custom resources always say how to go on."""
        return {"continue": "", **metadata} if self.scope.is_custom else metadata

    def bytes_response(self, body: bytes, code: int = 200) -> Response:
        """An answer that is encoded as a line of JSON already."""
        if self.chosen.media_type == YAML:
            return self.data_response(orjson.loads(body), code)
        return Response(code, pretty(body) if self.chosen.pretty else body)

    def data_response(self, data: dict[str, Any], code: int = 200) -> Response:
        """An answer that is data, with kind and version."""
        return document(self.chosen, data, code)

    # -- watch frames ---------------------------------------------------------------------------------------------

    @property
    def shared_as(self) -> object | None:
        """Encoders that have this in common make the same frames; None for frames that are one client's own."""
        chosen = self.chosen
        if chosen.transform == "Table" or self.scope.view is not None:
            return None
        return self.scope.kind, chosen.media_type, chosen.transform, chosen.meta_version

    def frame(self, type_: str, item: CachedObject) -> bytes:
        """One watch event."""
        if self.is_plain:
            return b"".join((b'{"type":"', type_.encode(), b'","object":', item.encoding.head, item.tail, b"}\n"))
        return self._data_frame(type_, self._event_object(item.parse()))

    def _event_object(self, obj: dict[str, Any]) -> dict[str, Any]:
        document = self._transformed(obj)
        self._columns_sent = True
        return document

    def _data_frame(self, type_: str, data: dict[str, Any]) -> bytes:
        return event(self.chosen.media_type, type_, data)

    def error(self, error: StatusError) -> bytes:
        """An ERROR event."""
        return self._data_frame("ERROR", error.status())

    def bookmark(self, revision: int, initial_end: bool = False) -> bytes:
        """A BOOKMARK event: the kind's zero object with a resourceVersion.

        :param initial_end: marks the end of the initial events (KEP-3157).
        """
        zero = self.scope.zero_object
        metadata = {**zero.get("metadata", {}), "resourceVersion": str(revision)}
        if initial_end:
            metadata["annotations"] = {**metadata.get("annotations", {}), "k8s.io/initial-events-end": "true"}
        zero = {**zero, "metadata": metadata}
        if not self.chosen.transform:
            return self._data_frame("BOOKMARK", zero)
        return self._data_frame("BOOKMARK", self._event_object(zero))
