"""All roles and bindings of the cluster, ready to be asked.

Bindings are read when they change, and found by the users and groups that they name. A role is read when it is first
asked for, and kept until it changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from kube_twisted.api.user import UserInfo
from kube_twisted.authorization.rbac.bindings import Binding, BindingIndex, RoleKey, read_binding
from kube_twisted.authorization.rbac.rules import RuleSet, read_rules

GROUP = "rbac.authorization.k8s.io"
ROLES, CLUSTER_ROLES = "roles", "clusterroles"
ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS = "rolebindings", "clusterrolebindings"
#: How a binding names the kind of its role -> the resource.
_RESOURCES = {"Role": ROLES, "ClusterRole": CLUSTER_ROLES}


class RoleReader(Protocol):
    """Finds roles; what it gives is shared, and is not changed."""

    def peek(self, group: str, resource: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        """The object, None when it isn't there."""


class RoleMissing(Exception):
    """A binding names a role that there is not."""

    def __init__(self, role: RoleKey) -> None:
        super().__init__(role)
        self.role = role

    def __str__(self) -> str:
        if self.role.kind not in _RESOURCES:
            return f'unsupported role reference kind: "{self.role.kind}"'
        return f'{self.role.kind.lower()}.{GROUP} "{self.role.name}" not found'


class Policy:
    """Answers which bindings apply to a user, and which rules a role has.

    Whoever sees the objects change tells it.
    """

    def __init__(self, reader: RoleReader) -> None:
        self._reader = reader
        self._roles: dict[RoleKey, RuleSet] = {}
        self._cluster = BindingIndex()
        self._namespaces: dict[str, BindingIndex] = {}

    # -- changes --------------------------------------------------------------------------------------------------

    def role_changed(self, resource: str, namespace: str, name: str) -> None:
        """A Role or ClusterRole is new, changed or gone."""
        self._roles.pop(RoleKey("Role" if resource == ROLES else "ClusterRole", namespace, name), None)

    def put_binding(self, obj: Mapping[str, Any]) -> None:
        """A RoleBinding or ClusterRoleBinding is new or changed."""
        namespace = obj["metadata"].get("namespace", "")
        if not namespace:
            self._cluster.put(read_binding(obj))
            return
        index = self._namespaces.get(namespace)
        if index is None:
            index = self._namespaces[namespace] = BindingIndex()
        index.put(read_binding(obj))

    def remove_binding(self, namespace: str, name: str) -> None:
        """A RoleBinding is gone, or without a namespace a ClusterRoleBinding."""
        index = self._namespaces.get(namespace) if namespace else self._cluster
        if index is None:
            return
        index.remove(name)
        if namespace and not index:
            del self._namespaces[namespace]

    # -- questions ------------------------------------------------------------------------------------------------

    def bindings_of(self, user: UserInfo, namespace: str) -> Iterator[Binding]:
        """The bindings for the whole cluster that apply to the user, then those in the namespace."""
        yield from self._cluster.applying_to(user)
        index = self._namespaces.get(namespace) if namespace else None
        if index is not None:
            yield from index.applying_to(user)

    def rules_of(self, role: RoleKey) -> RuleSet:
        """:raises RoleMissing: when there is no such role."""
        found = self._roles.get(role)
        if found is None:
            resource = _RESOURCES.get(role.kind)
            obj = self._reader.peek(GROUP, resource, role.namespace, role.name) if resource is not None else None
            if obj is None:
                raise RoleMissing(role)
            found = self._roles[role] = read_rules(obj.get("rules"))
        return found
