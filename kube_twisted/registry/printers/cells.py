"""Makers of table cells that many kinds share, and the texts that stand for what is missing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.api.labels import format_label_selector
from kube_twisted.api.timefmt import human_duration, seconds_since
from kube_twisted.registry.printers.column import Cell, Column, Obj, Printed, text
from kube_twisted.registry.printers.documentation import Doc

NONE = "<none>"
UNSET = "<unset>"
UNKNOWN = "<unknown>"


def value_at(obj: Obj, path: str, default: Any = None) -> Any:
    """The value at a dotted path of field names, or the default where a part of it is missing or null."""
    current: Any = obj
    for key in path.split("."):
        if not isinstance(current, dict):
            return default
        current = current.get(key)
    return default if current is None else current


def at(path: str, default: Any = "") -> Cell:
    """The value at a path as it is."""
    return lambda obj, now: value_at(obj, path, default)


def count(*paths: str) -> Cell:
    """How many entries the lists or maps at the paths have together."""
    return lambda obj, now: sum(len(value_at(obj, path, ())) for path in paths)


def joined(path: str, separator: str = ",", empty: str = "") -> Cell:
    """The strings at a path, joined."""
    return lambda obj, now: separator.join(value_at(obj, path, ())) or empty


def quotient(counted: str, wanted: str) -> Cell:
    """Two numbers as ``1/3``."""
    return lambda obj, now: f"{value_at(obj, counted, 0)}/{value_at(obj, wanted, 0)}"


def reference(path: str, *fields: str) -> Cell:
    """Some fields of the object at a path joined by slashes, such as ``Role/reader``."""
    return lambda obj, now: "/".join(value_at(obj, f"{path}.{field}", "") for field in fields)


def since(timestamp: str | None, now: float, missing: str = UNKNOWN) -> str:
    """How long ago an RFC 3339 time was, for people."""
    return human_duration(seconds_since(timestamp, now)) if timestamp else missing


def age(path: str, missing: str = UNKNOWN) -> Cell:
    """How long ago the time at a path was."""
    return lambda obj, now: since(value_at(obj, path), now, missing)


def format_labels(labels: Obj) -> str:
    """A map as ``k=v,k2=v2``, by key."""
    return ",".join(f"{key}={labels[key]}" for key in sorted(labels)) or NONE


def labels_at(path: str) -> Cell:
    return lambda obj, now: format_labels(value_at(obj, path, {}))


def selector_at(path: str) -> Cell:
    """The LabelSelector at a path in the syntax of ``labelSelector``; ``<none>`` when it is empty."""
    return lambda obj, now: format_label_selector(value_at(obj, path, {}))


def with_more(items: Iterable[str], most: int, separator: str = ",", empty: str = UNSET) -> str:
    """The first ``most`` items, and how many more there are: ``a,b,c + 2 more...``."""
    items = list(items)
    shown = separator.join(items[:most])
    if len(items) > most:
        return f"{shown} + {len(items) - most} more..."
    return shown or empty


def is_deleting(obj: Obj) -> bool:
    return "deletionTimestamp" in obj.get("metadata", {})


def find_condition(obj: Obj, kind: str) -> Obj | None:
    """The first status condition of a type."""
    conditions: list[Obj] = value_at(obj, "status.conditions", [])
    return next((one for one in conditions if one.get("type") == kind), None)


def has_condition(obj: Obj, kind: str) -> bool:
    """Whether the first status condition of a type is True."""
    found = find_condition(obj, kind)
    return found is not None and found.get("status") == "True"


def name_or_default(*annotations: str) -> Cell:
    """The object's name, marked when one of the annotations makes it the default of its kind."""

    def cell(obj: Obj, now: float) -> str:
        name: str = value_at(obj, "metadata.name", "")
        present = value_at(obj, "metadata.annotations", {})
        return f"{name} (default)" if any(present.get(one) == "true" for one in annotations) else name

    return cell


NAME_DOC = Doc("meta.v1.ObjectMeta.name")
CREATED_DOC = Doc("meta.v1.ObjectMeta.creationTimestamp")
NAME: Printed = text("Name", NAME_DOC, at("metadata.name"), format_="name")
AGE: Printed = text("Age", CREATED_DOC, age("metadata.creationTimestamp"))


def named(cell: Cell) -> Printed:
    """The Name column with a cell of its own."""
    return NAME[0], cell


def template_columns(template: str, *, wide: bool = True) -> tuple[Printed, Printed]:
    """Containers and Images of the pod template at a path."""
    containers = f"{template}.spec.containers"

    def listed(field: str) -> Cell:
        return lambda obj, now: ",".join(one.get(field, "") for one in value_at(obj, containers, ()))

    return (
        text("Containers", "Names of each container in the template.", listed("name"), wide=wide),
        text("Images", "Images referenced by each container in the template.", listed("image"), wide=wide),
    )


CREATED_AT: Printed = (
    Column("Created At", "date", "", CREATED_DOC),
    at("metadata.creationTimestamp", "0001-01-01T00:00:00Z"),
)
