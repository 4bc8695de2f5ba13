"""How what clients send becomes objects of an endpoint's kind: bodies, patched documents, merged ones."""

from __future__ import annotations

from collections.abc import Collection, Container
from typing import Any, Protocol

from attrs import frozen

from kube_twisted.api.gvk import GroupVersion, GroupVersionKind
from kube_twisted.codec.body import Decoded, MediaType, decode_body
from kube_twisted.endpoints.patched import decode_patched, read_merged
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import canonical, decode
from kube_twisted.schema.types import Struct


class Reading(Protocol):
    """Reads objects of one kind; defaults are not its business."""

    def body(self, raw: bytes, media_type: MediaType, accepts: Collection[GroupVersion] = ()) -> Decoded:
        """The object of a request's body.

        :param accepts: further versions of which the body may be.
        :raises StatusError: 400 for what can't be understood.
        """

    def patched(self, document: Any, duplicates: list[str], relatives: Container[GroupVersionKind] = ()) -> Decoded:
        """What a patch made of an object, in the version that it names.

        :param duplicates: messages about duplicate fields of the patch.
        :param relatives: other versions of the kind, of which the caller can make the expected one.
        :raises ValueError: when it no longer is an object of the kind.
        """

    def merged(self, document: Any, duplicates: list[str]) -> Decoded:
        """What a strategic merge or an apply made of an object.

        :raises ValueError: when it does not fit the kind.
        """

    def live(self, obj: Obj) -> Obj:
        """An object with its fields in the order in which messages about patches show them."""

    def zero(self, extra: Obj) -> Obj:
        """The kind with nothing set.

        :param extra: what its internal form always has.
        """


@frozen
class BuiltinReading:
    """Reads objects of a built-in kind.

    :ivar struct: the kind's type.
    """

    kind: GroupVersionKind
    struct: Struct
    schema: BuiltinSchema

    def body(self, raw: bytes, media_type: MediaType, accepts: Collection[GroupVersion] = ()) -> Decoded:
        return decode_body(raw, media_type, self.kind, self.schema, accepts)

    def patched(self, document: Any, duplicates: list[str], relatives: Container[GroupVersionKind] = ()) -> Decoded:
        return decode_patched(document, self.kind, self.schema, duplicates, relatives)

    def merged(self, document: Any, duplicates: list[str]) -> Decoded:
        return read_merged(document, self.kind, self.schema, duplicates)

    def live(self, obj: Obj) -> Obj:
        found: Obj = canonical(self.struct, obj)
        return found

    def zero(self, extra: Obj) -> Obj:
        return decode(self.struct, {"kind": self.kind.kind, "apiVersion": self.kind.api_version, **extra}, None)
