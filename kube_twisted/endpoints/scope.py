"""Everything that the verbs need to know about one resource or subresource in one version."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from functools import cached_property
from typing import Protocol

import orjson
from attrs import define, frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.versions import ObjectVersions
from kube_twisted.api.gvk import GroupResource, GroupVersionKind, GroupVersionResource
from kube_twisted.codec.protobuf.messages import message_of
from kube_twisted.endpoints.negotiation import (
    JSON,
    PLAIN,
    TRANSFORMS,
    WITHOUT_TABLES,
    Representation,
    negotiate,
    wants_pretty,
)
from kube_twisted.endpoints.reading import BuiltinReading, Reading
from kube_twisted.endpoints.request import Request
from kube_twisted.endpoints.versions import BuiltinVersions
from kube_twisted.registry.conversion import Conversion
from kube_twisted.registry.printers.column import Printer
from kube_twisted.registry.printers.finding import PrinterFinder, default_printer
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Obj, Strategy
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.types import Struct
from kube_twisted.util.clock import Clock


class View(Protocol):
    """How the objects of a store are seen at an endpoint that shows something else.

    :ivar prints_hub: whether Tables are made of the stored object, rather than of what is shown.
    """

    prints_hub: bool

    def show(self, hub: Obj) -> Obj:
        """What the endpoint answers for a stored object."""

    def before(self, hub: Obj) -> Obj:
        """What validating admission is shown of the object before a change."""

    def writable(self, hub: Obj) -> Obj:
        """What an update or patch starts from."""

    def merge(self, old: Obj | None, obj: Obj) -> Obj:
        """The stored object after ``obj`` was written here; ``old`` is the one before, None for a creation."""

    def as_stored(self, obj: Obj) -> Obj:
        """What is left of ``obj`` when it is written and read here."""


class Admission(Protocol):
    """Changes and refuses writes."""

    def admit(self, attributes: Attributes) -> Awaitable[None]:
        """Let mutating plugins change the object.

        :raises StatusError: when one refuses it.
        """

    def validate(self, attributes: Attributes) -> Awaitable[None]:
        """Let validating plugins look at the result.

        :raises StatusError: when one refuses it.
        """


class FieldOwnership(Protocol):
    """Keeps managedFields at one endpoint."""

    def update(self, live: Obj | None, new: Obj, manager: str, now: str) -> None:
        """Note in ``new`` who owns what it changes of ``live``."""

    def apply(self, live: Obj | None, patch: Obj, manager: str, force: bool, now: str) -> Obj:
        """The object after a server-side apply."""


@frozen
class ConversionView:
    """Another version of the same kind."""

    conversion: Conversion
    prints_hub = True

    def show(self, hub: Obj) -> Obj:
        return self.conversion.from_hub(hub)

    def before(self, hub: Obj) -> Obj:
        return self.conversion.from_hub(hub)

    def writable(self, hub: Obj) -> Obj:
        return self.conversion.from_hub(hub)

    def merge(self, old: Obj | None, obj: Obj) -> Obj:
        return self.conversion.to_hub(obj)

    def as_stored(self, obj: Obj) -> Obj:
        return self.conversion.from_hub(self.conversion.to_hub(obj))


def _no_defaults(_obj: Obj) -> None:
    """What is shown as another kind has all its fields."""


@define(kw_only=True)
class EndpointScope:
    """One endpoint's facts, made once when its group is installed.

    :ivar kind: of the resource's objects; at an endpoint whose objects are not stored, of what is sent there.
    :ivar shown_kind: of what is sent and answered here, where it is another, such as Scale.
    :ivar strategy: of this resource or subresource.
    :ivar printed_by: finds the printer of its Tables.
    :ivar view: how stored objects are seen here: another version, a Scale; None when they are as they are.
    :ivar relatives: other versions of the kind, and how they become the stored one; None for the stored one itself.
    :ivar read_by: reads what is sent here, where the kind is not built in.
    :ivar list_kind: of lists, where it is not the kind and ``List``.
    :ivar is_custom: whether the objects are custom resources, which the original handles as data without types: it has
        no router in front of them, each item of a list says its kind and version, and lists always say how to go on.
    :ivar converted_by: knows the versions of what is written here, where the kind is not built in.
    """

    resource: GroupVersionResource
    kind: GroupVersionKind
    namespaced: bool
    subresource: str
    strategy: Strategy
    schema: BuiltinSchema
    struct: Struct
    admission: Admission
    clock: Clock
    field_manager: FieldOwnership
    printed_by: PrinterFinder = default_printer
    view: View | None = None
    shown_kind: GroupVersionKind | None = None
    relatives: Mapping[GroupVersionKind, Conversion | None] = {}
    read_by: Reading | None = None
    list_kind: str = ""
    is_custom: bool = False
    converted_by: ObjectVersions | None = None

    @property
    def body_kind(self) -> GroupVersionKind:
        """The kind of the bodies of this endpoint."""
        return self.shown_kind or self.kind

    @cached_property
    def printer(self) -> Printer:
        """Makes the rows of Tables."""
        return self.printed_by()

    @cached_property
    def reading(self) -> Reading:
        """How what is sent here is read."""
        return self.read_by or BuiltinReading(self.body_kind, self.struct, self.schema)

    @cached_property
    def versions(self) -> ObjectVersions:
        """How what is written here looks in other versions."""
        if self.converted_by is not None:
            return self.converted_by
        if self.shown_kind is not None:
            return BuiltinVersions({}, self.schema, _no_defaults)
        conversions = {kind: one for kind, one in self.relatives.items() if one is not None}
        if isinstance(self.view, ConversionView):
            conversions[self.kind] = self.view.conversion
        return BuiltinVersions(conversions, self.schema, self.strategy.default)

    @cached_property
    def has_message(self) -> bool:
        """Whether the objects of this endpoint can be sent as protobuf: custom resources can't."""
        return message_of(self.body_kind) is not None

    def negotiate(self, request: Request, *, watchable: bool = False, tables: bool = True) -> Representation:
        """What the client accepts of what this endpoint can answer.

        :param watchable: whether there are watch events here.
        :param tables: whether there are Tables of what is answered here.
        :raises StatusError: 406.
        """
        accept = request.transport.header("accept")
        pretty = wants_pretty(request)
        if (accept is None or accept == JSON) and not pretty:
            return PLAIN
        transforms = TRANSFORMS if tables and self.strategy.has_tables else WITHOUT_TABLES
        return negotiate(accept, pretty, transforms=transforms, watchable=watchable,
                         protobuf=self.has_message, routed=not self.is_custom)

    @cached_property
    def group_resource(self) -> GroupResource:
        return self.resource.group_resource

    @cached_property
    def list_head(self) -> bytes:
        """A list's JSON up to its metadata."""
        return orjson.dumps(self.list_type)[:-1] + b',"metadata":'

    @cached_property
    def list_type(self) -> Obj:
        """Kind and version of a list."""
        return {"kind": self.list_kind or self.kind.kind + "List", "apiVersion": self.kind.api_version}

    @cached_property
    def zero_object(self) -> Obj:
        """The kind with nothing set: what bookmarks carry."""
        return self.reading.zero(self.strategy.internal_zero)

    def show(self, hub: Obj) -> Obj:
        """A stored object as this endpoint shows it."""
        return self.view.show(hub) if self.view is not None else hub

    def merge(self, old: Obj | None, obj: Obj) -> Obj:
        """What to store when ``obj`` is written at this endpoint."""
        return self.view.merge(old, obj) if self.view is not None else obj

    def from_relative(self, obj: Obj, kind: GroupVersionKind) -> Obj:
        """An object of another version as one of this endpoint's; one of its own stays as it is."""
        if kind not in self.relatives:
            return obj
        conversion = self.relatives[kind]
        return self.show(conversion.to_hub(obj) if conversion is not None else obj)

    def before(self, hub: Obj) -> Obj:
        """A stored object as validating admission is shown it beside what becomes of it."""
        return self.view.before(hub) if self.view is not None else hub

    def as_stored(self, obj: Obj) -> Obj:
        """An object that is written here, as it is read again."""
        return self.view.as_stored(obj) if self.view is not None else obj

    def writable(self, hub: Obj) -> Obj:
        """What an update or patch of a stored object starts from."""
        return self.view.writable(hub) if self.view is not None else hub


@define(kw_only=True)
class RequestScope(EndpointScope):
    """An endpoint over a store."""

    store: Store
    verbs: tuple[str, ...] = ()
    patch_types: tuple[str, ...] = ()
