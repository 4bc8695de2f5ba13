"""A completed configuration: everything that the servers of the chain share, made from the settings."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.admission.chain import AdmissionChain
from kube_twisted.admission.order import PluginParts, build_chain
from kube_twisted.admission.policies.metrics import PolicyMetrics
from kube_twisted.admission.policies.parts import PolicyParts
from kube_twisted.admission.webhooks.assembly import webhook_plugins
from kube_twisted.admission.webhooks.metrics import WebhookMetrics
from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.authentication.assembly import Authentication, new_authentication
from kube_twisted.authentication.token_review import TokenReviewer
from kube_twisted.authentication.tokens import StaticTokens
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.config import Config
from kube_twisted.controlplane.access import Access, new_access
from kube_twisted.controlplane.admission import KindLookup, PluginWrites
from kube_twisted.controlplane.component_probes import component_probes
from kube_twisted.controlplane.equivalents import EquivalentResources
from kube_twisted.controlplane.policies import KindTypes, policy_plugins
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.runtime_config import APIResourceConfig, check_switches
from kube_twisted.controlplane.service_accounts import ServiceAccounts, new_service_accounts
from kube_twisted.controlplane.special.host_lookup import host_lookup
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.batching import FrameBatcher
from kube_twisted.endpoints.watch import WatchSettings
from kube_twisted.registry.admissionregistration.param_guard import GROUP as POLICIES
from kube_twisted.registry.admissionregistration.param_guard import ParamGuard
from kube_twisted.schema.apply.plan import Plans
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.server.loopback import LOOPBACK_USER, new_loopback_token
from kube_twisted.server.pki import PKI, open_pki
from kube_twisted.storage.backends import Backend, local_backend, open_backend
from kube_twisted.storage.compaction import ICompactable
from kube_twisted.util.clock import Clock
from kube_twisted.util.https import HTTPSClient
from kube_twisted.webhooks.client import WebhookClient


@frozen(kw_only=True)
class CompletedConfig:
    """The settings, and what is made of them before any server exists.

    :ivar loopback_token: who has it is the server itself.
    :ivar plugin_writes: how admission plugins write; gets its client when the chain is there.
    :ivar kinds: finds the resources of kinds; is told of custom ones when the chain is there.
    :ivar types: finds the types of objects; is told of custom ones when the chain is there.
    :ivar equivalents: finds resources with the same objects; is told of custom ones when the chain is there.
    :ivar https: calls webhooks; to be closed at the end.
    :ivar webhook_metrics: counts what admission webhooks do.
    :ivar policy_metrics: counts what admission policies do.
    :ivar conversions: counts what conversion webhooks do.
    """

    config: Config
    clock: Clock
    pki: PKI
    backend: Backend
    stores: Stores
    service_accounts: ServiceAccounts
    authentication: Authentication
    access: Access
    admission: AdmissionChain
    plugin_writes: PluginWrites
    kinds: KindLookup
    types: KindTypes
    equivalents: EquivalentResources
    https: HTTPSClient
    webhooks: WebhookClient
    webhook_metrics: WebhookMetrics
    policy_metrics: PolicyMetrics
    conversions: ConversionMetrics
    rest_options: RESTOptions
    loopback_token: str

    @property
    def authorizer(self) -> IAuthorizer:
        return self.access.authorizer

    @property
    def resources(self) -> Resources:
        return self.rest_options.resources

    @property
    def schema(self) -> BuiltinSchema:
        return self.rest_options.schema

    @property
    def watches(self) -> WatchSettings:
        return self.rest_options.watches


def complete(config: Config, reactor: Any, store: ICompactable | None = None) -> CompletedConfig:
    """Make what the servers share.

    :param store: one of this process, in place of the one that the settings name.
    :raises StartError: when keys, certificates or files of tokens can't be used, or an API that is switched does
        not exist.
    """
    resources = Resources.load()
    check_switches(config.runtime_config, resources)
    clock = Clock(reactor)
    pki = open_pki(config, clock)
    backend = open_backend(config, reactor, clock) if store is None else local_backend(config, store, clock)
    schema = BuiltinSchema.load(config.data_directory)
    stores = Stores(backend.store, schema, clock, int(config.storage.event_ttl), config.services)
    accounts = new_service_accounts(config.service_accounts.issuer, pki.signing_key, stores, clock)
    token = new_loopback_token()
    authentication = new_authentication(
        config.authentication, pki.authority.certificate, pki.admin_token, clock,
        [StaticTokens({token: LOOPBACK_USER}), accounts.tokens])
    access = new_access(config.authorization.modes, stores)
    authorizer = access.authorizer
    writes, kinds = PluginWrites(), KindLookup(resources)
    stores.param_guard = ParamGuard(authorizer, kinds, lambda resource, name: stores.peek(POLICIES, resource, "", name))
    https = HTTPSClient(reactor, clock)
    webhooks, webhook_metrics = WebhookClient(https, stores, clock), WebhookMetrics()
    plans, policy_metrics = Plans(), PolicyMetrics()
    types = KindTypes(schema, plans)
    equivalents = EquivalentResources(resources, APIResourceConfig(config.runtime_config))
    admission = build_chain(
        PluginParts(reader=stores, clock=clock, authorizer=authorizer, write_quota_status=writes.quota_status,
                    create_namespace=writes.namespace, resources_of_kind=kinds,
                    event_limits=config.admission.event_limits, pod_security=config.admission.pod_security),
        config.admission.enable_plugins, config.admission.disable_plugins,
        {**webhook_plugins(stores, equivalents, webhooks, webhook_metrics, clock, authorizer),
         **policy_plugins(PolicyParts(
             reader=stores, read=writes.read, equivalents=equivalents, resources_of_kind=kinds, type_of=types,
             authorizer=authorizer, clock=clock, metrics=policy_metrics, condition_metrics=webhook_metrics))})
    options = RESTOptions(
        resources, stores, schema, admission,
        WatchSettings(FrameBatcher(clock), config.server.min_request_timeout), clock, plans, authorizer,
        TokenReviewer(authentication.tokens, accounts.audiences), accounts.issuer,
        component_probes(reactor, backend.problem), host_lookup(reactor))
    return CompletedConfig(
        config=config, clock=clock, pki=pki, backend=backend, stores=stores, service_accounts=accounts,
        authentication=authentication, access=access, admission=admission, plugin_writes=writes,
        kinds=kinds, types=types, equivalents=equivalents, https=https, webhooks=webhooks,
        webhook_metrics=webhook_metrics, policy_metrics=policy_metrics, conversions=ConversionMetrics(),
        rest_options=options, loopback_token=token)
