"""ClusterRoleBindings: ClusterRoles for subjects that say in which namespace they are."""

from __future__ import annotations

from kube_twisted.registry.rbac.rolebinding import RoleBindingStrategy


class ClusterRoleBindingStrategy(RoleBindingStrategy):
    """Rules of ``clusterrolebindings``."""

    role_kinds = ("ClusterRole",)
    namespaced = False


STRATEGY = ClusterRoleBindingStrategy()
