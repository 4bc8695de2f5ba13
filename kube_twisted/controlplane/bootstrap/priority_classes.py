"""The PriorityClasses of the system, made when the server starts (KEP-268)."""

from __future__ import annotations

from kube_twisted.controlplane.bootstrap.ensure import all_at_once, create_unless_there
from kube_twisted.controlplane.stores import Stores
from kube_twisted.server.loopback import LoopbackClient

_GROUP = "scheduling.k8s.io"
#: name -> (value, description)
SYSTEM_CLASSES = {
    "system-node-critical": (
        2_000_001_000, "Used for system critical pods that must not be moved from their current node."),
    "system-cluster-critical": (
        2_000_000_000, "Used for system critical pods that must run in the cluster, but can be moved to another node "
                       "if necessary."),
}


async def ensure_priority_classes(client: LoopbackClient, stores: Stores) -> None:
    """Create those that are missing.

    :raises StatusError: when one can't be created.
    """
    await all_at_once(
        create_unless_there(client, f"/apis/{_GROUP}/v1/priorityclasses", {
            "apiVersion": f"{_GROUP}/v1", "kind": "PriorityClass", "metadata": {"name": name},
            "value": value, "description": description})
        for name, (value, description) in SYSTEM_CLASSES.items()
        if not stores.exists(_GROUP, "priorityclasses", "", name))
