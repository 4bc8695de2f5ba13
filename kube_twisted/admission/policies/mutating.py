"""Mutating policies: compiled, and what each of their mutations makes of an object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve, frozen

from kube_twisted.admission.expressions.expression import Expression
from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.expressions.pace import Pace
from kube_twisted.admission.policies.apply_configuration import apply_configuration
from kube_twisted.admission.policies.json_patches import apply_patches
from kube_twisted.admission.policies.patched import Patched, PatchFailed, TypeOf
from kube_twisted.admission.policies.policy import Head, Policy
from kube_twisted.cel.activation import Activation, OutOfBudget, Variable
from kube_twisted.cel.mutation import JSON_PATCHES, OBJECT

Obj = dict[str, Any]
#: patch type -> the field of its expression, the type that this must have, what applies it
_TYPES: Mapping[str, tuple[str, Any, Callable[[Any, Inputs, TypeOf], Patched]]] = {
    "ApplyConfiguration": ("applyConfiguration", OBJECT, apply_configuration),
    "JSONPatch": ("jsonPatch", JSON_PATCHES, apply_patches)}


@frozen
class Mutation:
    """One change that a policy makes.

    :ivar apply: lays what the expression gives over the object.
    """

    expression: Expression
    apply: Callable[[Any, Inputs, TypeOf], Patched]

    async def run(self, variables: Mapping[str, Variable], inputs: Inputs, type_of: TypeOf,
                  pace: Pace) -> Patched:
        """The object after the change; ``inputs.obj``, which must be there, stays as it is.

        :raises PatchFailed: when it can't be made. :raises StatusError: when that is not the policy's fault.
        """
        if self.expression.program is None:
            raise PatchFailed(self.expression.problem)
        try:
            result = await pace.run(self.expression, Activation(inputs.values(), variables))
        except OutOfBudget as error:
            raise PatchFailed(str(error)) from None
        if result.error is not None:
            raise PatchFailed(result.error)
        return self.apply(result.value, inputs, type_of)


@frozen(eq=False, kw_only=True)
class MutatingPolicy(Policy):
    """A MutatingAdmissionPolicy.

    :ivar reinvocable: whether it is asked again when something else has changed the object since.
    """

    mutations: tuple[Mutation, ...] = ()
    reinvocable: bool = False


def compile_mutating(obj: Obj) -> MutatingPolicy:
    """A policy as it is stored."""
    spec = obj["spec"]
    head = Head.compile(spec)
    return MutatingPolicy(**head.facts(obj), mutations=tuple(_mutation(one, head) for one in spec["mutations"]),
                          reinvocable=spec.get("reinvocationPolicy") == "IfNeeded")


def _mutation(one: Mapping[str, Any], head: Head) -> Mutation:
    field, wanted, apply = _TYPES[one["patchType"]]
    names = evolve(head.names, patches=True)
    return Mutation(Expression.compile(one[field]["expression"], head.within, names, (wanted,)), apply)
