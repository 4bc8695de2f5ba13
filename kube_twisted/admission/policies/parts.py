"""What both plugins that ask policies are made with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from kube_twisted.admission.interfaces import Equivalents, ObjectReader, ResourcesOfKind
from kube_twisted.admission.policies.metrics import PolicyMetrics
from kube_twisted.admission.policies.source import PolicySource
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.schema.apply.plan import MapNode
from kube_twisted.util.clock import Clock

if TYPE_CHECKING:
    from kube_twisted.admission.policies.invoking import Invoking
    from kube_twisted.admission.policies.policy import Policy

Obj = dict[str, Any]
P = TypeVar("P", bound="Policy")


@frozen(kw_only=True)
class PolicyParts:
    """What policies need.

    :ivar reader: has policies, bindings, parameters and namespaces.
    :ivar read: reads a path of the API as the server itself.
    :ivar type_of: finds the types of objects, for merging; None for kinds that are not known.
    """

    reader: ObjectReader
    read: Callable[[str], Awaitable[Obj]]
    equivalents: Equivalents
    resources_of_kind: ResourcesOfKind
    type_of: Callable[[GroupVersionKind], MapNode | None]
    authorizer: IAuthorizer
    clock: Clock
    metrics: PolicyMetrics
    condition_metrics: WebhookMetrics

    def source(self, resource: str, compile_policy: Callable[[Obj], P]) -> PolicySource[P]:
        """The policies of a kind.

        :param resource: the kind's name as far as it is the same in all of its names.
        """
        return PolicySource(f"{resource}ies", f"{resource}ybindings", self.reader, self.equivalents,
                            self.resources_of_kind, compile_policy)

    def invoking(self) -> Invoking:
        """Loads what is only needed when there are policies."""
        from kube_twisted.admission.policies.invoking import Invoking
        from kube_twisted.admission.policies.params import ParamReader
        from kube_twisted.admission.webhooks.selecting import Selecting

        return Invoking(Selecting(self.reader), ParamReader(self.reader, self.read), self.condition_metrics, self.clock)
