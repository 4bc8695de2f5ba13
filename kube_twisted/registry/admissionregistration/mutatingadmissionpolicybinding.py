"""MutatingAdmissionPolicyBindings: where a mutating policy applies, and with which parameters."""

from __future__ import annotations

from kube_twisted.api.field import FieldError
from kube_twisted.registry.admissionregistration.match import validate_match_resources
from kube_twisted.registry.admissionregistration.mutatingadmissionpolicy import validate_mutable
from kube_twisted.registry.admissionregistration.policy import PolicyBindingStrategy, validate_binding
from kube_twisted.registry.strategy import Obj, WriteContext


class MutatingAdmissionPolicyBindingStrategy(PolicyBindingStrategy):
    """Rules of ``mutatingadmissionpolicybindings``."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj["spec"]
        errors = validate_binding(spec)
        if "matchResources" in spec:
            errors += validate_match_resources("spec.matchResources", spec["matchResources"])
            errors += validate_mutable("spec.matchResources", spec["matchResources"])
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


STRATEGY = MutatingAdmissionPolicyBindingStrategy()
