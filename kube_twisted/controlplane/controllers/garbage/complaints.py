"""Events that tell about owners in another namespace."""

from __future__ import annotations

from kube_twisted.controlplane.controllers.context import Context
from kube_twisted.controlplane.controllers.garbage.references import Identity, Reference

_COMPONENT = "garbage-collector-controller"
REASON = "OwnerRefInvalidNamespace"


async def complain(context: Context, dependent: Identity, reference: Reference) -> None:
    """Write the Event.

    :raises StatusError: when it can't be written.
    """
    clock = context.clock
    namespace = dependent.namespace or "default"
    now = clock.rfc3339()
    await context.client.call("POST", f"/api/v1/namespaces/{namespace}/events", {
        "apiVersion": "v1", "kind": "Event",
        "metadata": {"name": f"{dependent.name}.{int(clock.seconds() * 1e9):x}", "namespace": namespace},
        "involvedObject": {
            "apiVersion": dependent.api_version, "kind": dependent.kind, "namespace": dependent.namespace,
            "name": dependent.name, "uid": dependent.uid},
        "reason": REASON, "type": "Warning", "count": 1, "firstTimestamp": now, "lastTimestamp": now,
        "source": {"component": _COMPONENT}, "reportingComponent": _COMPONENT, "reportingInstance": "",
        "message": f'ownerRef {reference.at(dependent.namespace)} does not exist in namespace "{dependent.namespace}"'})
