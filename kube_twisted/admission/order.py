"""From names to the admission chain: which plugins run, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from attrs import frozen

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.admission.interfaces import IAdmissionPlugin, ObjectReader, WriteQuotaStatus
from kube_twisted.admission.plugins.default_ingress_class import DefaultIngressClass
from kube_twisted.admission.plugins.default_storage_class import DefaultStorageClass
from kube_twisted.admission.plugins.default_toleration_seconds import DefaultTolerationSeconds
from kube_twisted.admission.plugins.limit_ranger import LimitRanger
from kube_twisted.admission.plugins.namespace_lifecycle import NamespaceLifecycle
from kube_twisted.admission.plugins.persistent_volume_claim_resize import PersistentVolumeClaimResize
from kube_twisted.admission.plugins.pod_security import PodSecurity
from kube_twisted.admission.plugins.priority import Priority
from kube_twisted.admission.plugins.resource_quota import ResourceQuota
from kube_twisted.admission.plugins.runtime_class import RuntimeClass
from kube_twisted.admission.plugins.service_account import ServiceAccount
from kube_twisted.admission.plugins.storage_object_in_use_protection import StorageObjectInUseProtection
from kube_twisted.admission.plugins.taint_nodes_by_condition import TaintNodesByCondition
from kube_twisted.config.admission import ON_BY_DEFAULT, PLUGINS
from kube_twisted.util.clock import Clock


@frozen(kw_only=True)
class PluginParts:
    """What plugins are made with.

    :ivar reader: the rest of the cluster.
    """

    reader: ObjectReader
    clock: Clock
    write_quota_status: WriteQuotaStatus


_FACTORIES: Mapping[str, Callable[[PluginParts], IAdmissionPlugin]] = {
    "NamespaceLifecycle": lambda parts: NamespaceLifecycle(parts.reader, parts.clock),
    "LimitRanger": lambda parts: LimitRanger(parts.reader),
    "ServiceAccount": lambda parts: ServiceAccount(parts.reader, parts.clock),
    "TaintNodesByCondition": lambda parts: TaintNodesByCondition(),
    "PodSecurity": lambda parts: PodSecurity(parts.reader),
    "Priority": lambda parts: Priority(parts.reader),
    "DefaultTolerationSeconds": lambda parts: DefaultTolerationSeconds(),
    "DefaultStorageClass": lambda parts: DefaultStorageClass(parts.reader),
    "StorageObjectInUseProtection": lambda parts: StorageObjectInUseProtection(),
    "PersistentVolumeClaimResize": lambda parts: PersistentVolumeClaimResize(parts.reader),
    "RuntimeClass": lambda parts: RuntimeClass(parts.reader),
    "DefaultIngressClass": lambda parts: DefaultIngressClass(parts.reader),
    "ResourceQuota": lambda parts: ResourceQuota(parts.reader, parts.clock, parts.write_quota_status),
}


def build_chain(parts: PluginParts, enabled: Collection[str] = (), disabled: Collection[str] = (),
                further: Mapping[str, IAdmissionPlugin] | None = None) -> AdmissionChain:
    """The chain of the plugins that are on by default and those enabled, without those disabled.

    :param further: plugins made elsewhere, by their names, such as the webhooks; they run where their name stands in
        the order.
    """
    chosen = (ON_BY_DEFAULT | set(enabled)) - set(disabled)
    made = dict(further or {})
    for name, factory in _FACTORIES.items():
        if name in chosen:
            made[name] = factory(parts)
    return AdmissionChain([made[name] for name in PLUGINS if name in made and name in chosen])
