"""MutatingAdmissionPolicies: patches written as expressions (KEP-3962)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.admissionregistration.expressions import APPLIED, PATCHES, Expressions
from kube_twisted.registry.admissionregistration.match import REINVOCATION_POLICIES
from kube_twisted.registry.admissionregistration.policy import PolicyStrategy
from kube_twisted.registry.admissionregistration.validatingadmissionpolicy import (
    validate_constraints,
    validate_policy_conditions,
    validate_policy_head,
)
from kube_twisted.registry.strategy import Obj, WriteContext

_OPERATIONS = ("*", "CONNECT", "CREATE", "UPDATE")
#: patch type -> the field of its expression, in the order of the message
_PATCHES = {"ApplyConfiguration": "applyConfiguration", "JSONPatch": "jsonPatch"}
_RESULTS = {"ApplyConfiguration": APPLIED, "JSONPatch": PATCHES}


class MutatingAdmissionPolicyStrategy(PolicyStrategy):
    """Rules of ``mutatingadmissionpolicies``."""

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], {})

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return _validate_spec(obj["spec"], old["spec"])


def _validate_spec(spec: Obj, old: Obj) -> list[FieldError]:
    errors = validate_policy_head(spec) + validate_constraints(spec)
    errors += validate_mutable("spec.matchConstraints", spec.get("matchConstraints", {}))
    expressions = Expressions("paramKind" in spec, has_variables=True)
    errors += validate_policy_conditions(spec, old, expressions)
    mutations = spec.get("mutations", [])
    if not mutations:
        errors.append(required("spec.mutations", "mutations must contain at least one item"))
    for index, one in enumerate(mutations):
        errors += _validate_mutation(f"spec.mutations[{index}]", one, expressions)
    return errors + rules.required_one_of("spec.reinvocationPolicy", spec.get("reinvocationPolicy", ""),
                                          REINVOCATION_POLICIES)


def validate_mutable(path: str, match: Obj) -> list[FieldError]:
    """What mutating policies and their bindings are about: operations that have an object to change."""
    return [not_supported(f"{path}.resourceRules.operations", operation, _OPERATIONS)
            for rule in match.get("resourceRules", [])
            for operation in rule.get("operations", []) if operation not in _OPERATIONS]


def _validate_mutation(path: str, one: dict[str, Any], expressions: Expressions) -> list[FieldError]:
    kind = one.get("patchType", "")
    if kind not in _PATCHES:
        return rules.required_one_of(f"{path}.patchType", kind, _PATCHES)
    field = _PATCHES[kind]
    errors = []
    if field not in one:
        errors.append(required(f"{path}.{field}", f"must be specified when patchType is {kind}"))
    elif not one[field].get("expression", "").strip():
        errors.append(required(f"{path}.{field}.expression"))
    else:
        errors += expressions.check(f"{path}.{field}.expression", one[field]["expression"].strip(), _RESULTS[kind])
    return errors + [invalid(f"{path}.{other}", f"{{{other}}}",
                             f"must not be specified when patchType is {kind}")
                     for other in _PATCHES.values() if other != field and other in one]


STRATEGY = MutatingAdmissionPolicyStrategy()
