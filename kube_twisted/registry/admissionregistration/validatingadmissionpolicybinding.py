"""ValidatingAdmissionPolicyBindings: where a policy applies, with which parameters, to what effect."""

from __future__ import annotations

from kube_twisted.api.field import FieldError, duplicate, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.admissionregistration.match import validate_match_resources
from kube_twisted.registry.admissionregistration.policy import PolicyBindingStrategy, validate_binding
from kube_twisted.registry.strategy import Obj, WriteContext

_ACTIONS = ("Audit", "Deny", "Warn")


class ValidatingAdmissionPolicyBindingStrategy(PolicyBindingStrategy):
    """Rules of ``validatingadmissionpolicybindings``."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        spec = obj["spec"]
        errors = validate_binding(spec)
        if "matchResources" in spec:
            errors += validate_match_resources("spec.matchResources", spec["matchResources"])
        return errors + _validate_actions("spec.validationActions", spec.get("validationActions", []))

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


def _validate_actions(path: str, actions: list[str]) -> list[FieldError]:
    errors = []
    for index, action in enumerate(actions):
        errors += rules.one_of(f"{path}[{index}]", action, _ACTIONS)
        if action in actions[:index]:
            errors.append(duplicate(f"{path}[{index}]", action))
    if {"Deny", "Warn"} <= set(actions):
        errors.append(invalid(path, actions,
                              "must not contain both Deny and Warn (repeating the same validation "
                              "failure information in the API response and headers serves no "
                              "purpose)"))
    return errors if actions else [required(path, "at least one validation action is required")]


STRATEGY = ValidatingAdmissionPolicyBindingStrategy()
