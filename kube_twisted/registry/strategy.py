"""What the generic store asks about one resource: defaults, validation, what may change, how it is deleted.

Objects are plain dicts in the resource's storage version ("hub"), as decoded: known fields only, no nulls.
A strategy changes them in place. It holds no state of one request.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from attrs import frozen

from kube_twisted.api.field import FieldError
from kube_twisted.api.names import dns_subdomain
from kube_twisted.schema.types import Struct

Obj = dict[str, Any]


def _unread(_text: str) -> None:
    """Nobody reads the warnings of the server's own writes."""


@frozen
class WriteContext:
    """What a strategy may know about the write.

    :ivar now: the time in RFC 3339, whole seconds.
    :ivar username: who writes; groups, uid and extra beside it.
    :ivar add_warning: takes texts for ``Warning`` headers that validation comes upon.
    """

    now: str
    namespace: str = ""
    username: str = ""
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: tuple[tuple[str, tuple[str, ...]], ...] = ()
    dry_run: bool = False
    add_warning: Callable[[str], None] = _unread


class Strategy:
    """The behaviour of one resource; a subclass overrides what its kind does differently.

    Class attributes are facts, methods are rules. Source of the rules: the kind's ``strategy.go``,
    ``defaults.go`` and ``validation.go`` upstream, and the kind's API reference.
    """

    #: PUT and apply-patch of a missing name create it (``AllowCreateOnUpdate``).
    allow_create_on_update = False
    #: PUT without resourceVersion is allowed (``AllowUnconditionalUpdate``).
    allow_unconditional_update = True
    #: ``metadata.generation`` is kept: 1 on create, +1 when :meth:`generation_changed`.
    has_generation = False
    #: What deletion does to dependents when the client does not say.
    garbage_collection: Literal["background", "orphan", "unsupported"] = "background"
    #: DELETE answers the deleted object rather than a Status.
    returns_deleted_object = False
    #: Field labels that ``fieldSelector`` accepts besides ``metadata.name`` and ``metadata.namespace``;
    #: None means that only those two are known.
    field_labels: frozenset[str] | None = None
    #: There are Tables of the objects; a few status endpoints have none.
    has_tables = True
    #: What a 400 says of a field that can't be selected, where :attr:`field_labels` are not None.
    unknown_field_label = "field label not supported: {}"
    #: ``metadata.namespace`` can be selected, even where objects have none.
    selects_namespace = True
    #: Top-level paths that a write to the main endpoint resets, and that it so does not own.
    reset_fields: tuple[tuple[str, ...], ...] = ()
    #: Annotations that stand for fields of the kind's internal form; metadata that is shown alone lacks them.
    internal_annotations: frozenset[str] = frozenset()
    #: What is not left out of the kind's zero value, which bookmarks carry: fields that the internal form always has.
    internal_zero: Obj = {}

    #: Finalizers must be standard ones or have a domain; definitions of further APIs, and what they define, are free.
    strict_finalizers = True

    def for_kind(self, struct: Struct) -> Strategy:
        """The strategy of the kind with this type, for rules that need to know types."""
        return self

    def default(self, obj: Obj) -> None:
        """Fill in defaults, in the version the object was sent in; run after every decoding and patch."""

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        """Messages about a bad name; ``prefix`` when it is a generateName. The default rule: DNS subdomain."""
        return dns_subdomain(name, prefix)

    def name_rule(self, obj: Obj) -> Callable[[str, bool], list[str]]:
        """What judges the name of a new object, and its generateName: :meth:`validate_name` and no more, mostly."""
        return self.validate_name

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        """Reset and fill what a client may not set (status, generation is done by the store)."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        """All that is wrong with a new object, metadata apart."""
        return []

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return []

    def canonicalize(self, obj: Obj) -> None:
        """Bring a valid object to its one form, after validation."""

    def default_as_read(self, obj: Obj) -> None:
        """Fill in the defaults that a new object gets only when it is read from the store: admission has not seen them.

        kube-apiserver's are those of fields that ``prepare_for_create`` emptied, or that follow from what it filled in.
        """

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        """Take back from ``old`` what the endpoint does not let a client change."""

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        """All that is wrong with a change, metadata apart."""
        return []

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return []

    def warnings_on_delete(self, ctx: WriteContext, obj: Obj, options: Obj) -> list[str]:
        return []

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        """Whether an update raises the generation; the usual rule is a change of ``spec``."""
        return obj.get("spec") != old.get("spec")

    def check_graceful_delete(self, ctx: WriteContext, obj: Obj, options: Obj) -> bool:
        """Whether deletion waits; sets ``options["gracePeriodSeconds"]`` to what it should be when it does."""
        return False

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        """Values of the fields in :attr:`field_labels`."""
        return {}


class StatusStrategy(Strategy):
    """The ``status`` subresource of a resource: by default all but status is taken back from the old object.

    :param main: the resource's own strategy.
    """

    def __init__(self, main: Strategy) -> None:
        self.main = main
        self.allow_unconditional_update = main.allow_unconditional_update
        self.field_labels = main.field_labels
        self.internal_annotations = main.internal_annotations
        self.internal_zero = main.internal_zero

    reset_fields: tuple[tuple[str, ...], ...] = (("spec",),)

    def default(self, obj: Obj) -> None:
        self.main.default(obj)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        for key in [key for key in obj if key not in ("status", "metadata", "kind", "apiVersion")]:
            if key not in old:
                del obj[key]
        for key, value in old.items():
            if key not in ("status", "metadata", "kind", "apiVersion"):
                obj[key] = value

    def generation_changed(self, obj: Obj, old: Obj) -> bool:
        return False

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return self.main.selectable_fields(obj)
