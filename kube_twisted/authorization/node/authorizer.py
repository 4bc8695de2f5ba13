"""The authorizer of the mode Node: kubelets reach what their node and its pods need, and nothing of other nodes.

Source: the Kubernetes documentation, "Using Node Authorization". Words of refusals are the original's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import frozen
from zope.interface import implementer

from kube_twisted.api import fields
from kube_twisted.api.errors import StatusError
from kube_twisted.api.field import go_quote
from kube_twisted.api.user import NODE_PREFIX, NODES, UserInfo
from kube_twisted.authorization.interfaces import (
    NO_OPINION,
    Attributes,
    Decision,
    IAuthorizer,
    IRuleResolver,
    Rules,
)
from kube_twisted.authorization.rbac.rules import RuleSet, question

_ALLOWED = Decision(True)
_LEASES = "kube-node-lease"
_OWN_VERBS = ("get", "create", "update", "patch", "delete")


class Relations(Protocol):
    """Knows what nodes have to do with objects."""

    def has(self, node: str, resource: str, namespace: str, name: str) -> bool: ...


def node_of(user: UserInfo) -> str | None:
    """The name of the node that the user is; None for others, and empty when it has no name."""
    if NODES in user.groups and user.name.startswith(NODE_PREFIX):
        return user.name[len(NODE_PREFIX):]
    return None


def _refused(reason: str) -> Decision:
    return Decision(False, reason)


@implementer(IAuthorizer, IRuleResolver)
@frozen
class NodeAuthorizer:
    """Has no opinion about anybody but nodes.

    :ivar rules: what all nodes may do, for resources that need no closer look.
    """

    relations: Relations
    rules: RuleSet

    async def authorize(self, attributes: Attributes) -> Decision:
        user = attributes.user
        if NODES not in user.groups:
            return NO_OPINION
        node = node_of(user)
        if not node:
            return NO_OPINION if node is None else _refused(f"unknown node for user {go_quote(user.name)}")
        rule = _RULES.get((attributes.group, attributes.resource)) if attributes.resource_request else None
        if rule is not None:
            return rule(self, node, attributes)
        return _ALLOWED if self.rules.allow(question(attributes)) else NO_OPINION

    async def rules_for(self, user: UserInfo, namespace: str) -> Rules:
        if node_of(user) is None:
            return Rules()
        return Rules(incomplete=True, error="node authorizer does not support user rule resolution")

    def related(self, node: str, asked: Attributes) -> Decision:
        """Allowed for an object that the node has to do with."""
        if not asked.name:
            return _refused("No Object name found")
        if self.relations.has(node, asked.resource, asked.namespace, asked.name):
            return _ALLOWED
        return _refused(f"no relationship found between node '{node}' and this object")


# -- rules, by resource ---------------------------------------------------------------------------------------------


def _read(authorizer: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    """Secrets and ConfigMaps: read one by one."""
    if asked.verb not in ("get", "list", "watch"):
        return _refused("can only read resources of this type")
    if asked.subresource:
        return _refused("cannot read subresource")
    if not asked.namespace:
        return _refused("can only read namespaced object of this type")
    return authorizer.related(node, asked)


def _get(authorizer: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.verb != "get":
        return _refused("can only get individual resources of this type")
    return _refused("cannot get subresource") if asked.subresource else authorizer.related(node, asked)


def _claim(authorizer: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.subresource != "status":
        return _get(authorizer, node, asked)
    if asked.verb not in ("update", "patch"):
        return _refused("can only get/update/patch this type")
    return authorizer.related(node, asked)


def _service_account(authorizer: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.verb == "get" and not asked.subresource:
        return _read(authorizer, node, asked)
    if asked.verb != "create" or not asked.name:
        return _refused("can only create tokens for individual service accounts")
    if asked.subresource != "token":
        return _refused("can only create token subresource of serviceaccount")
    return authorizer.related(node, asked)


def _lease(_: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.verb not in _OWN_VERBS:
        return _refused("can only get, create, update, patch, or delete a node lease")
    if asked.namespace != _LEASES:
        return _refused(f'can only access leases in the "{_LEASES}" system namespace')
    if asked.verb != "create" and asked.name != node:
        return _refused("can only access node lease with the same name as the requesting node")
    return _ALLOWED


def _csi_node(_: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.verb not in _OWN_VERBS:
        return _refused("can only get, create, update, patch, or delete a CSINode")
    if asked.subresource:
        return _refused("cannot authorize CSINode subresources")
    if asked.verb != "create" and asked.name != node:
        return _refused("can only access CSINode with the same name as the requesting node")
    return _ALLOWED


def _resource_slice(authorizer: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.subresource:
        return _refused("cannot authorize ResourceSlice subresources")
    if asked.verb == "create":
        return _ALLOWED
    if asked.verb in ("get", "update", "patch", "delete"):
        return authorizer.related(node, asked)
    if asked.verb in ("watch", "list", "deletecollection"):
        if _selects(asked, "spec.nodeName", node):
            return _ALLOWED
        return _refused("can only list/watch/deletecollection resourceslices with nodeName field selector")
    return _refused("only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, "
                    "patch, delete, deletecollection")


def _node(_: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    if asked.subresource == "status":
        return _ALLOWED if asked.verb in ("update", "patch") else NO_OPINION
    if asked.subresource:
        return NO_OPINION
    if asked.verb in ("create", "update", "patch"):
        return _ALLOWED
    if asked.verb not in ("get", "list", "watch"):
        return NO_OPINION
    if asked.name == node:
        return _ALLOWED
    which = f"'{asked.name}'" if asked.name else "all nodes"
    return _refused(f"node '{node}' cannot read {which}, only its own Node object")


def _pod(authorizer: NodeAuthorizer, node: str, asked: Attributes) -> Decision:
    whole = (asked.subresource, asked.verb)
    if whole == ("", "get"):
        return authorizer.related(node, asked)
    if whole in (("", "list"), ("", "watch")):
        if _selects(asked, "spec.nodeName", node):
            return _ALLOWED
        if asked.name:
            return authorizer.related(node, asked)
        return _refused("can only list/watch pods with spec.nodeName field selector")
    allowed = (("", "create"), ("", "delete"), ("status", "update"), ("status", "patch"), ("eviction", "create"))
    return _ALLOWED if whole in allowed else NO_OPINION


def _nothing(_: NodeAuthorizer, __: str, ___: Attributes) -> Decision:
    return NO_OPINION


def _selects(asked: Attributes, field: str, value: str) -> bool:
    """Whether the field selector lets only objects through whose field has the value."""
    try:
        requirements = fields.parse(asked.field_selector).requirements
    except StatusError:
        return False
    return any((one.field, one.operator, one.value) == (field, "=", value) for one in requirements)


_RULES: dict[tuple[str, str], Callable[[NodeAuthorizer, str, Attributes], Decision]] = {
    ("", "secrets"): _read,
    ("", "configmaps"): _read,
    ("", "persistentvolumeclaims"): _claim,
    ("", "persistentvolumes"): _get,
    ("resource.k8s.io", "resourceclaims"): _get,
    ("storage.k8s.io", "volumeattachments"): _get,
    ("", "serviceaccounts"): _service_account,
    ("coordination.k8s.io", "leases"): _lease,
    ("storage.k8s.io", "csinodes"): _csi_node,
    ("resource.k8s.io", "resourceslices"): _resource_slice,
    ("", "nodes"): _node,
    ("", "pods"): _pod,
    ("certificates.k8s.io", "podcertificaterequests"): _nothing,
}
