"""A completed configuration: everything that the servers of the chain share, made from the settings."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.apiextensions.conversion.metrics import ConversionMetrics
from kube_twisted.authentication.assembly import Authentication, new_authentication
from kube_twisted.authentication.token_review import TokenReviewer
from kube_twisted.authentication.tokens import StaticTokens
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.config import Config
from kube_twisted.controlplane.access import Access, new_access
from kube_twisted.controlplane.admission_assembly import Admission, AdmissionNeeds, new_admission
from kube_twisted.controlplane.component_probes import component_probes
from kube_twisted.controlplane.resources import Resources
from kube_twisted.controlplane.rest import RESTOptions
from kube_twisted.controlplane.runtime_config import check_switches
from kube_twisted.controlplane.service_accounts import ServiceAccounts, new_service_accounts
from kube_twisted.controlplane.special.host_lookup import host_lookup
from kube_twisted.controlplane.stores import Stores
from kube_twisted.endpoints.batching import FrameBatcher
from kube_twisted.endpoints.watch import WatchSettings
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
    :ivar https: calls webhooks; to be closed at the end.
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
    admission: Admission
    https: HTTPSClient
    webhooks: WebhookClient
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
    https, plans = HTTPSClient(reactor, clock), Plans()
    webhooks = WebhookClient(https, stores, clock)
    admission = new_admission(AdmissionNeeds(
        config=config, clock=clock, resources=resources, stores=stores, schema=schema, plans=plans,
        authorizer=access.authorizer, webhooks=webhooks))
    options = RESTOptions(
        resources, stores, schema, admission.chain,
        WatchSettings(FrameBatcher(clock), config.server.min_request_timeout), clock, plans, access.authorizer,
        TokenReviewer(authentication.tokens, accounts.audiences), accounts.issuer,
        component_probes(https, backend.problem), host_lookup(reactor))
    return CompletedConfig(
        config=config, clock=clock, pki=pki, backend=backend, stores=stores, service_accounts=accounts,
        authentication=authentication, access=access, admission=admission, https=https, webhooks=webhooks,
        conversions=ConversionMetrics(), rest_options=options, loopback_token=token)
