"""A value of a field, with nothing but what it takes to put it into the object that has the field."""

from __future__ import annotations

from typing import Any, TypeAlias

#: The way from an object to a value inside: names of fields, and None for the item of a list.
Steps: TypeAlias = "tuple[str | None, ...]"


def surround(value: Any, steps: Steps) -> Any:
    """The smallest object that has the value at this place."""
    for step in reversed(steps):
        value = [value] if step is None else {step: value}
    return value


def inside(obj: Any, steps: Steps) -> Any:
    """What is at the place in such an object; None if it is gone."""
    for step in steps:
        if not obj:
            return None
        obj = obj[0] if step is None else obj.get(step)
    return obj
