"""Table columns of the admissionregistration.k8s.io group."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import AGE, NAME, UNSET, at, count, value_at
from kube_twisted.registry.printers.column import Obj, integer, printer, text


def _param_kind(obj: Obj, now: float) -> str:
    kind = value_at(obj, "spec.paramKind")
    return UNSET if kind is None else f"{kind.get('apiVersion', '')}/{kind.get('kind', '')}"


def _param_ref(obj: Obj, now: float) -> str:
    """The parameter by name, in any namespace unless one is given, or how it is selected."""
    ref = value_at(obj, "spec.paramRef", {})
    if ref.get("name"):
        return f"{ref.get('namespace') or '*'}/{ref['name']}"
    return _go_selector(ref["selector"]) if "selector" in ref else UNSET


def _go_selector(selector: Obj) -> str:
    """A LabelSelector in Go's notation, which is what the original shows."""
    labels = value_at(selector, "matchLabels", {})
    pairs = "".join(f"{key}: {labels[key]}," for key in sorted(labels))
    expressions = "".join(
        f"LabelSelectorRequirement{{Key:{one.get('key', '')},Operator:{one.get('operator', '')},"
        f"Values:[{' '.join(value_at(one, 'values', []))}],}},"
        for one in value_at(selector, "matchExpressions", [])
    )
    return (f"&LabelSelector{{MatchLabels:map[string]string{{{pairs}}},"
            f"MatchExpressions:[]LabelSelectorRequirement{{{expressions}}},}}")


_WEBHOOKS = printer(
    NAME,
    integer("Webhooks", "Webhooks indicates the number of webhooks registered in this configuration",
            count("webhooks")),
    AGE,
)
_PARAM_KIND = text("ParamKind", "ParamKind specifies the kind of resources used to parameterize this policy",
                   _param_kind)
_BINDINGS = printer(
    NAME,
    text("PolicyName", "PolicyName indicates the policy definition which the policy binding binded to",
         at("spec.policyName")),
    text("ParamRef", "ParamRef indicates the param resource which sets the configuration param", _param_ref),
    AGE,
)
_GROUP = "admissionregistration.k8s.io"

PRINTERS = {
    (_GROUP, "mutatingwebhookconfigurations"): _WEBHOOKS,
    (_GROUP, "validatingwebhookconfigurations"): _WEBHOOKS,
    (_GROUP, "validatingadmissionpolicies"): printer(
        NAME,
        integer("Validations",
                "Validations indicates the number of validation rules defined in this configuration",
                count("spec.validations")),
        _PARAM_KIND,
        AGE,
    ),
    (_GROUP, "mutatingadmissionpolicies"): printer(
        NAME,
        integer("Mutations", "Mutation indicates the number of mutations rules defined in this configuration",
                count("spec.mutations")),
        _PARAM_KIND,
        AGE,
    ),
    (_GROUP, "validatingadmissionpolicybindings"): _BINDINGS,
    (_GROUP, "mutatingadmissionpolicybindings"): _BINDINGS,
}
