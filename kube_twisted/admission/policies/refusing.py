"""Lets validating policies look at a write: denials, warnings and notes for the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import define, evolve, field, frozen

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.expressions.checks import Checks
from kube_twisted.admission.expressions.conditions import ConditionsFailed
from kube_twisted.admission.expressions.inputs import Inputs
from kube_twisted.admission.expressions.pace import Pace
from kube_twisted.admission.policies.invoking import Bound, Invoking, Misconfigured
from kube_twisted.admission.policies.metrics import PolicyMetrics
from kube_twisted.admission.policies.source import Candidate
from kube_twisted.admission.policies.validating import INVALID, Denial, ValidatingPolicy, Verdict
from kube_twisted.admission.refusal import forbidden
from kube_twisted.admission.webhooks.views import Views
from kube_twisted.api import errors
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.codec import json
from kube_twisted.util.clock import Clock

_CODES: Mapping[str, int] = {"Forbidden": 403, "Unauthorized": 401, "RequestEntityTooLarge": 413, INVALID: 422}
_LONGEST_ANNOTATION = 10 * 1024
_FAILURE_KEY = "validation.policy.admission.k8s.io/validation_failure"


@define
class _Review:
    """One write on its way through the policies.

    :ivar refusal: what the client is told; None as long as nobody objects.
    """

    attributes: Attributes
    views: Views
    checks: Checks
    pace: Pace
    refusal: errors.StatusError | None = None
    texts: dict[str, list[str]] = field(factory=dict)

    def deny(self, policy: str, binding: str, message: str, reason: str = INVALID) -> None:
        """Refuse the write; the first refusal counts."""
        if self.refusal is not None:
            return
        with_binding = f" with binding '{binding}'" if binding else ""
        text = f"ValidatingAdmissionPolicy '{policy}'{with_binding} denied request: {message}"
        self.refusal = forbidden(self.attributes, text, [{"message": text}])
        self.refusal.reason = reason or INVALID
        self.refusal.code = _CODES.get(self.refusal.reason, _CODES[INVALID])

    def note(self, key: str, text: str) -> None:
        """Remember a text for the audit log."""
        texts = self.texts.setdefault(key, [])
        shortened = text.encode()[:_LONGEST_ANNOTATION].decode(errors="ignore")
        if shortened not in texts:
            texts.append(shortened)

    def publish(self, policy: str) -> None:
        """Tell the audit log what a policy with all its bindings had to say."""
        for key, texts in self.texts.items():
            self.attributes.annotate(f"{policy}/{key}", ", ".join(texts))
        self.texts.clear()


@frozen
class ValidatingDispatcher:
    """Asks validating policies."""

    invoking: Invoking
    authorizer: IAuthorizer
    metrics: PolicyMetrics
    clock: Clock

    async def dispatch(self, attributes: Attributes, candidates: Sequence[Candidate[ValidatingPolicy]]) -> None:
        """Ask all that apply.

        :raises StatusError: what the first one objects to.
        """
        checks = Checks(self.authorizer, attributes.user)
        review = _Review(attributes, Views(attributes), checks, Pace(checks, self.clock))
        for candidate in candidates:
            for found in await self.invoking.bound(candidate, attributes):
                if isinstance(found, Misconfigured):
                    _misconfigured(review, found)
                else:
                    await self._ask(review, found)
            review.publish(candidate.policy.name)
        if review.refusal is not None:
            raise review.refusal

    async def _ask(self, review: _Review, bound: Bound[ValidatingPolicy]) -> None:
        """Evaluate a policy with each object that it gets as parameters."""
        if not bound.params:
            return
        attributes = review.attributes
        try:
            obj, old = await review.views.show(bound.kind)
        except errors.StatusError as error:
            _misconfigured(review, Misconfigured(
                bound.policy, bound.binding, f"failed to convert object version: {error.message}"))
            return
        inputs = Inputs(attributes, bound.resource, bound.kind, obj, old,
                        await self.invoking.namespace_of(attributes), checks=review.checks)
        for params in bound.params:
            begin = self.clock.seconds()
            verdict = await self._judged(review, bound.policy, evolve(inputs, params=params))
            self._carry_out(review, bound, verdict, self.clock.seconds() - begin)

    async def _judged(self, review: _Review, policy: ValidatingPolicy, inputs: Inputs) -> Verdict:
        try:
            if not await self.invoking.conditions_hold(policy, inputs, review.pace):
                return Verdict()
        except ConditionsFailed as error:
            return policy.unsure(error) if policy.fails else Verdict()
        return await policy.judge(inputs, review.pace)

    def _carry_out(self, review: _Review, bound: Bound[ValidatingPolicy], verdict: Verdict, seconds: float) -> None:
        labels = bound.policy.name, bound.binding.name
        for denial in verdict.ignored:
            self.metrics.validating.note(*labels, denial.message, seconds, "allow")
        for denial in verdict.denials:
            for action in bound.binding.actions:
                self._act(review, bound, denial, action)
                self.metrics.validating.note(*labels, denial.message, seconds, action.lower())
        for key, text in verdict.annotations:
            review.note(key, text)
        for message in verdict.broken:
            review.deny(*labels, message)
            self.metrics.validating.note(*labels, message, seconds, "deny")

    @staticmethod
    def _act(review: _Review, bound: Bound[ValidatingPolicy], denial: Denial, action: str) -> None:
        policy, binding = bound.policy.name, bound.binding
        if action == "Deny":
            review.deny(policy, binding.name, denial.message, denial.reason)
        elif action == "Audit":
            review.attributes.annotate(_FAILURE_KEY, json.dumps([{
                "message": denial.message, "policy": policy, "binding": binding.name,
                "expressionIndex": denial.index, "validationActions": list(binding.actions)}]).decode())
        elif action == "Warn":
            review.attributes.add_warning(f"Validation failed for ValidatingAdmissionPolicy '{policy}' with binding "
                                          f"'{binding.name}': {denial.message}")


def _misconfigured(review: _Review, found: Misconfigured[ValidatingPolicy]) -> None:
    if found.policy.fails:
        review.deny(found.policy.name, found.binding.name if found.binding else "", found.message)
