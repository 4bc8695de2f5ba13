"""Lets mutating policies change a write, one after the other.

Source of the rules: KEP-3962, and KEP-1872 for asking a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, field, frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.expressions.checks import Checks
from kube_twisted.admission.expressions.conditions import ConditionsFailed
from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.expressions.pace import Pace
from kube_twisted.admission.policies.invoking import Bound, Invoking, Misconfigured
from kube_twisted.admission.policies.metrics import PolicyMetrics
from kube_twisted.admission.policies.mutating import MutatingPolicy, Mutation
from kube_twisted.admission.policies.patched import Patched, PatchFailed, TypeOf
from kube_twisted.admission.policies.source import Candidate
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.reinvocation import Asked
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.api.jsonvalue import deep_copy
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.util.clock import Clock

Obj = dict[str, Any]
_NAME, _INVALID = "MutatingAdmissionPolicy", "Invalid"
#: policy, binding, namespace and name of the parameters
_Key = tuple[str, str, str, str]


@define
class _Round:
    """One write on its way through the policies.

    :ivar changed: whether a policy has had something to change, to another effect or not.
    :ivar problems: texts about policies that must not fail, with the reason that goes with each.
    """

    attributes: Attributes
    memory: Asked[_Key]
    views: Views
    checks: Checks
    pace: Pace
    namespace: Obj | None = None
    changed: bool = False
    problems: list[tuple[str, str]] = field(factory=list)

    def note(self, policy: MutatingPolicy, binding: str, text: str, reason: str = "") -> None:
        """Something is wrong with a policy."""
        if policy.fails:
            named = f"policy '{policy.name}' with binding '{binding}'" if binding else f"policy {go_quote(policy.name)}"
            self.problems.append((f"{named} denied request: {text}", reason))

    def refusal(self) -> errors.StatusError:
        """403 with all problems; the first one has the word."""
        error = forbidden(self.attributes, "", [{"message": text} for text, _ in self.problems])
        error.message, reason = self.problems[0]
        error.reason = reason or error.reason
        return error


@frozen
class MutatingDispatcher:
    """Asks mutating policies.

    :ivar type_of: finds the types of objects, for merging.
    """

    invoking: Invoking
    authorizer: IAuthorizer
    type_of: TypeOf
    metrics: PolicyMetrics
    clock: Clock

    async def dispatch(self, attributes: Attributes, candidates: Sequence[Candidate[MutatingPolicy]]) -> None:
        """Ask all that apply; ``attributes.obj`` is changed in place.

        :raises StatusError: when something is wrong with one that must not fail.
        """
        memory: Asked[_Key] = attributes.second_round().memory.setdefault(_NAME, Asked())
        checks = Checks(self.authorizer, attributes.user)
        work = _Round(attributes, memory, Views(attributes), checks, Pace(checks, self.clock))
        bound = await self._bound(work, candidates)
        if bound:
            await self._mutate(work, bound)
        if work.problems:
            raise work.refusal()

    async def _bound(self, work: _Round,
                     candidates: Sequence[Candidate[MutatingPolicy]]) -> list[Bound[MutatingPolicy]]:
        found: list[Bound[MutatingPolicy]] = []
        for candidate in candidates:
            for one in await self.invoking.bound(candidate, work.attributes):
                if isinstance(one, Misconfigured):
                    work.note(one.policy, one.binding.name if one.binding else "", one.message)
                elif one.params and await _can_be_shown(work, one):
                    found.append(one)
        return found

    async def _mutate(self, work: _Round, bound: Sequence[Bound[MutatingPolicy]]) -> None:
        again, memory = work.attributes.second_round(), work.memory
        if again.running and memory.output != work.attributes.obj:
            memory.changed()
        work.namespace = await self.invoking.namespace_of(work.attributes)
        for one in bound:
            for params in one.params:
                await self._invoke(work, one, params)
        if work.changed:
            memory.changed()
            again.wanted = True
        if memory.invoked:
            memory.output = deep_copy(work.attributes.obj)

    async def _invoke(self, work: _Round, bound: Bound[MutatingPolicy], params: Obj | None) -> None:
        """Ask one policy with one object as its parameters."""
        policy, memory, again = bound.policy, work.memory, work.attributes.second_round()
        if not await self._applies(work, bound, params):
            return
        key = _key(bound, params)
        if again.running and key not in memory.due:
            return
        for mutation in policy.mutations:
            if work.attributes.obj is not None:
                await self._change(work, bound, params, mutation)
        if policy.reinvocable:
            memory.invoked.add(key)

    async def _applies(self, work: _Round, bound: Bound[MutatingPolicy], params: Obj | None) -> bool:
        inputs = await _inputs(work, bound, params)
        try:
            return await self.invoking.conditions_hold(bound.policy, inputs, work.pace)
        except ConditionsFailed as error:
            work.note(bound.policy, bound.binding.name, str(error), _INVALID)
            return False

    async def _change(self, work: _Round, bound: Bound[MutatingPolicy], params: Obj | None, mutation: Mutation) -> None:
        """Make one change.

        :raises StatusError: when what a patch made can't be an object.
        """
        policy, inputs = bound.policy, await _inputs(work, bound, params)
        labels, begin = (policy.name, bound.binding.name), self.clock.seconds()
        try:
            patched = await mutation.run(policy.variables, inputs, self.type_of, work.pace)
            await _take(work, inputs, patched)
        except PatchFailed as error:
            self.metrics.mutating.note(*labels, str(error), self.clock.seconds() - begin)
            work.note(policy, bound.binding.name, str(error), _INVALID)
            return
        except errors.StatusError as error:
            self.metrics.mutating.note(*labels, error.message, self.clock.seconds() - begin)
            raise
        self.metrics.mutating.note(*labels, None, self.clock.seconds() - begin)
        work.changed = True


async def _can_be_shown(work: _Round, bound: Bound[MutatingPolicy]) -> bool:
    """Whether the objects can be converted to what the policy wants to see."""
    try:
        await work.views.show(bound.kind)
    except errors.StatusError as error:
        work.note(bound.policy, "", f"failed to configure policy: {error.message}")
        return False
    return True


async def _inputs(work: _Round, bound: Bound[MutatingPolicy], params: Obj | None) -> Inputs:
    obj, old = await work.views.show(bound.kind)
    return Inputs(work.attributes, bound.resource, bound.kind, obj, old, work.namespace, params, work.checks)


async def _take(work: _Round, inputs: Inputs, patched: Patched) -> None:
    """Make the object what it was patched to.

    :raises PatchFailed: when a merge made no object of it. :raises StatusError: 500 when a patch did.
    """
    versions, obj = work.attributes.versions, work.attributes.obj
    assert obj is not None
    try:
        decoded = versions.decode(patched.document, inputs.kind, strict=patched.strict)
    except ValueError as error:
        if patched.strict:
            raise errors.internal_error(str(error)) from None
        raise PatchFailed(str(error)) from None
    adopted = await versions.adopt(decoded, inputs.kind)
    obj.clear()
    obj.update(adopted)
    work.views.changed()


def _key(bound: Bound[MutatingPolicy], params: Obj | None) -> _Key:
    meta = params["metadata"] if params is not None else {}
    return bound.policy.name, bound.binding.name, meta.get("namespace", ""), meta.get("name", "")
