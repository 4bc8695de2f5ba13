"""StorageClasses: who provisions volumes and how, which never changes."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, required
from kube_twisted.registry import rules
from kube_twisted.registry.node_labels import DEPRECATED_NODE_LABELS
from kube_twisted.registry.storage.parameters import validate_parameters, validate_provisioner
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_RECLAIM, _BINDING = ("Delete", "Retain"), ("Immediate", "WaitForFirstConsumer")
_FIXED = (("parameters", None), ("provisioner", ""), ("reclaimPolicy", None), ("volumeBindingMode", None))


class StorageClassStrategy(Strategy):
    """Rules of ``storageclasses``."""

    returns_deleted_object = True

    def default(self, obj: Obj) -> None:
        obj.setdefault("reclaimPolicy", "Delete")
        obj.setdefault("volumeBindingMode", "Immediate")

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = validate_provisioner("provisioner", obj.get("provisioner", ""))
        errors += validate_parameters("parameters", obj.get("parameters", {}))
        if obj.get("reclaimPolicy"):
            errors += rules.one_of("reclaimPolicy", obj["reclaimPolicy"], _RECLAIM)
        if "volumeBindingMode" in obj:
            errors += rules.one_of("volumeBindingMode", obj["volumeBindingMode"], _BINDING)
        else:
            errors.append(required("volumeBindingMode"))
        return errors + _validate_topologies("allowedTopologies", obj.get("allowedTopologies", []))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj) + [
            error for name, absent in _FIXED
            for error in rules.immutable(name, obj.get(name, absent), old.get(name, absent))]

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        return [f"allowedTopologies[{number}].matchLabelExpressions[{index}].key: "
                f"{DEPRECATED_NODE_LABELS[one['key']]}"
                for number, term in enumerate(obj.get("allowedTopologies", []))
                for index, one in enumerate(term.get("matchLabelExpressions", []))
                if one.get("key") in DEPRECATED_NODE_LABELS]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)


def _validate_topologies(path: str, terms: list[dict[str, Any]]) -> list[FieldError]:
    errors: list[FieldError] = []
    seen: list[dict[str, set[str]]] = [{} for _ in terms]
    for index, term in enumerate(terms):
        at, found = f"{path}[{index}].matchLabelExpressions", {}
        for number, one in enumerate(term.get("matchLabelExpressions", [])):
            errors += _validate_expression(f"{at}[{number}]", one)
            if one.get("key", "") in found:
                errors.append(duplicate(f"{at}[{number}].key", one.get("key", "")))
            found[one.get("key", "")] = set(one.get("values") or [])
        errors += [duplicate(at, "") for other in seen if other == found]
        seen.append(found)
    return errors


def _validate_expression(path: str, one: dict[str, Any]) -> list[FieldError]:
    values = one.get("values") or []
    errors = [] if values else [required(f"{path}.values")]
    errors += [duplicate(f"{path}.values[{index}]", value) for index, value in enumerate(values)
               if value in values[:index]]
    return errors + rules.qualified_name(f"{path}.key", one.get("key", ""))


STRATEGY = StorageClassStrategy()
