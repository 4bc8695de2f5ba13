"""The suggested objects of API priority and fairness, beside the mandatory ones (KEP-1040)."""

from __future__ import annotations

from typing import Any

Spec = dict[str, Any]


def _level(shares: int, lendable: int, queues: int, hand: int) -> Spec:
    """A priority level that queues."""
    return {"type": "Limited", "limited": {
        "nominalConcurrencyShares": shares, "lendablePercent": lendable,
        "limitResponse": {"type": "Queue", "queuing": {"queues": queues, "handSize": hand, "queueLengthLimit": 50}}}}


def _group(*names: str) -> list[Spec]:
    return [{"kind": "Group", "group": {"name": name}} for name in names]


def _user(*names: str) -> list[Spec]:
    return [{"kind": "User", "user": {"name": name}} for name in names]


def _resources(verbs: str, group: str, resources: str, cluster: bool) -> Spec:
    """A rule about resources in all namespaces, and those without one if ``cluster``."""
    rule: Spec = {"verbs": verbs.split(), "apiGroups": [group], "resources": resources.split(), "namespaces": ["*"]}
    return {**rule, "clusterScope": True} if cluster else rule


def _schema(level: str, precedence: int, by: str, subjects: list[Spec], resources: list[Spec] | None = None,
            paths: list[Spec] | None = None) -> Spec:
    """A schema with one rule.

    :param by: what tells flows apart: ``ByUser``, ``ByNamespace`` or nothing.
    """
    rule = {"subjects": subjects}
    if resources:
        rule["resourceRules"] = resources
    if paths:
        rule["nonResourceRules"] = paths
    spec: Spec = {"priorityLevelConfiguration": {"name": level}, "matchingPrecedence": precedence}
    if by:
        spec["distinguisherMethod"] = {"type": by}
    return {**spec, "rules": [rule]}


_ALL, _ALL_PATHS = [_resources("*", "*", "*", True)], [{"verbs": ["*"], "nonResourceURLs": ["*"]}]
_LEASES = "coordination.k8s.io"
_EVERYBODY = _group("system:unauthenticated", "system:authenticated")
_NODES = _group("system:nodes")
_MANAGER, _SCHEDULER = "system:kube-controller-manager", "system:kube-scheduler"
_SYSTEM_ACCOUNTS: list[Spec] = [
    {"kind": "ServiceAccount", "serviceAccount": {"name": "*", "namespace": "kube-system"}}]

#: name -> spec
PRIORITY_LEVELS: dict[str, Spec] = {
    "system": _level(30, 33, 64, 6),
    "node-high": _level(40, 25, 64, 6),
    "leader-election": _level(10, 0, 16, 4),
    "workload-high": _level(40, 50, 128, 6),
    "workload-low": _level(100, 90, 128, 6),
    "global-default": _level(20, 50, 128, 6),
}

#: name -> spec
FLOW_SCHEMAS: dict[str, Spec] = {
    "probes": _schema("exempt", 2, "", _EVERYBODY, paths=[
        {"verbs": ["get"], "nonResourceURLs": ["/healthz", "/readyz", "/livez"]}]),
    "system-leader-election": _schema(
        "leader-election", 100, "ByUser", _user(_MANAGER, _SCHEDULER) + _SYSTEM_ACCOUNTS,
        [_resources("get create update", _LEASES, "leases", False)]),
    "system-node-high": _schema(
        "node-high", 400, "ByUser", _NODES,
        [_resources("*", "", "nodes nodes/status", True), _resources("*", _LEASES, "leases", False)]),
    "system-nodes": _schema("system", 500, "ByUser", _NODES, _ALL, _ALL_PATHS),
    "kube-controller-manager": _schema("workload-high", 800, "ByNamespace", _user(_MANAGER), _ALL, _ALL_PATHS),
    "kube-scheduler": _schema("workload-high", 800, "ByNamespace", _user(_SCHEDULER), _ALL, _ALL_PATHS),
    "kube-system-service-accounts": _schema(
        "workload-high", 900, "ByNamespace", _SYSTEM_ACCOUNTS, _ALL, _ALL_PATHS),
    "service-accounts": _schema(
        "workload-low", 9000, "ByUser", _group("system:serviceaccounts"), _ALL, _ALL_PATHS),
    "global-default": _schema("global-default", 9900, "ByUser", _EVERYBODY, _ALL, _ALL_PATHS),
}
