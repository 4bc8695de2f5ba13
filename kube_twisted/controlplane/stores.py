"""The stores of all resources: those of built-in ones are made here, and shared between the versions of a resource."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from twisted.internet.defer import FirstError, gatherResults

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.api.gvk import GroupResource, GroupVersionKind
from kube_twisted.api.names import path_segment
from kube_twisted.authorization.rbac.escalation import EscalationGuard
from kube_twisted.authorization.rbac.policy import CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES, ROLE_BINDINGS, ROLES
from kube_twisted.authorization.rbac.policy import GROUP as RBAC
from kube_twisted.config.services import ServiceSettings
from kube_twisted.controlplane.services.parts import SERVICES, service_parts
from kube_twisted.controlplane.services.service_store import ServiceStore
from kube_twisted.registry.admissionregistration.param_guard import GROUP as POLICIES
from kube_twisted.registry.admissionregistration.param_guard import GUARDED, ParamGuard, ParamGuardedStore
from kube_twisted.registry.apiextensions import customresourcedefinition
from kube_twisted.registry.apiextensions.definition_store import CustomResourceDefinitionStore
from kube_twisted.registry.core import service
from kube_twisted.registry.core.namespace_store import NamespaceStore
from kube_twisted.registry.rbac import STRATEGIES as RBAC_STRATEGIES
from kube_twisted.registry.rbac.guarded_store import GuardedStore
from kube_twisted.registry.resource.admin_access import ADMIN_ACCESS, AdminAccessStore
from kube_twisted.registry.resource.admin_access import GROUP as DEVICES
from kube_twisted.registry.store import Store
from kube_twisted.registry.strategy import Strategy
from kube_twisted.schema.builtin import BuiltinSchema
from kube_twisted.storage.cached import Encoding
from kube_twisted.storage.interfaces import IStore
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.util.clock import Clock
from kube_twisted.util.deferreds import to_deferred

_ROOT = "/registry/"
#: Where keys do not follow from the resource's name, they are those of the original.
_PREFIXES = {
    ("", "replicationcontrollers"): "controllers", ("", "endpoints"): "services/endpoints", ("", "nodes"): "minions",
    ("", "services"): "services/specs", ("networking.k8s.io", "ingresses"): "ingress",
    ("apiextensions.k8s.io", "customresourcedefinitions"): "apiextensions.k8s.io/customresourcedefinitions",
    ("apiregistration.k8s.io", "apiservices"): "apiregistration.k8s.io/apiservices",
}
_DEFINITIONS = GroupResource("apiextensions.k8s.io", "customresourcedefinitions")
#: Roles and bindings -> their kinds.
_GUARDED = {ROLES: "Role", ROLE_BINDINGS: "RoleBinding", CLUSTER_ROLES: "ClusterRole",
            CLUSTER_ROLE_BINDINGS: "ClusterRoleBinding"}
#: Stores of resources that are deleted in two steps.
_SPECIAL = {
    ("", "namespaces"): NamespaceStore,
    ("apiextensions.k8s.io", "customresourcedefinitions"): CustomResourceDefinitionStore,
}
#: Groups that show the objects of another group.
_COHABITANTS = {("events.k8s.io", "events"): GroupResource("", "events")}


class Stores:
    """Makes and finds stores; a RESTOptionsGetter and the reader that admission uses.

    :param event_ttl: how many seconds Events live.
    :param services: the ranges of Services.
    :ivar param_guard: under which admission policies are written; is set before their stores are made.
    """

    param_guard: ParamGuard

    def __init__(self, storage: IStore, schema: BuiltinSchema, clock: Clock, event_ttl: int,
                 services: ServiceSettings | None = None) -> None:
        self._storage = storage
        self._services = services or ServiceSettings()
        self._schema = schema
        self._clock = clock
        self._event_ttl = event_ttl
        self._stores: dict[GroupResource, Store] = {}
        self._by_name: dict[tuple[str, str], Store] = {}
        self._guises: dict[GroupResource, Store] = {}
        self._custom: dict[GroupResource, Store] = {}

    def __iter__(self) -> Iterator[Store]:
        return iter((*self._stores.values(), *self._custom.values()))

    def put(self, resource: GroupResource, store: Store) -> None:
        """A custom resource is served from this store, which its owner starts and stops."""
        self._custom[resource] = store

    def remove(self, resource: GroupResource) -> None:
        """A custom resource is not served any more."""
        self._custom.pop(resource, None)
        self._by_name.pop((resource.group, resource.resource), None)

    @property
    def services(self) -> ServiceStore:
        """The store of Services, served or not."""
        store = self.obtain(SERVICES, GroupVersionKind("", "v1", "Service"), True, service.STRATEGY)
        assert isinstance(store, ServiceStore)
        return store

    @property
    def definitions(self) -> Store:
        """The store of CustomResourceDefinitions, served or not."""
        return self.obtain(_DEFINITIONS, GroupVersionKind(_DEFINITIONS.group, "v1", "CustomResourceDefinition"), False,
                           customresourcedefinition.STRATEGY)

    def guarded(self) -> list[GuardedStore]:
        """The stores of roles and bindings, served or not."""
        found = [self.obtain(GroupResource(RBAC, resource), GroupVersionKind(RBAC, "v1", kind),
                             resource in (ROLES, ROLE_BINDINGS), RBAC_STRATEGIES[resource])
                 for resource, kind in _GUARDED.items()]
        return [store for store in found if isinstance(store, GuardedStore)]

    def guard(self, guard: EscalationGuard) -> None:
        """Roles and bindings are written under this guard."""
        for store in self.guarded():
            store.guard = guard

    @staticmethod
    def home(resource: GroupResource) -> GroupResource:
        """Under which resource the objects are stored."""
        return _COHABITANTS.get((resource.group, resource.resource), resource)

    def obtain(self, resource: GroupResource, kind: GroupVersionKind, namespaced: bool, strategy: Strategy) -> Store:
        """The store of a resource.

        :param kind: of the storage version.
        """
        home = self.home(resource)
        store = self._stores.get(home)
        if store is None:
            store = self._stores[home] = self._make(home, kind, namespaced, strategy)
        return store if home == resource else self._seen_as(resource, store, strategy)

    def _seen_as(self, resource: GroupResource, store: Store, strategy: Strategy) -> Store:
        """The same objects under the name of another resource: refusals say that one."""
        seen = self._guises.get(resource)
        if seen is None:
            seen = self._guises[resource] = copy.copy(store)
            seen.resource, seen.strategy = resource, strategy
        return seen

    def _make(self, home: GroupResource, kind: GroupVersionKind, namespaced: bool, strategy: Strategy) -> Store:
        prefix = _ROOT + _PREFIXES.get((home.group, home.resource), home.resource) + "/"
        cache = WatchCache(self._storage, prefix, namespaced, Encoding(kind.kind, kind.api_version))
        struct = self._schema.kind(kind)
        strategy = strategy.for_kind(struct)
        is_event = home == GroupResource("", "events")
        if home == SERVICES:
            parts = service_parts(self._services, self._storage, self.obtain)
            return ServiceStore(home, kind, namespaced, strategy, cache, self._clock, struct=struct, parts=parts)
        if home.group == POLICIES and home.resource in GUARDED:
            guarded = ParamGuardedStore(home, kind, namespaced, strategy, cache, self._clock, struct=struct)
            guarded.guard = self.param_guard
            return guarded
        if home.group == DEVICES and home.resource in ADMIN_ACCESS:
            claims = AdminAccessStore(home, kind, namespaced, strategy, cache, self._clock, struct=struct)
            claims.labels_of = self._labels_of_namespace
            return claims
        make = GuardedStore if home.group == RBAC else _SPECIAL.get((home.group, home.resource), Store)
        return make(home, kind, namespaced, strategy, cache, self._clock, self._event_ttl if is_event else 0, struct)

    def _labels_of_namespace(self, name: str) -> dict[str, str]:
        namespace = self.peek("", "namespaces", "", name) or {"metadata": {}}
        labels: dict[str, str] = namespace["metadata"].get("labels", {})
        return labels

    async def start(self) -> None:
        """Fill all caches.

        :raises StoreUnusable: when one can't be filled.
        """
        try:
            await gatherResults([to_deferred(store.start()) for store in self._stores.values()], consumeErrors=True)
        except FirstError as error:
            error.subFailure.raiseException()

    def stop(self) -> None:
        for store in self._stores.values():
            store.stop()

    # -- reading, for admission and controllers -------------------------------------------------------------------

    def store(self, group: str, resource: str) -> Store | None:
        found = self._by_name.get((group, resource))
        if found is None:
            wanted = self.home(GroupResource(group, resource))
            found = self._stores.get(wanted) or self._custom.get(wanted)
            if found is not None:
                self._by_name[group, resource] = found
        return found

    def get(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """A fresh copy of an object, None when it isn't there."""
        store = self.store(group, resource)
        item = store.cache.get(store.cache.key(namespace, name)) if store is not None else None
        return item.parse() if item is not None else None

    def peek(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """An object as shared data, None when it isn't there."""
        store = self.store(group, resource)
        item = store.cache.get(store.cache.key(namespace, name)) if store is not None else None
        return item.peek() if item is not None else None

    def peek_all(self, group: str, resource: str, namespace: str = "") -> list[dict[str, Any]]:
        """All objects of a resource, or those in one namespace, as shared data."""
        store = self.store(group, resource)
        if store is None or not store.cache:
            return []
        items, _, _ = store.cache.select(Selection(namespace))
        return [item.peek() for item in items]

    def changed(self, group: str, resource: str) -> int:
        """The revision of the last change of a resource's objects; 0 for what is not served."""
        store = self.store(group, resource)
        return store.cache.changed if store is not None else 0

    async def peek_latest(self, group: str, resource: str, namespace: str, name: str) -> dict[str, Any] | None:
        """Like :meth:`peek`, with all that was acknowledged by any server of the same store before.

        :raises StatusError: 500 for a name that the original's client doesn't ask for.
        """
        if not name:
            raise errors.plain_internal("resource name may not be empty")
        if unfit := path_segment(name):
            raise errors.plain_internal(f"invalid resource name {go_quote(name)}: [{' '.join(unfit)}]")
        store = self.store(group, resource)
        if store is None:
            return None
        await store.cache.read_revision()
        return self.peek(group, resource, namespace, name)

    def exists(self, group: str, resource: str, namespace: str, name: str) -> bool:
        store = self.store(group, resource)
        return store is not None and store.cache.get(store.cache.key(namespace, name)) is not None

    def list_objects(self, group: str, resource: str, namespace: str = "") -> list[dict[str, Any]]:
        """Fresh copies of all objects of a resource, or of those in one namespace."""
        store = self.store(group, resource)
        if store is None:
            return []
        items, _, _ = store.cache.select(Selection(namespace))
        return [item.parse() for item in items]
