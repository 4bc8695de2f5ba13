"""The default roles and bindings of a cluster, as objects, from the table ``data/rbac.json``.

Source: the Kubernetes documentation, "Using RBAC Authorization", default roles; for the feature gates that are on by
default in 1.36. A binding has the name of its role, unless it says otherwise; a controller has a role and a binding of
the name ``system:controller:<name>``, for the service account of that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from attrs import frozen

from kube_twisted.authorization.rbac.policy import (
    CLUSTER_ROLE_BINDINGS,
    CLUSTER_ROLES,
    GROUP,
    ROLE_BINDINGS,
    ROLES,
)

AUTO_UPDATE = "rbac.authorization.kubernetes.io/autoupdate"
NODE_ROLE = "system:node"
_FILE = Path(__file__).parent / "data" / "rbac.json"
_LABELS = {"kubernetes.io/bootstrapping": "rbac-defaults"}
_KINDS = {CLUSTER_ROLES: "ClusterRole", CLUSTER_ROLE_BINDINGS: "ClusterRoleBinding", ROLES: "Role",
          ROLE_BINDINGS: "RoleBinding"}
_CONTROLLER = "system:controller:"

Obj = dict[str, Any]


def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = orjson.loads(_FILE.read_bytes())
    return table


@frozen
class DefaultObject:
    """One of the four resources, and an object of it that should be there."""

    resource: str
    obj: Obj

    @property
    def name(self) -> str:
        return str(self.obj["metadata"]["name"])

    @property
    def namespace(self) -> str:
        return str(self.obj["metadata"].get("namespace", ""))


class DefaultPolicy:
    """The table. It is wanted when a server starts, and not kept."""

    def node_rules(self) -> list[Obj]:
        """What all nodes may do."""
        rules: list[Obj] = _table()["clusterRoles"][NODE_ROLE]["rules"]
        return rules

    def objects(self) -> Iterator[DefaultObject]:
        """All roles and bindings."""
        table = _table()
        for name, role in table["clusterRoles"].items():
            yield _cluster_role(name, role)
        for name, rules in table["controllers"].items():
            yield _made(CLUSTER_ROLES, _CONTROLLER + name, {"rules": rules})
            yield _binding(CLUSTER_ROLE_BINDINGS, _CONTROLLER + name, [f"ServiceAccount kube-system/{name}"])
        for name, subjects in table["clusterRoleBindings"].items():
            yield _binding(CLUSTER_ROLE_BINDINGS, name, subjects)
        for namespace, roles in table["roles"].items():
            for name, rules in roles.items():
                yield _made(ROLES, name, {"rules": rules}, namespace)
        for namespace, bindings in table["roleBindings"].items():
            for name, binding in bindings.items():
                yield _binding(ROLE_BINDINGS, name, binding["subjects"], binding.get("role", name), namespace)


def _made(resource: str, name: str, content: Obj, namespace: str = "",
          labels: Mapping[str, str] | None = None) -> DefaultObject:
    metadata: Obj = {"name": name, "labels": {**_LABELS, **(labels or {})}, "annotations": {AUTO_UPDATE: "true"}}
    if namespace:
        metadata["namespace"] = namespace
    return DefaultObject(resource, {"kind": _KINDS[resource], "apiVersion": f"{GROUP}/v1", "metadata": metadata,
                                    **content})


def _cluster_role(name: str, role: Mapping[str, Any]) -> DefaultObject:
    """A role with rules, or one that gathers those of the roles with a label."""
    content: Obj = {"rules": role.get("rules")}
    if "aggregate" in role:
        content["aggregationRule"] = {"clusterRoleSelectors": [{"matchLabels": {role["aggregate"]: "true"}}]}
    return _made(CLUSTER_ROLES, name, content, labels=role.get("labels"))


def _binding(resource: str, name: str, subjects: list[str], role: str = "", namespace: str = "") -> DefaultObject:
    content: Obj = {"roleRef": {"apiGroup": GROUP, "kind": "Role" if namespace else "ClusterRole",
                                "name": role or name}}
    if subjects:
        content["subjects"] = list(map(_subject, subjects))
    return _made(resource, name, content, namespace)


def _subject(text: str) -> Obj:
    """``Group system:masters``, ``User jane`` or ``ServiceAccount namespace/name``."""
    kind, _, name = text.partition(" ")
    if kind != "ServiceAccount":
        return {"kind": kind, "apiGroup": GROUP, "name": name}
    namespace, _, account = name.partition("/")
    return {"kind": kind, "name": account, "namespace": namespace}
