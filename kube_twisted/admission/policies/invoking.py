"""Finds out which policies apply to a write, with which bindings and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from attrs import frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.expressions.conditions import ConditionsFailed
from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.expressions.pace import Pace
from kube_twisted.admission.policies.params import ParamReader, ParamsMissing
from kube_twisted.admission.policies.policy import Binding, Policy
from kube_twisted.admission.policies.source import Candidate
from kube_twisted.admission.resources import NAMESPACES
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.admission.webhooks.selecting import Selecting
from kube_twisted.api import errors
from kube_twisted.api.gvk import GroupVersionKind, GroupVersionResource
from kube_twisted.util.clock import Clock

P = TypeVar("P", bound=Policy)
Obj = dict[str, Any]
_NAMESPACE = GroupVersionKind("", "v1", "Namespace")


@frozen
class Misconfigured(Generic[P]):
    """Something is wrong with a policy that applies, or with one of its bindings."""

    policy: P
    binding: Binding | None
    why: str

    @property
    def message(self) -> str:
        return f"failed to configure {'policy' if self.binding is None else 'binding'}: {self.why}"


@frozen
class Bound(Generic[P]):
    """A binding of a policy that applies.

    :ivar resource: which the policy's rules name, and ``kind``: in which it wants to see the objects.
    :ivar params: to evaluate the policy with, one after the other; one that is None without parameters.
    """

    policy: P
    binding: Binding
    resource: GroupVersionResource
    kind: GroupVersionKind
    params: Sequence[Obj | None]


@frozen
class Invoking:
    """Looks at selectors, parameters and match conditions.

    :ivar metrics: counts what conditions do.
    """

    selecting: Selecting
    params: ParamReader
    metrics: WebhookMetrics
    clock: Clock

    async def bound(self, candidate: Candidate[P], attributes: Attributes) -> list[Bound[P] | Misconfigured[P]]:
        """The bindings of a policy that apply; nothing if the policy itself does not."""
        policy = candidate.policy
        shown = candidate.matches.choose(attributes.name)
        if shown is None:
            return []
        try:
            if not await self.selecting.selects(policy.match, attributes):
                return []
        except errors.StatusError as error:
            return [Misconfigured(policy, None, error.message)]
        if candidate.params is not None and candidate.params.problem:
            return [Misconfigured(policy, None, candidate.params.problem)]
        found: list[Bound[P] | Misconfigured[P]] = []
        for binding, matches in candidate.bindings:
            if matches.choose(attributes.name) is None:
                continue
            try:
                if await self.selecting.selects(binding.match, attributes):
                    found.append(Bound(policy, binding, *shown, await self._params(candidate, binding, attributes)))
            except errors.StatusError as error:
                found.append(Misconfigured(policy, binding, error.message))
            except ParamsMissing as error:
                found.append(Misconfigured(policy, binding, str(error)))
        return found

    async def _params(self, candidate: Candidate[P], binding: Binding,
                      attributes: Attributes) -> Sequence[Obj | None]:
        if candidate.params is None or binding.params is None:
            return (None,)
        return await self.params.collect(candidate.params, binding.params, attributes.namespace)

    async def conditions_hold(self, policy: Policy, inputs: Inputs, pace: Pace) -> bool:
        """Whether a policy applies as far as its match conditions are concerned.

        :raises ConditionsFailed: when that can't be found out.
        """
        conditions = policy.conditions
        if conditions is None:
            return True
        begin, failures = self.clock.seconds(), 0
        try:
            return await conditions.hold(inputs.for_conditions(), pace)
        except ConditionsFailed as error:
            failures = error.failures
            raise
        finally:
            self.metrics.evaluated(policy.name, "validate", inputs.attributes.operation, failures,
                                   self.clock.seconds() - begin, "policy")

    async def namespace_of(self, attributes: Attributes) -> Obj | None:
        """The Namespace that a write is in; a namespace is in none.

        :raises StatusError: 404 when it is not there.
        """
        name = attributes.namespace
        if not name or attributes.kind == _NAMESPACE:
            return None
        reader = self.params.reader
        found = reader.peek("", "namespaces", "", name) or await reader.peek_latest("", "namespaces", "", name)
        if found is None:
            raise errors.not_found(NAMESPACES, name)
        return found
