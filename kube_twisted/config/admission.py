"""Settings of admission, and the names of all plugins."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.pod_security import PodSecuritySettings
from kube_twisted.config.reading import section, setting

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
_MISSING = frozenset({"AlwaysAdmit", "NodeRestriction", "ImagePolicyWebhook"})
_OFFERED = tuple(name for name in PLUGINS if name not in _MISSING)


@frozen
class EventLimit:
    """How many Events a second are let through.

    :ivar type: of what: ``Server``, ``Namespace``, ``User`` or ``SourceAndObject``.
    :ivar burst: how many at once.
    :ivar cache_size: of how many namespaces, users or sources the last use is known.
    """

    type: str
    qps: int
    burst: int
    cache_size: int = 4096


def _event_limits(value: Any) -> tuple[EventLimit, ...]:
    """A list of limits, each a map with ``type``, ``qps``, ``burst`` and, if wanted, ``cacheSize``."""
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ValueError("must be a list of limits")
    return tuple(map(_event_limit, value))


def _event_limit(values: dict[str, Any]) -> EventLimit:
    kind, numbers = values.get("type"), {key: number for key, number in values.items() if key != "type"}
    if kind not in ("Server", "Namespace", "User", "SourceAndObject"):
        raise ValueError("must have limits of type Server, Namespace, User or SourceAndObject")
    if not {"qps", "burst"} <= set(numbers) <= {"qps", "burst", "cacheSize"}:
        raise ValueError("must have limits with qps, burst and, if wanted, cacheSize")
    read = reading.whole(1)
    return EventLimit(kind, read(numbers["qps"]), read(numbers["burst"]), read(numbers.get("cacheSize", 4096)))


@frozen
class AdmissionSettings:
    """The section ``admission``."""

    enable_plugins: tuple[str, ...] = setting("enablePlugins", (), reading.choices(*_OFFERED))
    """Plugins to run beside those that are on by default."""

    disable_plugins: tuple[str, ...] = setting("disablePlugins", (), reading.choices(*PLUGINS))
    """Plugins not to run."""

    event_limits: tuple[EventLimit, ...] = setting("eventLimits", (), _event_limits)
    """The limits of the plugin EventRateLimit."""

    pod_security: PodSecuritySettings = section("podSecurity", PodSecuritySettings)
