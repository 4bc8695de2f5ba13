"""Puts the authorizers together as the configuration wants them."""

from __future__ import annotations

from collections.abc import Sequence

from kube_twisted.authorization.always import AlwaysAllow, AlwaysDeny
from kube_twisted.authorization.interfaces import IAuthorizer
from kube_twisted.authorization.masters import SystemMasters
from kube_twisted.authorization.node.authorizer import NodeAuthorizer
from kube_twisted.authorization.rbac.authorizer import RBACAuthorizer
from kube_twisted.authorization.union import UnionAuthorizer
from kube_twisted.config.authorization import ALWAYS_ALLOW, ALWAYS_DENY, NODE, RBAC


def new_authorizer(modes: Sequence[str], node: NodeAuthorizer, rbac: RBACAuthorizer) -> UnionAuthorizer:
    """The authorizers of the modes, in order; before them members of ``system:masters`` are let through."""
    made: dict[str, IAuthorizer] = {
        NODE: node, RBAC: rbac, ALWAYS_ALLOW: AlwaysAllow(), ALWAYS_DENY: AlwaysDeny()}
    return UnionAuthorizer((SystemMasters(), *(made[mode] for mode in modes)))
