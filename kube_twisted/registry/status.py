"""Status endpoints that leave metadata alone too."""

from __future__ import annotations

from kube_twisted.registry.strategy import Obj, StatusStrategy, WriteContext

_KEPT = ("annotations", "finalizers", "labels", "ownerReferences")


class IsolatedStatusStrategy(StatusStrategy):
    """A ``status`` endpoint whose writes change neither spec nor metadata."""

    reset_fields = (("metadata",), ("spec",))

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        super().prepare_for_update(ctx, obj, old)
        metadata, before = obj.setdefault("metadata", {}), old.get("metadata", {})
        for field in _KEPT:
            metadata.pop(field, None)
            if field in before:
                metadata[field] = before[field]
