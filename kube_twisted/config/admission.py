"""Settings of admission, and the names of all plugins."""

from __future__ import annotations

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting

#: All plugins in the order in which they run, whatever the order they are named in: kube-apiserver 1.36's.
PLUGINS = (
    "AlwaysAdmit", "NamespaceAutoProvision", "NamespaceLifecycle", "NamespaceExists",
    "LimitPodHardAntiAffinityTopology", "LimitRanger", "ServiceAccount", "NodeRestriction", "TaintNodesByCondition",
    "AlwaysPullImages", "ImagePolicyWebhook", "PodSecurity", "PodNodeSelector", "Priority",
    "DefaultTolerationSeconds", "PodTolerationRestriction", "EventRateLimit", "ExtendedResourceToleration",
    "DefaultStorageClass", "StorageObjectInUseProtection", "PodGroupProtection",
    "OwnerReferencesPermissionEnforcement", "PersistentVolumeClaimResize", "RuntimeClass", "CertificateApproval",
    "CertificateSigning", "ClusterTrustBundleAttest", "CertificateSubjectRestriction", "DefaultIngressClass",
    "DenyServiceExternalIPs", "PodTopologyLabels", "PodGroupWorkloadExists", "NodeDeclaredFeatureValidator",
    "JobValidation", "PodResizeValidator", "MutatingAdmissionPolicy", "MutatingAdmissionWebhook",
    "ValidatingAdmissionPolicy", "ValidatingAdmissionWebhook", "ResourceQuota", "AlwaysDeny",
)
#: Those that are on unless they are switched off.
ON_BY_DEFAULT = frozenset({
    "NamespaceLifecycle", "LimitRanger", "ServiceAccount", "DefaultStorageClass", "PersistentVolumeClaimResize",
    "DefaultTolerationSeconds", "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook", "ResourceQuota",
    "StorageObjectInUseProtection", "PodGroupProtection", "Priority", "TaintNodesByCondition", "RuntimeClass",
    "CertificateApproval", "CertificateSigning", "ClusterTrustBundleAttest", "CertificateSubjectRestriction",
    "DefaultIngressClass", "PodSecurity", "PodTopologyLabels", "MutatingAdmissionPolicy", "ValidatingAdmissionPolicy",
    "PodGroupWorkloadExists", "NodeDeclaredFeatureValidator", "JobValidation", "PodResizeValidator",
})
#: Those that the server does not have: they can be switched off, but not on.
_MISSING = frozenset({"AlwaysAdmit", "NodeRestriction", "ImagePolicyWebhook", "EventRateLimit"})
_OFFERED = tuple(name for name in PLUGINS if name not in _MISSING)


@frozen
class AdmissionSettings:
    """The section ``admission``."""

    enable_plugins: tuple[str, ...] = setting("enablePlugins", (), reading.choices(*_OFFERED))
    """Plugins to run beside those that are on by default."""

    disable_plugins: tuple[str, ...] = setting("disablePlugins", (), reading.choices(*PLUGINS))
    """Plugins not to run."""
