"""CustomResourceDefinitions are deleted in two steps: first their objects, then they themselves.

Source of the rules: the Kubernetes documentation, "Extend the Kubernetes API with CustomResourceDefinitions: Delete
a CustomResourceDefinition".
"""

from __future__ import annotations

from kube_twisted.registry.apiextensions.conditions import CLEANUP_FINALIZER, TERMINATING, condition, set_condition
from kube_twisted.registry.strategy import Obj
from kube_twisted.registry.two_step_store import TwoStepStore
from kube_twisted.registry.write import Write

_PENDING = condition(TERMINATING, "True", "InstanceDeletionPending", "CustomResourceDefinition marked for deletion; "
                     "CustomResource deletion will begin soon")


class CustomResourceDefinitionStore(TwoStepStore):
    """The store of CustomResourceDefinitions."""

    def terminate(self, obj: Obj, write: Write) -> None:
        meta = obj["metadata"]
        meta["deletionTimestamp"] = write.ctx.now
        finalizers = meta.get("finalizers") or []
        if CLEANUP_FINALIZER not in finalizers:
            meta["finalizers"] = [*finalizers, CLEANUP_FINALIZER]
        set_condition(obj, _PENDING, write.ctx.now)
