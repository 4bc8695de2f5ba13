"""FlowSchemas: which requests belong to which priority level (KEP-1040)."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, forbidden, invalid, not_supported, required
from kube_twisted.registry import rules
from kube_twisted.registry.flowcontrol.conditions import ConditionsStatusStrategy, validate_conditions
from kube_twisted.registry.flowcontrol.internal import flow_schema_spec
from kube_twisted.registry.flowcontrol.mandatory import FLOW_SCHEMAS
from kube_twisted.registry.flowcontrol.policy_rules import validate_policy_rules
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_MAX_PRECEDENCE = 10000
_DISTINGUISHERS = ("ByNamespace", "ByUser")
#: kind -> its field
_SUBJECTS = {"ServiceAccount": "serviceAccount", "User": "user", "Group": "group"}


class FlowSchemaStrategy(Strategy):
    """Rules of ``flowschemas``."""

    has_generation = True
    reset_fields = (("status",),)

    def default(self, obj: Obj) -> None:
        if not obj.setdefault("spec", {}).get("matchingPrecedence"):
            obj["spec"]["matchingPrecedence"] = 1000

    def prepare_for_create(self, ctx: WriteContext, obj: Obj) -> None:
        obj["status"] = {}

    def prepare_for_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> None:
        obj["status"] = old.get("status", {})

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        name, spec = obj["metadata"].get("name", ""), obj["spec"]
        errors = _validate_spec(name, spec)
        if name in FLOW_SCHEMAS and spec != FLOW_SCHEMAS[name]:
            errors.append(invalid("spec", flow_schema_spec(spec), f"spec of '{name}' must equal the fixed value"))
        return errors + validate_conditions(obj)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return self.validate(ctx, obj)


def _validate_spec(name: str, spec: Obj) -> list[FieldError]:
    precedence, path = spec.get("matchingPrecedence", 0), "spec.matchingPrecedence"
    errors = []
    if precedence <= 0:
        errors.append(invalid(path, precedence, "must be a positive value"))
    if precedence > _MAX_PRECEDENCE:
        errors.append(invalid(path, precedence, f"must not be greater than {_MAX_PRECEDENCE}"))
    if precedence == 1 and name != "exempt":
        errors.append(invalid(path, precedence,
                              "only the schema named 'exempt' may have matchingPrecedence 1"))
    method = spec.get("distinguisherMethod")
    if method is not None and method.get("type") not in _DISTINGUISHERS:
        errors.append(not_supported("spec.distinguisherMethod.type", {"Type": method.get("type", "")},
                                    _DISTINGUISHERS))
    level = spec.get("priorityLevelConfiguration", {}).get("name", "")
    at = "spec.priorityLevelConfiguration.name"
    errors += rules.dns_subdomain(at, level) if level else [required(at, "must reference a priority level")]
    for index, rule in enumerate(spec.get("rules", [])):
        errors += _validate_rule(f"spec.rules[{index}]", rule)
    return errors


def _validate_rule(path: str, rule: dict[str, Any]) -> list[FieldError]:
    subjects = rule.get("subjects") or []
    errors = [] if subjects else [required(f"{path}.subjects", "subjects must contain at least one value")]
    for index, subject in enumerate(subjects):
        errors += _validate_subject(f"{path}.subjects[{index}]", subject)
    return errors + validate_policy_rules(path, rule)


def _validate_subject(path: str, subject: dict[str, Any]) -> list[FieldError]:
    kind = subject.get("kind", "")
    if kind not in _SUBJECTS:
        return [not_supported(f"{path}.kind", kind, sorted(_SUBJECTS))]
    field = _SUBJECTS[kind]
    errors = _validate_named(f"{path}.{field}", subject.get(field), kind, field)
    return errors + [forbidden(f"{path}.{other}", f"{other} is forbidden when subject kind is not '{owner}'")
                     for owner, other in _SUBJECTS.items() if owner != kind and other in subject]


def _validate_named(path: str, subject: dict[str, Any] | None, kind: str, field: str) -> list[FieldError]:
    if subject is None:
        return [required(path, f"{field} is required when subject kind is '{kind}'")]
    name = subject.get("name", "")
    errors = [] if name else [required(f"{path}.name")]
    if kind == "ServiceAccount":
        if name and name != "*":
            errors += rules.dns_subdomain(f"{path}.name", name)
        namespace, at = subject.get("namespace", ""), f"{path}.namespace"
        errors += (rules.dns_label(at, namespace) if namespace
                   else [required(at, "must specify namespace for service account")])
    return errors


STRATEGY = FlowSchemaStrategy()
STATUS = ConditionsStatusStrategy(STRATEGY)
