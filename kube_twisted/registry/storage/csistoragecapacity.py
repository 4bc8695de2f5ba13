"""CSIStorageCapacities: how much storage of a class there is where (KEP-1472)."""

from __future__ import annotations

from kube_twisted.api.field import FieldError
from kube_twisted.registry import rules
from kube_twisted.registry.core.resource_names import non_negative_quantity
from kube_twisted.registry.node_labels import DEPRECATED_NODE_LABELS, expression_warnings
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class CSIStorageCapacityStrategy(Strategy):
    """Rules of ``csistoragecapacities``."""

    allow_unconditional_update = False

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate(obj, {})

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = _validate(obj, old)
        errors += rules.immutable("nodeTopology", obj.get("nodeTopology"), old.get("nodeTopology"))
        return errors + rules.immutable("storageClassName", obj.get("storageClassName", ""),
                                        old.get("storageClassName", ""))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        topology = obj.get("nodeTopology", {})
        warnings = expression_warnings("nodeTopology.matchExpressions", topology.get("matchExpressions", []))
        return warnings + [f"nodeTopology.matchLabels.{key}: {DEPRECATED_NODE_LABELS[key]}"
                           for key in sorted(topology.get("matchLabels", {})) if key in DEPRECATED_NODE_LABELS]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)


def _validate(obj: Obj, old: Obj) -> list[FieldError]:
    errors = rules.label_selector("nodeTopology", obj.get("nodeTopology"), old.get("nodeTopology"))
    errors += rules.dns_subdomain("storageClassName", obj.get("storageClassName", ""))
    return errors + (non_negative_quantity("capacity", obj["capacity"]) if "capacity" in obj else [])


STRATEGY = CSIStorageCapacityStrategy()
