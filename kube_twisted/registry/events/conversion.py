"""``events.k8s.io/v1`` events to and from core v1: the same fields under other names."""

from __future__ import annotations

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.registry.conversion import Conversion
from kube_twisted.registry.strategy import Obj

#: events.k8s.io -> core
_NAMES = {
    "regarding": "involvedObject",
    "note": "message",
    "reportingController": "reportingComponent",
    "deprecatedSource": "source",
    "deprecatedFirstTimestamp": "firstTimestamp",
    "deprecatedLastTimestamp": "lastTimestamp",
    "deprecatedCount": "count",
}
_BACK = {core: name for name, core in _NAMES.items()}
_OWN = ("kind", "apiVersion")
#: structs and plain fields that are always there
_CORE_FIXED: Obj = {"involvedObject": {}, "source": {}, "reportingComponent": "", "reportingInstance": ""}


def to_core(obj: Obj) -> Obj:
    """The event as it is stored."""
    renamed = {_NAMES.get(name, name): value for name, value in obj.items() if name not in _OWN}
    fixed = {name: {} if isinstance(value, dict) else value for name, value in _CORE_FIXED.items()}
    return {"kind": "Event", "apiVersion": "v1", **fixed, **renamed}


def from_core(obj: Obj) -> Obj:
    """The stored event in the newer API's words."""
    renamed = {_BACK.get(name, name): value for name, value in obj.items() if name not in _OWN}
    return {"kind": "Event", "apiVersion": "events.k8s.io/v1",
            **{name: value for name, value in renamed.items() if value != "" or name == "type"}}


_CONVERSION = Conversion(to_hub=to_core, from_hub=from_core)
CONVERSIONS: dict[str, Conversion] = {"events@v1": _CONVERSION}
#: By another group and its resource, the kinds of this one that are stored as it is.
RELATIVES = {"": {"events": {GroupVersionKind("events.k8s.io", "v1", "Event"): _CONVERSION}}}
