"""Namespaces are deleted in two steps: Terminating first, gone when what is in them is gone.

Source of the rules: the Kubernetes documentation, "Namespaces", and upstream's namespace REST storage.
"""

from __future__ import annotations

from kube_twisted.registry.deletion import FOREGROUND, ORPHAN
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.two_step_store import TwoStepStore
from kube_twisted.registry.write import Write


class NamespaceStore(TwoStepStore):
    """The store of namespaces."""

    def should_delete_during_update(self, obj: Obj, old: Obj) -> bool:
        """Gone once ``spec.finalizers`` is empty too."""
        return not obj.get("spec", {}).get("finalizers") and super().should_delete_during_update(obj, old)

    def is_held(self, obj: Obj) -> bool:
        return bool(obj.get("spec", {}).get("finalizers"))

    def terminate(self, obj: Obj, write: Write) -> None:
        meta = obj["metadata"]
        meta["deletionTimestamp"] = write.ctx.now
        obj.setdefault("status", {})["phase"] = "Terminating"
        finalizers = [one for one in meta.get("finalizers") or () if one not in (ORPHAN, FOREGROUND)]
        for finalizer in (FOREGROUND, ORPHAN):
            if _wants(finalizer, meta.get("finalizers") or (), write.options):
                finalizers.append(finalizer)
        if finalizers:
            meta["finalizers"] = finalizers
        else:
            meta.pop("finalizers", None)


def _wants(finalizer: str, current: list[str] | tuple[str, ...], options: Obj) -> bool:
    orphan = options.get("orphanDependents")
    if orphan is not None:
        return bool(orphan) == (finalizer == ORPHAN)
    policy = options.get("propagationPolicy")
    if policy:
        return bool(policy == ("Orphan" if finalizer == ORPHAN else "Foreground"))
    return finalizer in current
