"""ResourceQuota: what a namespace may use in all is never exceeded.

Source of the rules: the Kubernetes documentation, "Resource Quotas".
"""

from __future__ import annotations

from zope.interface import implementer

from kube_twisted.admission.attributes import Attributes
from kube_twisted.admission.interfaces import IValidation, ObjectReader, WriteQuotaStatus
from kube_twisted.admission.plugin import Plugin
from kube_twisted.admission.quota.batches import QuotaBatches
from kube_twisted.admission.quota.claims import PersistentVolumeClaimEvaluator
from kube_twisted.admission.quota.devices import ResourceClaimEvaluator
from kube_twisted.admission.quota.evaluator import Evaluator
from kube_twisted.admission.quota.pods import PodEvaluator
from kube_twisted.admission.quota.services import ServiceEvaluator
from kube_twisted.admission.resources import PERSISTENT_VOLUME_CLAIMS, PODS, RESOURCE_CLAIMS, SERVICES
from kube_twisted.api.gvk import GroupResource
from kube_twisted.util.clock import Clock

#: Events, and what isn't stored.
_IGNORED = frozenset({
    GroupResource("", "events"), GroupResource("events.k8s.io", "events"), GroupResource("", "bindings"),
    GroupResource("", "componentstatuses"), GroupResource("authentication.k8s.io", "tokenreviews"),
    GroupResource("authentication.k8s.io", "selfsubjectreviews"),
    GroupResource("authorization.k8s.io", "subjectaccessreviews"),
    GroupResource("authorization.k8s.io", "selfsubjectaccessreviews"),
    GroupResource("authorization.k8s.io", "localsubjectaccessreviews"),
    GroupResource("authorization.k8s.io", "selfsubjectrulesreviews"),
})


@implementer(IValidation)
class ResourceQuota(Plugin):
    """Charges what is created, or grows, to the quotas of its namespace; it is the last to look.

    :param write: writes the status of a quota.
    """

    name = "ResourceQuota"
    subresources = ("", "resize", "status")

    def __init__(self, reader: ObjectReader, clock: Clock, write: WriteQuotaStatus) -> None:
        self._reader = reader
        self._batches = QuotaBatches(reader, write)
        self._evaluators: dict[GroupResource, Evaluator] = {
            PODS: PodEvaluator(clock), SERVICES: ServiceEvaluator(),
            PERSISTENT_VOLUME_CLAIMS: PersistentVolumeClaimEvaluator(), RESOURCE_CLAIMS: ResourceClaimEvaluator(),
        }

    async def validate(self, attributes: Attributes) -> None:
        namespace = attributes.namespace
        if not namespace or attributes.obj is None or not self._reader.peek_all("", "resourcequotas", namespace):
            return
        resource = attributes.resource.group_resource
        if resource in _IGNORED:
            return
        evaluator = self._evaluators.get(resource)
        if evaluator is None:
            evaluator = self._evaluators[resource] = Evaluator(resource)
        if evaluator.handles(attributes):
            await self._batches.charge(attributes, evaluator)
