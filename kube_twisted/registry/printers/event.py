"""Table columns of Events, the same through v1 and events.k8s.io/v1."""

from __future__ import annotations

from kube_twisted.registry.printers.cells import NAME_DOC, at, since, value_at
from kube_twisted.registry.printers.column import Obj, printer, text
from kube_twisted.registry.printers.documentation import Doc


def _first_seen(obj: Obj, now: float) -> str:
    return since(obj.get("firstTimestamp") or obj.get("eventTime"), now)


def _last_seen(obj: Obj, now: float) -> str:
    """When the event was last seen: the series knows best, and a single event was seen last when first."""
    if "series" in obj:
        return since(value_at(obj, "series.lastObservedTime"), now)
    last = obj.get("lastTimestamp")
    return since(last, now) if last else _first_seen(obj, now)


def _count(obj: Obj, now: float) -> int:
    if "series" in obj:
        return int(value_at(obj, "series.count", 0))
    return obj.get("count") or 1


def _object(obj: Obj, now: float) -> str:
    kind, name = value_at(obj, "involvedObject.kind", "").lower(), value_at(obj, "involvedObject.name", "")
    return f"{kind}/{name}" if name else kind


def _source(obj: Obj, now: float) -> str:
    component = value_at(obj, "source.component") or obj.get("reportingComponent", "")
    instance = value_at(obj, "source.host") or obj.get("reportingInstance", "")
    return f"{component}, {instance}" if instance else component


def _message(obj: Obj, now: float) -> str:
    return str(obj.get("message", "")).strip()


_EVENTS = printer(
    text("Last Seen", Doc("core.v1.Event.lastTimestamp"), _last_seen),
    text("Type", Doc("core.v1.Event.type"), at("type")),
    text("Reason", Doc("core.v1.Event.reason"), at("reason")),
    text("Object", Doc("core.v1.Event.involvedObject"), _object),
    text("Subobject", Doc("core.v1.ObjectReference.fieldPath"), at("involvedObject.fieldPath"), wide=True),
    text("Source", Doc("core.v1.Event.source"), _source, wide=True),
    text("Message", Doc("core.v1.Event.message"), _message),
    text("First Seen", Doc("core.v1.Event.firstTimestamp"), _first_seen, wide=True),
    text("Count", Doc("core.v1.Event.count"), _count, wide=True),
    text("Name", NAME_DOC, at("metadata.name"), wide=True, format_="name"),
)
PRINTERS = {("", "events"): _EVENTS, ("events.k8s.io", "events"): _EVENTS}
