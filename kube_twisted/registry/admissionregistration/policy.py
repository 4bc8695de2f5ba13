"""What validating and mutating admission policies share, and their bindings too (KEP-3488, KEP-3962)."""

from __future__ import annotations

import re
from typing import Any

from kube_twisted.api import names
from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.api.gvk import GroupVersion
from kube_twisted.registry import rules
from kube_twisted.registry.admissionregistration.expressions import Expressions
from kube_twisted.registry.admissionregistration.match import default_match_resources
from kube_twisted.registry.admissionregistration.names import NamedConfiguration
from kube_twisted.registry.strategy import Obj

_IDENTIFIER = re.compile(r"[_a-zA-Z][_a-zA-Z0-9]*")
_RESERVED = frozenset({
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if",
    "import",
    "let", "loop", "package", "namespace", "return", "var", "void", "while",
})
_EXCLUSIVE = "name and selector are mutually exclusive"


class PolicyStrategy(NamedConfiguration):
    """Facts and defaults of both kinds of policies."""

    allow_unconditional_update = False
    has_generation = True

    def default(self, obj: Obj) -> None:
        spec = obj.setdefault("spec", {})
        spec.setdefault("failurePolicy", "Fail")
        default_match_resources(spec.get("matchConstraints"))


class PolicyBindingStrategy(NamedConfiguration):
    """Facts and defaults of both kinds of bindings."""

    allow_unconditional_update = False
    has_generation = True

    def default(self, obj: Obj) -> None:
        default_match_resources(obj.get("spec", {}).get("matchResources"))


def validate_param_kind(path: str, kind: dict[str, Any]) -> list[FieldError]:
    """The kind of a policy's parameters."""
    version, name, errors = kind.get("apiVersion", ""), kind.get("kind", ""), []
    if not version:
        errors.append(required(f"{path}.apiVersion"))
    else:
        errors += _validate_group_version(f"{path}.apiVersion", version)
    if not name:
        errors.append(required(f"{path}.kind"))
    else:
        wrong = names.dns1035_label(name.lower())
        if wrong:
            errors.append(invalid(f"{path}.kind", name,
                                  f"may have mixed case, but should otherwise match: {','.join(wrong)}"))
    return errors


def _validate_group_version(path: str, text: str) -> list[FieldError]:
    try:
        parsed = GroupVersion.parse(text)
    except ValueError as error:
        return [invalid(path, text, str(error))]
    wrong = names.dns_subdomain(parsed.group) if parsed.group else []
    errors = [invalid(path, parsed.group, ",".join(wrong))] if wrong else []
    if not parsed.version:
        return [*errors, invalid(path, text, "version must be specified")]
    wrong = names.dns1035_label(parsed.version)
    return errors + ([invalid(path, parsed.version, ",".join(wrong))] if wrong else [])


def validate_variables(path: str, variables: list[dict[str, Any]], expressions: Expressions) -> list[FieldError]:
    """Every variable has a name that CEL allows and an expression that compiles.

    :param expressions: of the policy; those that follow may name the variables.
    """
    errors = []
    for index, one in enumerate(variables):
        at, name = f"{path}[{index}]", one.get("name", "")
        if not name.strip():
            errors.append(required(f"{at}.name", "name is not specified"))
        elif not _IDENTIFIER.fullmatch(name) or name in _RESERVED:
            errors.append(invalid(f"{at}.name", name, "must be a valid CEL identifier"))
        expression = one.get("expression", "")
        if not expression.strip():
            errors.append(required(f"{at}.expression", "expression is not specified"))
            continue
        errors += expressions.check_variable(f"{at}.expression", name, expression)
    return errors


def validate_binding(spec: Obj) -> list[FieldError]:
    """The policy's name and the reference to parameters."""
    name = spec.get("policyName", "")
    errors = rules.dns_subdomain("spec.policyName", name) if name else [required("spec.policyName")]
    return errors + (_validate_param_ref("spec.paramRef", spec["paramRef"]) if "paramRef" in spec else [])


def _validate_param_ref(path: str, reference: dict[str, Any]) -> list[FieldError]:
    name, selector, errors = reference.get("name", ""), reference.get("selector"), []
    if name:
        errors += rules.path_segment(f"{path}.name", name)
        if selector is not None:
            errors.append(forbidden(f"{path}.name", _EXCLUSIVE))
    if selector is not None:
        errors += rules.label_selector(f"{path}.selector", selector)
        if name:
            errors.append(forbidden(f"{path}.selector", _EXCLUSIVE))
    if not name and selector is None:
        errors.append(required(path, "one of name or selector must be specified"))
    action, at = reference.get("parameterNotFoundAction"), f"{path}.parameterNotFoundAction"
    if not action:
        errors.append(required(at))
    elif action not in ("Deny", "Allow"):
        errors.append(not_supported(at, action, ("Deny", "Allow")))
    return errors
