"""Where a pod may run: affinity, tolerations, spread constraints and gates."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from kube_twisted.api.field import FieldError, duplicate, forbidden, invalid, not_supported, required
from kube_twisted.api.labels import validate_label_name, validate_label_selector
from kube_twisted.api.names import dns_label, dns_subdomain, label_value, qualified_name
from kube_twisted.registry.podspec.faultless import remembering_faultless
from kube_twisted.registry.podspec.options import Options
from kube_twisted.registry.rules import messages

Obj = dict[str, Any]
Errors = list[FieldError]

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_ACTIONS = ("DoNotSchedule", "ScheduleAnyway")
_INCLUSION = ("Honor", "Ignore")
_WEIGHT = "must be in the range 1-100"
_WITHOUT_SELECTOR = "must not be specified when labelSelector is not set"


def validate_affinity(path: str, affinity: Obj, options: Options) -> Errors:
    """``affinity`` of a pod spec."""
    errors: Errors = []
    if "nodeAffinity" in affinity:
        errors += _node_affinity(f"{path}.nodeAffinity", affinity["nodeAffinity"], options.any_node_values)
    for kind in ("podAffinity", "podAntiAffinity"):
        if kind in affinity:
            errors += _pod_affinity(f"{path}.{kind}", affinity[kind], options.any_selector_values)
    return errors


def _node_affinity(path: str, affinity: Obj, any_values: bool) -> Errors:
    errors: Errors = []
    if _REQUIRED in affinity:
        errors += validate_node_selector(f"{path}.{_REQUIRED}", affinity[_REQUIRED], any_values)
    for index, term in enumerate(affinity.get(_PREFERRED) or ()):
        here = f"{path}.{_PREFERRED}[{index}]"
        errors += _weight(here, term)
        errors += _node_term(f"{here}.preference", term.get("preference") or {}, any_values=True)
    return errors


def _weight(path: str, term: Obj) -> Errors:
    weight = term.get("weight", 0)
    return [] if 1 <= weight <= 100 else [invalid(f"{path}.weight", weight, _WEIGHT)]


def validate_node_selector(path: str, selector: Obj, any_values: bool = False) -> Errors:
    """A ``NodeSelector``.

    :param any_values: values need not be labels.
    """
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        return [required(f"{path}.nodeSelectorTerms", "must have at least one node selector term")]
    return [error for index, term in enumerate(terms)
            for error in _node_term(f"{path}.nodeSelectorTerms[{index}]", term, any_values)]


def _node_term(path: str, term: Obj, any_values: bool) -> Errors:
    errors: Errors = []
    for index, one in enumerate(term.get("matchExpressions") or ()):
        errors += _node_expression(f"{path}.matchExpressions[{index}]", one, any_values)
    for index, one in enumerate(term.get("matchFields") or ()):
        errors += _node_field(f"{path}.matchFields[{index}]", one)
    return errors


def _node_expression(path: str, expression: Obj, any_values: bool) -> Errors:
    operator, values = expression.get("operator", ""), expression.get("values") or ()
    errors: Errors = []
    if operator in ("In", "NotIn"):
        if not values:
            errors.append(required(f"{path}.values", "must be specified when `operator` is 'In' or 'NotIn'"))
    elif operator in ("Exists", "DoesNotExist"):
        if values:
            errors.append(forbidden(f"{path}.values",
                                    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
    elif operator in ("Gt", "Lt"):
        if len(values) != 1:
            errors.append(required(f"{path}.values",
                                   "must be specified single value when `operator` is 'Lt' or 'Gt'"))
    else:
        errors.append(invalid(f"{path}.operator", operator, "not a valid selector operator"))
    errors += validate_label_name(expression.get("key", ""), f"{path}.key")
    if not any_values:
        errors += [error for index, one in enumerate(values)
                   for error in messages(f"{path}.values[{index}]", one, label_value(one))]
    return errors


def _node_field(path: str, field: Obj) -> Errors:
    operator, key, values = field.get("operator", ""), field.get("key", ""), field.get("values") or ()
    errors: Errors = []
    if operator not in ("In", "NotIn"):
        errors.append(invalid(f"{path}.operator", operator, "not a valid selector operator"))
    elif len(values) != 1:
        errors.append(required(f"{path}.values",
                               "must be only one value when `operator` is 'In' or 'NotIn' for node field "
                               "selector"))
    if key != "metadata.name":
        return [*errors, invalid(f"{path}.key", key, "not a valid field selector key")]
    return errors + [error for index, one in enumerate(values)
                     for error in messages(f"{path}.values[{index}]", one, dns_subdomain(one))]


def _pod_affinity(path: str, affinity: Obj, any_values: bool) -> Errors:
    errors: Errors = []
    for index, term in enumerate(affinity.get(_REQUIRED) or ()):
        errors += _pod_term(f"{path}.{_REQUIRED}[{index}]", term, any_values)
    for index, weighted in enumerate(affinity.get(_PREFERRED) or ()):
        here = f"{path}.{_PREFERRED}[{index}]"
        errors += _weight(here, weighted)
        errors += _pod_term(f"{here}.podAffinityTerm", weighted.get("podAffinityTerm") or {}, any_values)
    return errors


def _pod_term(path: str, term: Obj, any_values: bool) -> Errors:
    errors: Errors = []
    for name in ("labelSelector", "namespaceSelector"):
        errors += validate_label_selector(term.get(name), f"{path}.{name}", allow_invalid_values=any_values)
    for namespace in term.get("namespaces") or ():
        errors += messages(f"{path}.namespace", namespace, dns_label(namespace))
    errors += _label_keys(path, term)
    key = term.get("topologyKey", "")
    if not key:
        errors.append(required(f"{path}.topologyKey", "can not be empty"))
    return errors + validate_label_name(key, f"{path}.topologyKey")


def _label_keys(path: str, term: Obj) -> Errors:
    """matchLabelKeys and mismatchLabelKeys (KEP-3633, KEP-3243), after they were merged into the selector."""
    matched, mismatched = term.get("matchLabelKeys") or (), term.get("mismatchLabelKeys") or ()
    if not matched and not mismatched:
        return []
    selector = term.get("labelSelector")
    errors: Errors = []
    for name, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", mismatched)):
        if keys and selector is None:
            errors.append(forbidden(f"{path}.{name}", _WITHOUT_SELECTOR))
        elif selector is not None:
            errors += [error for index, key in enumerate(keys)
                       for error in validate_label_name(key, f"{path}.{name}[{index}]")]
    if selector is not None:
        errors += _keys_in_both(path, matched, selector)
    return errors + [
        invalid(f"{path}.matchLabelKeys[{index}]", key, "exists in both matchLabelKeys and mismatchLabelKeys")
        for index, key in enumerate(matched) if key in mismatched]


def _keys_in_both(path: str, matched: Collection[str], selector: Obj) -> Errors:
    places = {key: index for index, key in enumerate(matched)}
    seen = set(selector.get("matchLabels") or ())
    errors: Errors = []
    for expression in selector.get("matchExpressions") or ():
        key = expression.get("key", "")
        if key in places and key in seen:
            errors.append(invalid(f"{path}[{places[key]}]", key,
                                  "exists in both matchLabelKeys and labelSelector"))
        seen.add(key)
    return errors


def validate_spread(path: str, constraints: list[Obj]) -> Errors:
    """``topologySpreadConstraints`` of a pod spec (KEP-895)."""
    errors: Errors = []
    for index, constraint in enumerate(constraints):
        here, action = f"{path}[{index}]", constraint.get("whenUnsatisfiable", "")
        key = constraint.get("topologyKey", "")
        errors += _positive(f"{here}.maxSkew", constraint.get("maxSkew", 0))
        if not key:
            errors.append(required(f"{here}.topologyKey", "can not be empty"))
        if action not in _ACTIONS:
            errors.append(not_supported(f"{here}.whenUnsatisfiable", action, _ACTIONS))
        if any(key == other.get("topologyKey", "") and action == other.get("whenUnsatisfiable", "")
               for other in constraints[index + 1:]):
            errors.append(duplicate(f"{here}.{{topologyKey, whenUnsatisfiable}}", f"{{{key}, {action}}}"))
        errors += _spread_details(here, constraint, action)
    return errors


def _spread_details(path: str, constraint: Obj, action: str) -> Errors:
    errors: Errors = []
    minimum = constraint.get("minDomains")
    if minimum is not None:
        errors += _positive(f"{path}.minDomains", minimum)
        if action != "DoNotSchedule":
            errors.append(invalid(f"{path}.minDomains", minimum, "can only use minDomains if "
                                  f"whenUnsatisfiable=DoNotSchedule, not {action}"))
    for name in ("nodeAffinityPolicy", "nodeTaintsPolicy"):
        if name in constraint and constraint[name] not in _INCLUSION:
            errors.append(not_supported(f"{path}.{name}", constraint[name], _INCLUSION))
    errors += _label_keys(path, constraint)
    return errors + validate_label_selector(constraint.get("labelSelector"), f"{path}.labelSelector")


def _positive(path: str, number: int) -> Errors:
    return [] if number > 0 else [invalid(path, number, "must be greater than zero")]


@remembering_faultless
def validate_tolerations(path: str, tolerations: list[Obj]) -> Errors:
    """``tolerations`` of a pod spec."""
    errors: Errors = []
    for index, toleration in enumerate(tolerations):
        here, key, operator = f"{path}[{index}]", toleration.get("key", ""), toleration.get("operator", "")
        effect = toleration.get("effect", "")
        if key:
            errors += validate_label_name(key, f"{here}.key")
        elif operator != "Exists":
            errors.append(invalid(f"{here}.operator", operator,
                                  "operator must be Exists when `key` is empty, which "
                                                                'means "match all values and all keys"'))
        if "tolerationSeconds" in toleration and effect != "NoExecute":
            errors.append(invalid(f"{here}.effect", effect,
                                  "effect must be 'NoExecute' when `tolerationSeconds` is set"))
        errors += _operator(f"{here}.operator", operator, toleration.get("value", ""))
        if effect and effect not in _EFFECTS:
            errors.append(not_supported(f"{here}.effect", effect, _EFFECTS))
    return errors


def _operator(path: str, operator: str, value: str) -> Errors:
    if operator in ("", "Equal"):
        bad = label_value(value)
        return [invalid(path, value, ";".join(bad))] if bad else []
    if operator == "Exists":
        return [invalid(path, value, "value must be empty when `operator` is 'Exists'")] if value else []
    known = ("Equal", "Exists", "Lt", "Gt") if operator in ("Lt", "Gt") else ("Equal", "Exists")
    return [not_supported(path, operator, known)]


def validate_gates(path: str, spec: Obj) -> Errors:
    """``readinessGates`` and ``schedulingGates`` of a pod spec."""
    errors: Errors = []
    for index, gate in enumerate(spec.get("readinessGates") or ()):
        name = gate.get("conditionType", "")
        errors += messages(f"{path}.readinessGates[{index}].conditionType", name, qualified_name(name))
    seen: set[str] = set()
    for index, gate in enumerate(spec.get("schedulingGates") or ()):
        name = gate.get("name", "")
        errors += messages(f"{path}.schedulingGates[{index}]", name, qualified_name(name))
        if name in seen:
            errors.append(duplicate(f"{path}.schedulingGates[{index}]", name))
        seen.add(name)
    return errors
