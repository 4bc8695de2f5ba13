"""EventRateLimit: Events don't flood the server.

Source of the rules: the Kubernetes documentation, "Admission Control", EventRateLimit.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.refusal import aggregate
from kube_twisted.api.errors import too_many_requests
from kube_twisted.api.gvk import GroupResource
from kube_twisted.config.admission import EventLimit
from kube_twisted.util.clock import Clock


@implementer(IValidation)
class EventRateLimit(Plugin):
    """Lets through as many Events a second as the limits allow; each Event counts in all of them."""

    name = "EventRateLimit"
    resources = frozenset({GroupResource("", "events"), GroupResource("events.k8s.io", "events")})
    subresources = None

    def __init__(self, limits: Sequence[EventLimit], clock: Clock) -> None:
        self._buckets = [_Buckets(limit, clock) for limit in limits]

    async def validate(self, attributes: Attributes) -> None:
        if attributes.dry_run:
            return
        problems = [problem for one in self._buckets if (problem := one.take(attributes))]
        if problems:
            raise too_many_requests(aggregate(problems), 1)


class _Buckets:
    """Tokens of one limit, in a bucket for each key; buckets of keys not seen for long are forgotten."""

    def __init__(self, limit: EventLimit, clock: Clock) -> None:
        self._limit = limit
        self._clock = clock
        self._key = _KEYS[limit.type]
        #: tokens left, and when that was
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, attributes: Attributes) -> str:
        """Take a token; what is wrong when there is none, otherwise empty text."""
        limit, now = self._limit, self._clock.seconds()
        key = self._key(attributes)
        tokens, since = self._buckets.pop(key, (float(limit.burst), now))
        tokens = min(float(limit.burst), tokens + (now - since) * limit.qps)
        enough = tokens >= 1
        self._buckets[key] = (tokens - 1 if enough else tokens, now)
        if len(self._buckets) > limit.cache_size:
            self._buckets.popitem(last=False)
        return "" if enough else f"limit reached on type {limit.type} for key {key}"


def _source_and_object(attributes: Attributes) -> str:
    event = attributes.obj or {}
    source, involved = event.get("source") or {}, event.get("involvedObject") or {}
    return "".join([source.get("component", ""), source.get("host", ""),
                    *(involved.get(key, "") for key in ("kind", "namespace", "name", "uid", "apiVersion"))])


_KEYS: dict[str, Callable[[Attributes], str]] = {
    "Server": lambda attributes: "",
    "Namespace": lambda attributes: attributes.namespace,
    "User": lambda attributes: attributes.user.name,
    "SourceAndObject": _source_and_object,
}
