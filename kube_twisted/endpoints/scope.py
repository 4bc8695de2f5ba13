"""Everything that the verbs need to know about one resource or subresource in one version."""

from __future__ import annotations

from functools import cached_property

import orjson
from attrs import define, field

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.api.gvk import GroupResource, GroupVersionKind, GroupVersionResource
from kube_twisted.registry.conversion import Conversion
from kube_twisted.registry.printers.column import Printer
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.decode import decode
from kube_twisted.schema.types import Struct
from kube_twisted.util.clock import Clock


@define
class RequestScope:
    """One endpoint's facts, made once when its group is installed.

    :ivar kind: of the objects sent and answered here.
    :ivar strategy: of this resource or subresource.
    :ivar conversion: between this version and the storage version; None when they are the same.
    """

    resource: GroupVersionResource
    kind: GroupVersionKind
    namespaced: bool
    subresource: str
    store: Store
    strategy: Strategy
    schema: BuiltinSchema
    struct: Struct
    admission: AdmissionChain
    printer: Printer
    clock: Clock
    conversion: Conversion | None = None
    verbs: tuple[str, ...] = ()
    patch_types: tuple[str, ...] = field(default=())

    @cached_property
    def group_resource(self) -> GroupResource:
        return self.resource.group_resource

    @cached_property
    def list_head(self) -> bytes:
        """A list's JSON up to its metadata."""
        return orjson.dumps({"kind": self.kind.kind + "List", "apiVersion": self.kind.api_version})[:-1] + b',"metadata":'

    @cached_property
    def zero_object(self) -> Obj:
        """The kind with nothing set, as Go encodes it: what bookmarks carry."""
        return decode(self.struct, {"kind": self.kind.kind, "apiVersion": self.kind.api_version}, None)

    def to_hub(self, obj: Obj) -> Obj:
        """An object of this version in the storage version."""
        return self.conversion.to_hub(obj) if self.conversion is not None else obj

    def from_hub(self, obj: Obj) -> Obj:
        """An object of the storage version in this version."""
        return self.conversion.from_hub(obj) if self.conversion is not None else obj
