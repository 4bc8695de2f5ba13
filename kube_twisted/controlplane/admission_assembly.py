"""Admission put together: the chain of plugins, and what they ask of the server around them."""

from __future__ import annotations

from attrs import define, field, frozen

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.admission.order import PluginParts, build_chain
from kube_twisted.admission.policies.metrics import PolicyMetrics
from kube_twisted.admission.policies.parts import PolicyParts
from kube_twisted.admission.webhooks.assembly import webhook_plugins
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.config import Config
from kube_twisted.controlplane.admission import KindLookup, PluginWrites
from kube_twisted.controlplane.equivalents import EquivalentResources
from kube_twisted.controlplane.policies import KindTypes, policy_plugins
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.runtime_config import APIResourceConfig
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.admissionregistration.param_guard import GROUP as POLICIES
from kube_twisted.registry.admissionregistration.param_guard import ParamGuard
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.util.clock import Clock
from kube_twisted.webhooks.client import WebhookClient


@define(kw_only=True)
class Admission:
    """The chain, and what it is completed with when there are servers.

    :ivar writes: how plugins write; gets its client when the chain of servers is there.
    :ivar kinds: finds the resources of kinds; is told of custom ones then.
    :ivar types: finds the types of objects; is told of custom ones then.
    :ivar equivalents: finds resources with the same objects; is told of custom ones then.
    :ivar webhook_metrics: counts what admission webhooks do.
    :ivar policy_metrics: counts what admission policies do.
    """

    writes: PluginWrites
    kinds: KindLookup
    types: KindTypes
    equivalents: EquivalentResources
    webhook_metrics: WebhookMetrics
    policy_metrics: PolicyMetrics
    chain: AdmissionChain = field(init=False)


@frozen(kw_only=True)
class AdmissionNeeds:
    """What admission is made with."""

    config: Config
    clock: Clock
    resources: Resources
    stores: Stores
    schema: BuiltinSchema
    plans: Plans
    authorizer: IAuthorizer
    webhooks: WebhookClient


def new_admission(needs: AdmissionNeeds) -> Admission:
    """Make the chain that the settings ask for."""
    stores = needs.stores
    admission = Admission(
        writes=PluginWrites(), kinds=KindLookup(needs.resources), types=KindTypes(needs.schema, needs.plans),
        equivalents=EquivalentResources(needs.resources, APIResourceConfig(needs.config.runtime_config)),
        webhook_metrics=WebhookMetrics(), policy_metrics=PolicyMetrics())
    stores.param_guard = ParamGuard(
        needs.authorizer, admission.kinds, lambda resource, name: stores.peek(POLICIES, resource, "", name))
    admission.chain = _chain(needs, admission)
    return admission


def _chain(needs: AdmissionNeeds, admission: Admission) -> AdmissionChain:
    settings, stores, clock, authorizer = needs.config.admission, needs.stores, needs.clock, needs.authorizer
    parts = PluginParts(
        reader=stores, clock=clock, authorizer=authorizer, write_quota_status=admission.writes.quota_status,
        create_namespace=admission.writes.namespace, resources_of_kind=admission.kinds,
        event_limits=settings.event_limits, pod_security=settings.pod_security)
    webhooks = webhook_plugins(
        stores, admission.equivalents, needs.webhooks, admission.webhook_metrics, clock, authorizer)
    policies = policy_plugins(PolicyParts(
        reader=stores, read=admission.writes.read, equivalents=admission.equivalents,
        resources_of_kind=admission.kinds, type_of=admission.types, authorizer=authorizer, clock=clock,
        metrics=admission.policy_metrics, condition_metrics=admission.webhook_metrics))
    return build_chain(parts, settings.enable_plugins, settings.disable_plugins, {**webhooks, **policies})
