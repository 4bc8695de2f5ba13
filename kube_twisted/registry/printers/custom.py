"""Printers of custom resources: the columns that a CustomResourceDefinition asks for.

Source of the rules: the Kubernetes documentation, "Additional printer columns".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import orjson

from kube_twisted.api.jsonpath import JSONPath, JSONPathError
from kube_twisted.api.jsonvalue import go_print
from kube_twisted.api.timefmt import human_duration, seconds_since
from kube_twisted.codec import json as json_codec
from kube_twisted.registry.printers.cells import CREATED_DOC, NAME, UNKNOWN
from kube_twisted.registry.printers.column import Column, Obj, Printed, Printer, printer

_AGE = {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "description": CREATED_DOC}
_SCALE = (
    {"name": "Desired", "type": "integer", "jsonPath": ".spec.replicas", "description": "Number of desired replicas"},
    {"name": "Available", "type": "integer", "jsonPath": ".status.replicas",
     "description": "Number of actual replicas"},
    _AGE,
)
#: Go's durations end here, in seconds.
_LONGEST = (1 << 63) // 10 ** 9
_ZERO_TIME = "0001-01-01T00:00:00Z"


def custom_printer(columns: Sequence[Mapping[str, Any]] | None) -> Printer:
    """The printer of a version of a custom resource: names come first.

    :param columns: its ``additionalPrinterColumns``; without any, the age is shown. From one on whose path can't be
        read, none are.
    """
    return printer(NAME, *_columns(columns or [_AGE]))


def custom_scale_printer() -> Printer:
    """The printer of the Scale of a custom resource."""
    return custom_printer(_SCALE)


def _columns(columns: Iterable[Mapping[str, Any]]) -> Iterable[Printed]:
    for one in columns:
        text, type_ = one["jsonPath"], one["type"]
        try:
            path = JSONPath.parse(f"{{{text}}}")
        except JSONPathError:
            return
        described = one.get("description") or f"Custom resource definition column (in JSONPath format): {text}"
        column = Column(one["name"], type_, one.get("format", ""), described, one.get("priority", 0))
        yield column, partial(_cell, type_, path)


def _cell(type_: str, path: JSONPath, obj: Obj, now: float) -> Any:
    """The first thing that the path finds, as the column's type shows it; None for what can't be shown."""
    try:
        found = path.find(obj)
    except JSONPathError:
        return None
    if not found or not found[0]:
        return None
    value = found[0][0]
    match type_, value:
        case "string", _:
            return _text(value)
        case "boolean", bool():
            return value
        case "integer" | "number", int() | float() if not isinstance(value, bool):
            return _number(value, type_ == "integer")
        case "date", str():
            return _age(value, now)
        case _:
            return None


def _number(value: float, whole: bool) -> float:
    """A number as Go writes it: without a fraction if it has none.

    :param whole: whether a fraction is cut off; what is too large for an integer overflows.
    """
    if abs(value) < 1 << 63:
        return int(value) if whole or value == int(value) else value
    return -(1 << 63) if whole else value


def _text(value: Any) -> str:
    """A value as client-go prints it."""
    if isinstance(value, (dict, list)):
        ordered = orjson.loads(orjson.dumps(value, option=orjson.OPT_SORT_KEYS))
        return json_codec.dumps(ordered).decode()
    return "<no value>" if value is None else go_print(value)


def _age(timestamp: str, now: float) -> str:
    if timestamp in ("", "null", _ZERO_TIME):
        return UNKNOWN
    try:
        return human_duration(min(seconds_since(timestamp, now), _LONGEST))
    except ValueError:
        return "<invalid>"
