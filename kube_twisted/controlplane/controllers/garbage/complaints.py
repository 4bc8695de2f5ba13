"""Events that tell about owners in another namespace."""

from __future__ import annotations

from twisted.logger import Logger

from kube_twisted.api.errors import StatusError
from kube_twisted.controlplane.controllers.context import Context
from kube_twisted.controlplane.controllers.garbage.references import Identity, Obj, Reference
from kube_twisted.util.clock import Clock

_COMPONENT = "garbage-collector-controller"
REASON = "OwnerRefInvalidNamespace"
_log = Logger()


async def complain(context: Context, dependent: Identity, reference: Reference) -> None:
    """Write the Event, if that can be."""
    namespace = dependent.namespace or "default"
    try:
        await context.client.call("POST", f"/api/v1/namespaces/{namespace}/events",
                                  _event(context.clock, namespace, dependent, reference))
    except StatusError as error:
        _log.info("no Event tells that {object} names an owner in another namespace: {error}",
                  object=dependent, error=error.message)


def _event(clock: Clock, namespace: str, dependent: Identity, reference: Reference) -> Obj:
    now = clock.rfc3339()
    return {
        "apiVersion": "v1", "kind": "Event",
        "metadata": {"name": f"{dependent.name}.{int(clock.seconds() * 1e9):x}", "namespace": namespace},
        "involvedObject": {
            "apiVersion": dependent.api_version, "kind": dependent.kind, "namespace": dependent.namespace,
            "name": dependent.name, "uid": dependent.uid},
        "reason": REASON, "type": "Warning", "count": 1, "firstTimestamp": now, "lastTimestamp": now,
        "source": {"component": _COMPONENT}, "reportingComponent": _COMPONENT, "reportingInstance": "",
        "message": f'ownerRef {reference.at(dependent.namespace)} does not exist in namespace "{dependent.namespace}"'}
