"""RuntimeClasses: a handler that never changes, its overhead, and where its pods can run."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, duplicate, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.resource_names import validate_container_resource_name, validate_quantity
from kube_twisted.registry.node_labels import DEPRECATED_NODE_LABELS
from kube_twisted.registry.podspec.scheduling import validate_tolerations
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext


class RuntimeClassStrategy(Strategy):
    """Rules of ``runtimeclasses``."""

    allow_create_on_update = True
    allow_unconditional_update = False

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        handler = obj.get("handler", "")
        errors = rules.dns_label("handler", handler) if handler else [required("handler")]
        for name, amount in sorted(obj.get("overhead", {}).get("podFixed", {}).items()):
            path = f"overhead.limits[{name}]"
            errors += validate_container_resource_name(path, name) + validate_quantity(path, name, amount)
        scheduling = obj.get("scheduling", {})
        errors += rules.labels("scheduling.nodeSelector", scheduling.get("nodeSelector", {}))
        return errors + _validate_tolerations("scheduling.tolerations", scheduling.get("tolerations", []))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj) + rules.immutable("handler", obj.get("handler", ""),
                                                         old.get("handler", ""))

    def warnings_on_create(self, ctx: WriteContext, obj: Obj) -> list[str]:
        selector = obj.get("scheduling", {}).get("nodeSelector", {})
        return [f"scheduling.nodeSelector: {DEPRECATED_NODE_LABELS[key]}" for key in sorted(selector)
                if key in DEPRECATED_NODE_LABELS]

    def warnings_on_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[str]:
        return self.warnings_on_create(ctx, obj)


def _validate_tolerations(path: str, tolerations: list[dict[str, Any]]) -> list[FieldError]:
    errors = validate_tolerations(path, tolerations)
    seen = []
    for index, one in enumerate(tolerations):
        key = [one.get(name, "") for name in ("key", "operator", "value", "effect")]
        if key in seen:
            shown = {**dict(zip(("Key", "Operator", "Value", "Effect"), key, strict=True)),
                     "TolerationSeconds": one.get("tolerationSeconds")}
            errors.append(duplicate(f"{path}[{index}]", shown))
        seen.append(key)
    return errors


STRATEGY = RuntimeClassStrategy()
