"""The admission plugins, one a file."""

from __future__ import annotations

from kube_twisted.admission.plugins.always_deny import AlwaysDeny
from kube_twisted.admission.plugins.always_pull_images import AlwaysPullImages
from kube_twisted.admission.plugins.certificate_approval import CertificateApproval
from kube_twisted.admission.plugins.certificate_signing import CertificateSigning
from kube_twisted.admission.plugins.certificate_subject_restriction import CertificateSubjectRestriction
from kube_twisted.admission.plugins.cluster_trust_bundle_attest import ClusterTrustBundleAttest
from kube_twisted.admission.plugins.default_ingress_class import DefaultIngressClass
from kube_twisted.admission.plugins.default_storage_class import DefaultStorageClass
from kube_twisted.admission.plugins.default_toleration_seconds import DefaultTolerationSeconds
from kube_twisted.admission.plugins.deny_service_external_ips import DenyServiceExternalIPs
from kube_twisted.admission.plugins.event_rate_limit import EventRateLimit
from kube_twisted.admission.plugins.extended_resource_toleration import ExtendedResourceToleration
from kube_twisted.admission.plugins.limit_pod_hard_anti_affinity_topology import LimitPodHardAntiAffinityTopology
from kube_twisted.admission.plugins.limit_ranger import LimitRanger
from kube_twisted.admission.plugins.namespace_auto_provision import NamespaceAutoProvision
from kube_twisted.admission.plugins.namespace_exists import NamespaceExists
from kube_twisted.admission.plugins.namespace_lifecycle import NamespaceLifecycle
from kube_twisted.admission.plugins.node_declared_feature_validator import NodeDeclaredFeatureValidator
from kube_twisted.admission.plugins.owner_references_permission_enforcement import OwnerReferencesPermissionEnforcement
from kube_twisted.admission.plugins.persistent_volume_claim_resize import PersistentVolumeClaimResize
from kube_twisted.admission.plugins.pod_node_selector import PodNodeSelector
from kube_twisted.admission.plugins.pod_resize_validator import PodResizeValidator
from kube_twisted.admission.plugins.pod_security import PodSecurity
from kube_twisted.admission.plugins.pod_toleration_restriction import PodTolerationRestriction
from kube_twisted.admission.plugins.pod_topology_labels import PodTopologyLabels
from kube_twisted.admission.plugins.priority import Priority
from kube_twisted.admission.plugins.resource_quota import ResourceQuota
from kube_twisted.admission.plugins.runtime_class import RuntimeClass
from kube_twisted.admission.plugins.service_account import ServiceAccount
from kube_twisted.admission.plugins.storage_object_in_use_protection import StorageObjectInUseProtection
from kube_twisted.admission.plugins.taint_nodes_by_condition import TaintNodesByCondition

__all__ = [
    "AlwaysDeny",
    "AlwaysPullImages",
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "ClusterTrustBundleAttest",
    "DefaultIngressClass",
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "DenyServiceExternalIPs",
    "EventRateLimit",
    "ExtendedResourceToleration",
    "LimitPodHardAntiAffinityTopology",
    "LimitRanger",
    "NamespaceAutoProvision",
    "NamespaceExists",
    "NamespaceLifecycle",
    "NodeDeclaredFeatureValidator",
    "OwnerReferencesPermissionEnforcement",
    "PersistentVolumeClaimResize",
    "PodNodeSelector",
    "PodResizeValidator",
    "PodSecurity",
    "PodTolerationRestriction",
    "PodTopologyLabels",
    "Priority",
    "ResourceQuota",
    "RuntimeClass",
    "ServiceAccount",
    "StorageObjectInUseProtection",
    "TaintNodesByCondition",
]
