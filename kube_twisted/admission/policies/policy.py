"""What validating and mutating policies, and their bindings, have in common once they are compiled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from kube_twisted.admission.expressions.conditions import MatchConditions
from kube_twisted.admission.policies.matching import EVERYTHING, MatchResources
from kube_twisted.admission.policies.params import ParamRef
from kube_twisted.cel.activation import Variable, compile_variables
from kube_twisted.cel.admission import Composition, Names

Obj = dict[str, Any]


@frozen(eq=False)
class Binding:
    """Where a policy applies.

    :ivar params: which parameters it gets; None for none.
    :ivar actions: ``Deny``, ``Warn``, ``Audit``; mutating policies have none.
    """

    name: str
    policy: str
    match: MatchResources
    params: ParamRef | None
    actions: tuple[str, ...]

    @classmethod
    def compile(cls, obj: Obj) -> Binding:
        """From a stored object."""
        spec = obj["spec"]
        match, ref = spec.get("matchResources"), spec.get("paramRef")
        return cls(obj["metadata"]["name"], spec["policyName"],
                   EVERYTHING if match is None else MatchResources.compile(match),
                   None if ref is None else ParamRef.compile(ref), tuple(spec.get("validationActions") or ()))


@frozen(eq=False, kw_only=True)
class Policy:
    """A policy.

    :ivar fails: whether writes are refused when something is wrong with the policy.
    :ivar param_kind: as the policy names it.
    :ivar conditions: None without any.
    :ivar variables: by name.
    """

    name: str
    match: MatchResources
    fails: bool
    param_kind: Mapping[str, Any] | None
    conditions: MatchConditions | None
    variables: Mapping[str, Variable]


@frozen
class Head:
    """What the compilers of both kinds of policies begin with.

    :ivar names: which its expressions may use.
    :ivar within: knows the types of its variables.
    """

    names: Names
    within: Composition
    variables: Mapping[str, Variable]
    conditions: MatchConditions | None

    @classmethod
    def compile(cls, spec: Mapping[str, Any]) -> Head:
        """Variables, in their order, then match conditions."""
        names, within = Names(params="paramKind" in spec), Composition(has_variables=True)
        variables = compile_variables(
            ((one["name"], one["expression"]) for one in spec.get("variables") or ()), within, names)
        conditions = tuple(spec.get("matchConditions") or ())
        return cls(names, within, variables,
                   MatchConditions.compile(conditions, within, names, variables) if conditions else None)

    def facts(self, obj: Obj) -> dict[str, Any]:
        """The fields of a Policy."""
        spec = obj["spec"]
        return {"name": obj["metadata"]["name"], "match": MatchResources.compile(spec["matchConstraints"]),
                "fails": spec.get("failurePolicy") != "Ignore", "param_kind": spec.get("paramKind"),
                "conditions": self.conditions, "variables": self.variables}
