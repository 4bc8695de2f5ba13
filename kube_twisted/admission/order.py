"""From names to the admission chain: which plugins run, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from attrs import frozen

from kube_twisted.admission import plugins as on
from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.admission.interfaces import (
    CreateNamespace,
    IAdmissionPlugin,
    ObjectReader,
    ResourcesOfKind,
    WriteQuotaStatus,
)
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.config.admission import ON_BY_DEFAULT, PLUGINS, EventLimit
from kube_twisted.config.pod_security import PodSecuritySettings
from kube_twisted.util.clock import Clock


@frozen(kw_only=True)
class PluginParts:
    """What plugins are made with.

    :ivar reader: the rest of the cluster.
    :ivar authorizer: says what users may do.
    """

    reader: ObjectReader
    clock: Clock
    authorizer: IAuthorizer
    write_quota_status: WriteQuotaStatus
    create_namespace: CreateNamespace
    resources_of_kind: ResourcesOfKind
    event_limits: Sequence[EventLimit] = ()
    pod_security: PodSecuritySettings = PodSecuritySettings()


#: How each plugin is made.
_FACTORIES: Mapping[str, Callable[[PluginParts], IAdmissionPlugin]] = {
    "NamespaceAutoProvision": lambda parts: on.NamespaceAutoProvision(parts.reader, parts.create_namespace),
    "NamespaceLifecycle": lambda parts: on.NamespaceLifecycle(parts.reader, parts.clock),
    "NamespaceExists": lambda parts: on.NamespaceExists(parts.reader),
    "LimitPodHardAntiAffinityTopology": lambda parts: on.LimitPodHardAntiAffinityTopology(),
    "LimitRanger": lambda parts: on.LimitRanger(parts.reader),
    "ServiceAccount": lambda parts: on.ServiceAccount(parts.reader, parts.clock),
    "TaintNodesByCondition": lambda parts: on.TaintNodesByCondition(),
    "AlwaysPullImages": lambda parts: on.AlwaysPullImages(),
    "PodSecurity": lambda parts: on.PodSecurity(parts.reader, parts.pod_security),
    "PodNodeSelector": lambda parts: on.PodNodeSelector(parts.reader),
    "Priority": lambda parts: on.Priority(parts.reader),
    "DefaultTolerationSeconds": lambda parts: on.DefaultTolerationSeconds(),
    "PodTolerationRestriction": lambda parts: on.PodTolerationRestriction(parts.reader),
    "EventRateLimit": lambda parts: on.EventRateLimit(parts.event_limits, parts.clock),
    "ExtendedResourceToleration": lambda parts: on.ExtendedResourceToleration(),
    "DefaultStorageClass": lambda parts: on.DefaultStorageClass(parts.reader),
    "StorageObjectInUseProtection": lambda parts: on.StorageObjectInUseProtection(),
    "OwnerReferencesPermissionEnforcement":
        lambda parts: on.OwnerReferencesPermissionEnforcement(parts.authorizer, parts.resources_of_kind),
    "PersistentVolumeClaimResize": lambda parts: on.PersistentVolumeClaimResize(parts.reader),
    "RuntimeClass": lambda parts: on.RuntimeClass(parts.reader),
    "CertificateApproval": lambda parts: on.CertificateApproval(parts.authorizer),
    "CertificateSigning": lambda parts: on.CertificateSigning(parts.authorizer),
    "ClusterTrustBundleAttest": lambda parts: on.ClusterTrustBundleAttest(parts.authorizer),
    "CertificateSubjectRestriction": lambda parts: on.CertificateSubjectRestriction(),
    "DefaultIngressClass": lambda parts: on.DefaultIngressClass(parts.reader),
    "DenyServiceExternalIPs": lambda parts: on.DenyServiceExternalIPs(),
    "PodTopologyLabels": lambda parts: on.PodTopologyLabels(parts.reader),
    "NodeDeclaredFeatureValidator": lambda parts: on.NodeDeclaredFeatureValidator(parts.reader),
    "PodResizeValidator": lambda parts: on.PodResizeValidator(parts.reader),
    "ResourceQuota": lambda parts: on.ResourceQuota(parts.reader, parts.clock, parts.write_quota_status),
    "AlwaysDeny": lambda parts: on.AlwaysDeny(),
}


def build_chain(parts: PluginParts, enabled: Collection[str] = (), disabled: Collection[str] = (),
                further: Mapping[str, IAdmissionPlugin] | None = None) -> AdmissionChain:
    """The chain of the plugins that are on by default and those enabled, without those disabled.

    :param further: plugins made elsewhere, by their names, such as the webhooks; they run where their name stands
        in the order.
    """
    chosen = (ON_BY_DEFAULT | set(enabled)) - set(disabled)
    made = dict(further or {})
    for name, factory in _FACTORIES.items():
        if name in chosen:
            made[name] = factory(parts)
    return AdmissionChain([made[name] for name in PLUGINS if name in made and name in chosen], parts.clock)
