"""Namespaces: always labelled with their name, kept by ``spec.finalizers`` until those are taken off."""

from __future__ import annotations

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, invalid
from kube_twisted.registry import rules
from kube_twisted.registry.strategy import Obj, StatusStrategy, Strategy, WriteContext

NAME_LABEL = "kubernetes.io/metadata.name"
_FINALIZER = "kubernetes"
_STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")


class NamespaceStrategy(Strategy):
    """Rules of ``namespaces``; main writes leave ``spec.finalizers`` and status as they are."""

    returns_deleted_object = True
    field_labels = frozenset({"status.phase"})
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        self.canonicalize(obj)
        obj.setdefault("status", {}).setdefault("phase", "Active")

    def validate_name(self, name: str, prefix: bool) -> list[str]:
        return names.dns_label(name, prefix)

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {"phase": "Active"}
        finalizers = obj.setdefault("spec", {}).setdefault("finalizers", [])
        if _FINALIZER not in finalizers:
            finalizers.append(_FINALIZER)

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["spec"], obj["status"] = old.get("spec", {}), old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = []
        for name in obj.get("spec", {}).get("finalizers", []):
            errors += validate_finalizer("spec.finalizers", name)
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)

    def canonicalize(self, obj: Obj) -> None:
        """Set the name label; done again after a generated name is known."""
        metadata = obj.get("metadata", {})
        if metadata.get("name"):
            metadata.setdefault("labels", {})[NAME_LABEL] = metadata["name"]

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        return {"status.phase": obj.get("status", {}).get("phase", "")}


class NamespaceStatusStrategy(StatusStrategy):
    """Rules of ``namespaces/status``: the phase agrees with ``deletionTimestamp``."""

    def canonicalize(self, obj: Obj) -> None:
        self.main.canonicalize(obj)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        deleting = bool(obj.get("metadata", {}).get("deletionTimestamp"))
        phase = obj.get("status", {}).get("phase", "")
        expected = "Terminating" if deleting else "Active"
        if phase == expected:
            return []
        empty = "is not empty" if deleting else "is empty"
        return [invalid("status.Phase", phase, f"may only be '{expected}' if `deletionTimestamp` {empty}")]


class NamespaceFinalizeStrategy(NamespaceStrategy):
    """Rules of ``namespaces/finalize``: only ``spec.finalizers`` (and metadata) changes."""

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = []
        for index, name in enumerate(obj.get("spec", {}).get("finalizers", [])):
            errors += validate_finalizer(f"spec.finalizers[{index}]", name)
        return errors


def validate_finalizer(path: str, name: str) -> list[FieldError]:
    """A finalizer of the core group: qualified by a domain unless it is a well-known one."""
    errors = rules.qualified_name(path, name)
    if "/" not in name and name not in _STANDARD_FINALIZERS:
        errors.append(invalid(path, name,
                              "name is neither a standard finalizer name nor is it fully qualified"))
    return errors


STRATEGY = NamespaceStrategy()
STATUS = NamespaceStatusStrategy(STRATEGY)
FINALIZE = NamespaceFinalizeStrategy()
