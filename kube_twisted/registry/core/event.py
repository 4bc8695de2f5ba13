"""Events: free-form through the core API, strict through ``events.k8s.io`` (KEP-383); stored as core v1."""

from __future__ import annotations

from typing import Any

from kube_twisted.api.field import FieldError, invalid, required
from kube_twisted.registry import rules
from kube_twisted.registry.core.internal_types import VOLUME_TYPES
from kube_twisted.registry.podspec.internal import shown
from kube_twisted.registry.strategy import Obj, Strategy, WriteContext

_TEXT_LIMIT, _NOTE_LIMIT = 128, 1024
_REFERENCE = ("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath")
#: What events.k8s.io does not let an update change, in the order of errors; with what an absent one is.
_IMMUTABLE: tuple[tuple[str, Any], ...] = (
    ("involvedObject", {}), ("reason", ""), ("message", ""), ("source", {}), ("firstTimestamp", None),
    ("lastTimestamp", None), ("count", 0), ("reason", ""), ("type", ""), ("eventTime", None), ("action", ""),
    ("related", None), ("reportingComponent", ""), ("reportingInstance", ""),
)


class EventStrategy(Strategy):
    """Rules of core ``events``."""

    allow_create_on_update = True
    garbage_collection = "unsupported"
    strict_finalizers = False
    field_labels = frozenset({*(f"involvedObject.{name}" for name in _REFERENCE),
                              "reason", "reportingComponent", "source", "type"})
    #: How this API names the reporting controller.
    controller_field = "reportingComponent"

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        return validate_loosely(obj, self.controller_field)

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        return validate_loosely(obj, self.controller_field)

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        reference, controller = obj.get("involvedObject", {}), obj.get("reportingComponent", "")
        return {
            **{f"involvedObject.{name}": reference.get(name, "") for name in _REFERENCE},
            "reason": obj.get("reason", ""),
            "reportingComponent": controller,
            "source": obj.get("source", {}).get("component", "") or controller,
            "type": obj.get("type", ""),
        }


class NewEventStrategy(EventStrategy):
    """Rules of ``events.k8s.io`` events, which are stored, and so seen here, as core v1."""

    field_labels = frozenset({*(f"regarding.{name}" for name in _REFERENCE), "reason", "reportingController",
                              "type"})
    controller_field = "reportingController"

    def validate(self, ctx: WriteContext, obj: Obj) -> list[FieldError]:
        errors = super().validate(ctx, obj) + _validate_series(obj)
        if not obj.get("eventTime"):
            errors.append(required("eventTime"))
        if obj.get("type") not in ("Normal", "Warning"):
            errors.append(invalid("type", "", f"has invalid value: {obj.get('type', '')}"))
        errors += [invalid(name, "", "needs to be unset")
                   for name in ("firstTimestamp", "lastTimestamp", "count")
                   if obj.get(name)]
        if any(obj.get("source", {}).values()):
            errors.append(invalid("source", "", "needs to be unset"))
        return errors

    def validate_update(self, ctx: WriteContext, obj: Obj, old: Obj) -> list[FieldError]:
        errors = super().validate_update(ctx, obj, old)
        if obj.get("series") != old.get("series"):
            errors += _validate_series(obj)
        for name, absent in _IMMUTABLE:
            path = "reportingController" if name == "reportingComponent" else name
            if obj.get(name, absent) != old.get(name, absent):
                errors.append(invalid(path, _as_shown(name, obj.get(name, absent)), rules.IMMUTABLE))
        return errors

    def selectable_fields(self, obj: Obj) -> dict[str, str]:
        fields = super().selectable_fields(obj)
        del fields["source"]
        renamed = {name.replace("involvedObject.", "regarding."): value for name, value in fields.items()}
        renamed["reportingController"] = renamed.pop("reportingComponent")
        return renamed


def _as_shown(name: str, value: Any) -> Any:
    """The value of a field as messages show it."""
    if name in ("involvedObject", "related"):
        return shown("ObjectReference", value, VOLUME_TYPES)
    return {"Component": value.get("component", ""), "Host": value.get("host", "")} if name == "source" else value


def _validate_series(obj: Obj) -> list[FieldError]:
    if "series" not in obj:
        return []
    errors = []
    if obj["series"].get("count", 0) < 2:
        errors.append(invalid("series.count", "", "should be at least 2"))
    if not obj["series"].get("lastObservedTime"):
        errors.append(required("series.lastObservedTime"))
    return errors


def validate_loosely(obj: Obj, controller_field: str) -> list[FieldError]:
    """The rules that both APIs share: the namespace fits; one with ``eventTime`` is complete."""
    namespace = obj.get("metadata", {}).get("namespace", "")
    about = obj.get("involvedObject", {}).get("namespace", "")
    if obj.get("eventTime"):
        fits = bool(about) or namespace in ("default", "kube-system")
    else:
        fits = namespace == about or (not about and namespace in ("", "default"))
    errors = []
    if not fits:
        errors.append(invalid("involvedObject.namespace", about, "does not match event.namespace"))
    if obj.get("eventTime"):
        errors += _validate_new_style(obj, controller_field)
    return errors + rules.dns_subdomain("namespace", namespace)


def _validate_new_style(obj: Obj, controller_field: str) -> list[FieldError]:
    controller = obj.get("reportingComponent", "")
    errors = [] if controller else [required(controller_field)]
    errors += rules.qualified_name(controller_field, controller)
    for name in ("reportingInstance", "action", "reason"):
        text = obj.get(name, "")
        if not text:
            errors.append(required(name))
        if len(text.encode()) > _TEXT_LIMIT:
            errors.append(invalid(name, "", f"can have at most {_TEXT_LIMIT} characters"))
    if len(obj.get("message", "").encode()) > _NOTE_LIMIT:
        errors.append(invalid("message", "", f"can have at most {_NOTE_LIMIT} characters"))
    return errors


STRATEGY = EventStrategy()
EVENTS_STRATEGY = NewEventStrategy()
