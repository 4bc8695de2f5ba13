"""Who may do what in this server: its authorizers, kept up to date with the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from kube_twisted.authorization.assembly import new_authorizer
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.authorization.node.authorizer import NodeAuthorizer
from kube_twisted.authorization.node.relations import NodeRelations
from kube_twisted.authorization.rbac.authorizer import RBACAuthorizer
from kube_twisted.authorization.rbac.escalation import EscalationGuard
from kube_twisted.authorization.rbac.policy import CLUSTER_ROLES, ROLES, Policy
from kube_twisted.authorization.rbac.rules import read_rules
from kube_twisted.controlplane.bootstrap.rbac_policy import DefaultPolicy
from kube_twisted.controlplane.stores import Stores
from kube_twisted.registry.store import Store
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watcher import WatchEvent


@frozen
class Access:
    """:ivar policy: the default roles and bindings."""

    authorizer: IAuthorizer
    policy: DefaultPolicy
    _stores: Stores
    _roles: Policy
    _nodes: NodeRelations

    def follow(self) -> None:
        """Know what the started stores hold, and see every change from now on."""
        for store in self._stores.guarded():
            _follow_policy(self._roles, store)
        pods = self._stores.store("", "pods")
        if pods is not None:
            pods.cache.add(_Follower(lambda change: self._nodes.pod_changed(change.item.namespace, change.item.name)))


def new_access(modes: Sequence[str], stores: Stores) -> Access:
    """The authorizers of the modes; roles and bindings can only be written under their guard."""
    policy, roles, nodes = DefaultPolicy(), Policy(stores), NodeRelations(stores)
    authorizer = new_authorizer(modes, NodeAuthorizer(nodes, read_rules(policy.node_rules())), RBACAuthorizer(roles))
    stores.guard(EscalationGuard(roles, authorizer))
    return Access(authorizer, policy, stores, roles, nodes)


class _Follower:
    """Tells of each change of one resource."""

    def __init__(self, change: Callable[[WatchEvent], None]) -> None:
        self.selection = Selection()
        self._change = change

    def deliver(self, change: WatchEvent) -> None:
        self._change(change)

    def end(self) -> None:
        """The server ends."""


def _follow_policy(policy: Policy, store: Store) -> None:
    resource = store.resource.resource
    if resource in (ROLES, CLUSTER_ROLES):
        store.cache.add(_Follower(
            lambda change: policy.role_changed(resource, change.item.namespace, change.item.name)))
        return
    store.cache.add(_Follower(lambda change: _binding_changed(policy, change)))
    items, _, _ = store.cache.select(Selection())
    for item in items:
        policy.put_binding(item.parse())


def _binding_changed(policy: Policy, change: WatchEvent) -> None:
    if change.deleted:
        policy.remove_binding(change.item.namespace, change.item.name)
    else:
        policy.put_binding(change.item.parse())
