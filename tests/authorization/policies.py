"""Roles and bindings for tests, without a store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kube_twisted.authorization.rbac.policy import CLUSTER_ROLES, GROUP, ROLES, Policy
from kube_twisted.controlplane.bootstrap.rbac_policy import DefaultPolicy

Obj = dict[str, Any]


class Roles:
    """Has roles, and counts how often they are read."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str, str], Obj] = {}
        self.reads = 0

    def put(self, resource: str, obj: Obj) -> None:
        metadata = obj["metadata"]
        self.objects[resource, metadata.get("namespace", ""), metadata["name"]] = obj

    def peek(self, group: str, resource: str, namespace: str, name: str) -> Mapping[str, Any] | None:
        assert group == GROUP
        self.reads += 1
        return self.objects.get((resource, namespace, name))


def default_policy() -> Policy:
    """What a fresh cluster has."""
    roles = Roles()
    policy = Policy(roles)
    for one in DefaultPolicy().objects():
        if one.resource in (ROLES, CLUSTER_ROLES):
            roles.put(one.resource, one.obj)
        else:
            policy.put_binding(one.obj)
    return policy


def rule(verbs: str, resources: str = "", group: str = "", names: str = "", urls: str = "") -> Obj:
    """A rule; several values are separated by spaces."""
    keys = {"verbs": verbs.split(), "resources": resources.split(), "resourceNames": names.split(),
            "nonResourceURLs": urls.split()}
    if resources:
        keys["apiGroups"] = [group]
    return {key: value for key, value in keys.items() if value}
