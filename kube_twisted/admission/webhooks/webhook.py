"""One webhook of a configuration, compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from kube_twisted.admission.webhooks.rules import Rule
from kube_twisted.api.labels import Selector, everything, from_label_selector
from kube_twisted.webhooks.target import BadClientConfig, Target

if TYPE_CHECKING:
    from kube_twisted.admission.expressions.conditions import MatchConditions

#: The versions of reviews that can be sent.
REVIEW_VERSIONS = ("v1", "v1beta1")
_QUIET = ("None", "NoneOnDryRun")
_TIMEOUT = 10

#: Finds where a ``clientConfig`` leads; raises BadClientConfig.
TargetOf = Callable[[Mapping[str, Any]], Target]


@frozen(kw_only=True, eq=False)
class Webhook:
    """What a webhook is asked about, and how.

    :ivar uid: tells it from all others: one name may stand several times in a configuration.
    :ivar index: among the webhooks of all configurations.
    :ivar broken: why its selectors can't be used.
    :ivar equivalent: whether it is asked about other versions of the resources in its rules too.
    :ivar opens: whether writes go on when it can't be asked.
    :ivar timeout: in seconds.
    :ivar dry_runs: whether it may be asked about writes that only pretend to be some.
    :ivar review_version: of the reviews that it is sent; empty when it understands none.
    :ivar reinvocable: whether it may be asked a second time.
    :ivar conditions: ``matchConditions``; None without any.
    :ivar target: where it is, or why that is unknown.
    """

    name: str
    configuration: str
    uid: str
    index: int
    rules: tuple[Rule, ...]
    equivalent: bool
    namespaces: Selector
    objects: Selector
    broken: str
    opens: bool
    timeout: int
    dry_runs: bool
    review_version: str
    reinvocable: bool
    conditions: MatchConditions | None
    target: Target | BadClientConfig


def compile_webhook(hook: Mapping[str, Any], configuration: str, uid: str, index: int, target_of: TargetOf) -> Webhook:
    """A webhook as its configuration has it, with the defaults."""
    broken, namespaces, objects = "", everything(), everything()
    try:
        namespaces = from_label_selector(hook.get("namespaceSelector") or {})
        objects = from_label_selector(hook.get("objectSelector") or {})
    except ValueError as error:
        broken = str(error)
    accepted = hook.get("admissionReviewVersions") or ()
    return Webhook(
        name=hook["name"], configuration=configuration, uid=uid, index=index,
        rules=tuple(map(Rule.of, hook.get("rules") or ())), equivalent=hook.get("matchPolicy") == "Equivalent",
        namespaces=namespaces, objects=objects, broken=broken, opens=hook.get("failurePolicy") == "Ignore",
        timeout=hook.get("timeoutSeconds", _TIMEOUT), dry_runs=hook.get("sideEffects") in _QUIET,
        review_version=next((one for one in accepted if one in REVIEW_VERSIONS), ""),
        reinvocable=hook.get("reinvocationPolicy") == "IfNeeded",
        conditions=_conditions(tuple(hook.get("matchConditions") or ())),
        target=_target(hook.get("clientConfig") or {}, target_of))


def _conditions(conditions: tuple[Mapping[str, Any], ...]) -> MatchConditions | None:
    if not conditions:
        return None
    # only servers whose webhooks have conditions pay for the expression language
    from kube_twisted.admission.expressions.conditions import MatchConditions
    from kube_twisted.cel.admission import Composition, Names

    return MatchConditions.compile(conditions, Composition(False), Names(), {})


def _target(config: Mapping[str, Any], target_of: TargetOf) -> Target | BadClientConfig:
    try:
        return target_of(config)
    except BadClientConfig as error:
        return error
