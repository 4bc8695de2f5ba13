"""The schema of one version of a custom resource, and everything that is done with it to objects."""

from __future__ import annotations

from attrs import frozen

from kube_twisted.api.field import FieldError
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.apiextensions.definition import Definition, Version
from kube_twisted.cel.validations import Rules, compile_rules
from kube_twisted.codec.body import keep_reset
from kube_twisted.registry.strategy import Obj
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.schema.structural.default_pruning import prune_defaults
from kube_twisted.schema.structural.defaulting import default
from kube_twisted.schema.structural.embedded import validate_embedded
from kube_twisted.schema.structural.list_types import validate_lists
from kube_twisted.schema.structural.model import Structural, compile_schema
from kube_twisted.schema.structural.objectmeta import coerce_metadata
from kube_twisted.schema.structural.ownership import ownership
from kube_twisted.schema.structural.reading import read
from kube_twisted.schema.structural.validation import validate, validate_update
from kube_twisted.schema.types import Struct

_OBJECT_META = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"


@frozen
class VersionSchema:
    """A structural schema at work.

    :ivar meta: the type of metadata.
    :ivar rules: its ``x-kubernetes-validations``; None without any.
    :ivar prunes: whether fields that the schema does not know are dropped; only definitions from before v1 keep them.
    """

    node: Structural
    meta: Struct
    rules: Rules | None
    prunes: bool

    @classmethod
    def make(cls, version: Version, definition: Definition, builtin: BuiltinSchema) -> VersionSchema:
        meta = builtin.definition(_OBJECT_META)
        node = prune_defaults(compile_schema(version.schema), meta)
        return cls(node, meta, compile_rules(version.schema), not definition.preserves_unknown_fields)

    # -- reading --------------------------------------------------------------------------------------------------

    def coerce(self, obj: Obj, *, stored: bool = False) -> list[str]:
        """Bring what was sent or stored to what the schema knows, in place; see :func:`read`.

        :returns: the paths of the fields that were dropped.
        :raises DecodeError: for a wrong type in metadata.
        """
        sent = _managers(obj)
        unknown = read(obj, self.node, self.meta, stored=stored, prunes=self.prunes)
        obj.setdefault("metadata", {})
        keep_reset(sent, obj)
        return unknown

    def default(self, obj: Obj) -> None:
        """Set the defaults, in place."""
        default(obj, self.node)

    def renew(self, obj: Obj) -> None:
        """What was stored, or converted, as the schema has it now."""
        self.coerce(obj, stored=True)
        self.default(obj)

    # -- validation -----------------------------------------------------------------------------------------------

    def validate(self, obj: Obj) -> list[FieldError]:
        """What is wrong with the values of a new object."""
        return validate(obj, self.node)

    def validate_update(self, obj: Obj, old: Obj) -> list[FieldError]:
        """What is wrong with the values that a change brings (KEP-4008)."""
        return validate_update(obj, old, self.node)

    def validate_status_update(self, obj: Obj, old: Obj) -> list[FieldError]:
        """Likewise for the status alone."""
        node = self.node.properties.get("status")
        if node is None or "status" not in obj:
            return []
        return validate_update(obj["status"], old.get("status"), node, "status")

    def validate_embedded(self, obj: Obj) -> list[FieldError]:
        """What is wrong with objects inside the object."""
        return validate_embedded(obj, self.node, self.meta)

    def validate_lists(self, obj: Obj, old: Obj | None = None) -> list[FieldError]:
        """Items that stand twice in sets and in lists with keys."""
        return validate_lists(obj, self.node, old)

    # -- field ownership ------------------------------------------------------------------------------------------

    def ownership(self, kind: GroupVersionKind) -> Struct:
        """The type of the kind as server-side apply sees it."""
        return ownership(self.node, kind, self.meta)


def read_metadata(obj: Obj, meta: Struct) -> list[str]:
    """Read nothing but the metadata of an object, in place.

    :returns: the paths of unknown fields.
    :raises DecodeError: for a wrong type.
    """
    sent = _managers(obj)
    unknown = coerce_metadata(obj, meta)
    obj.setdefault("metadata", {})
    keep_reset(sent, obj)
    return unknown


def _managers(obj: Obj) -> Obj:
    """What of an object tells that field ownership is to be forgotten."""
    meta = obj.get("metadata")
    if isinstance(meta, dict) and "managedFields" in meta:
        return {"metadata": {"managedFields": meta["managedFields"]}}
    return {}
