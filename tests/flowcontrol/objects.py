"""FlowSchemas, priority levels and requests for tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kube_twisted.flowcontrol.matching import Digest

Obj = dict[str, Any]
EVERYTHING: Obj = {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "clusterScope": True, "namespaces": ["*"]}
ANY_PATH: Obj = {"verbs": ["*"], "nonResourceURLs": ["*"]}


def user(name: str) -> Obj:
    return {"kind": "User", "user": {"name": name}}


def group(name: str) -> Obj:
    return {"kind": "Group", "group": {"name": name}}


def account(namespace: str, name: str) -> Obj:
    return {"kind": "ServiceAccount", "serviceAccount": {"namespace": namespace, "name": name}}


def schema(name: str, subject: Obj, *, level: str = "busy", precedence: int = 1000, by: str = "",
           resources: Sequence[Obj] = (EVERYTHING,), paths: Sequence[Obj] = (ANY_PATH,)) -> Obj:
    """A FlowSchema with one rule."""
    rule = {"subjects": [subject], "resourceRules": list(resources), "nonResourceRules": list(paths)}
    spec: Obj = {"priorityLevelConfiguration": {"name": level}, "matchingPrecedence": precedence, "rules": [rule]}
    if by:
        spec["distinguisherMethod"] = {"type": by}
    return {"kind": "FlowSchema", "metadata": {"name": name, "uid": f"{name}-uid"}, "spec": spec}


def level(name: str, shares: int = 10, queues: int = 0, hand: int = 1, length: int = 50, **more: int) -> Obj:
    """A level that is limited; without queues it rejects."""
    response: Obj = {"type": "Reject"}
    if queues:
        queuing = {"queues": queues, "handSize": hand, "queueLengthLimit": length}
        response = {"type": "Queue", "queuing": queuing}
    limited = {"nominalConcurrencyShares": shares, "limitResponse": response, **more}
    return {"kind": "PriorityLevelConfiguration", "metadata": {"name": name, "uid": f"{name}-uid"},
            "spec": {"type": "Limited", "limited": limited}}


EXEMPT: Obj = {"metadata": {"name": "exempt"}, "spec": {"type": "Exempt", "exempt": {"nominalConcurrencyShares": 0}}}


def asks(name: str = "ann", *groups: str, verb: str = "get", resource: str = "pods", subresource: str = "",
         api_group: str = "", namespace: str = "default") -> Digest:
    """A request about a resource."""
    return Digest(name, groups, verb, True, api_group, resource, subresource, namespace, "")


def asks_path(path: str, name: str = "ann", *groups: str, verb: str = "get") -> Digest:
    """A request for a path."""
    return Digest(name, groups, verb, False, "", "", "", "", path)
