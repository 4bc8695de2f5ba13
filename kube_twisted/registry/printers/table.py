"""Objects as a meta.k8s.io Table: the answer to ``Accept: application/json;as=Table``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Literal

from kube_twisted.registry.printers.column import Obj, Printer

#: What a row carries besides its cells (``includeObject``).
IncludeObject = Literal["None", "Metadata", "Object"]
_INITIAL_EVENTS_END = "k8s.io/initial-events-end"


def as_is(obj: Obj) -> Obj:
    return obj


def table(
    printer: Printer,
    objects: Iterable[Obj],
    list_meta: Obj,
    include_object: IncludeObject,
    now: float,
    *,
    headers: bool = True,
    version: str = "v1",
    present: Callable[[Obj], Obj] = as_is,
    hidden: Collection[str] = (),
) -> Obj:
    """A whole Table.

    :param objects: in the storage version, which the printer reads.
    :param list_meta: resourceVersion, continue and remainingItemCount of the list, or the resourceVersion of
        the one object.
    :param now: seconds since the epoch.
    :param headers: False leaves the columns out, as in every event of a watch but the first.
    :param version: of meta.k8s.io, ``v1`` or ``v1beta1``.
    :param present: makes the object in the version that was asked for, with kind and apiVersion, for
        ``includeObject=Object``.
    :param hidden: annotations that metadata alone is shown without.
    """
    if printer.order is not None:
        objects = sorted(objects, key=printer.order)
    return {
        "kind": "Table",
        "apiVersion": f"meta.k8s.io/{version}",
        "metadata": {key: list_meta[key] for key in _LIST_META if key in list_meta},
        "columnDefinitions": printer.definitions if headers else None,
        "rows": [_row(printer, one, include_object, now, version, present, hidden) for one in objects],
    }


_LIST_META = ("resourceVersion", "continue", "remainingItemCount")


def table_of_one(
    printer: Printer,
    obj: Obj,
    include_object: IncludeObject,
    now: float,
    *,
    headers: bool = True,
    version: str = "v1",
    present: Callable[[Obj], Obj] = as_is,
    hidden: Collection[str] = (),
) -> Obj:
    """A Table of a single object, as GET of a name and each event of a watch answer; see :func:`table`."""
    return table(printer, [obj], obj.get("metadata", {}), include_object, now,
                 headers=headers, version=version, present=present, hidden=hidden)


def partial_object_metadata(obj: Obj, version: str = "v1", hidden: Collection[str] = ()) -> Obj:
    """An object without all but its metadata.

    :param hidden: annotations that are left out.
    """
    metadata: Obj = obj.get("metadata", {})
    annotations: Obj | None = metadata.get("annotations")
    if hidden and annotations:
        metadata = {**metadata, "annotations": {key: annotations[key] for key in annotations if key not in hidden}}
        if not metadata["annotations"]:
            del metadata["annotations"]
    return {"kind": "PartialObjectMetadata", "apiVersion": f"meta.k8s.io/{version}", "metadata": metadata}


def _row(printer: Printer, obj: Obj, include_object: IncludeObject, now: float, version: str,
         present: Callable[[Obj], Obj], hidden: Collection[str]) -> Obj:
    row: dict[str, Any] = {"cells": printer.cells(obj, now)}
    conditions = printer.conditions(obj)
    if conditions:
        row["conditions"] = conditions
    if include_object == "Object":
        row["object"] = present(obj)
    elif include_object == "Metadata" or _ends_initial_events(obj):
        row["object"] = partial_object_metadata(obj, version, hidden)
    else:
        row["object"] = None
    return row


def _ends_initial_events(obj: Obj) -> bool:
    """Whether it is the bookmark that ends the initial events of a watch: it keeps its annotation."""
    annotations: Obj = obj.get("metadata", {}).get("annotations", {})
    return annotations.get(_INITIAL_EVENTS_END) == "true"
