"""FieldsV1 as received and as sent: parsing into a set, and the sorted form."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.apply.elements import ElementError, canonical, sort_key
from kube_twisted.schema.apply.fieldset import SELF, FieldSet


class FieldsError(ValueError):
    """A malformed ``fieldsV1`` or entry of ``managedFields``."""


def parse(fields: Any) -> FieldSet:
    """The set of a received FieldsV1; kinds of path elements that we don't know are left out.

    :raises FieldsError: if it is no object, or a path element is malformed.
    """
    if fields is None:
        return {}
    if not isinstance(fields, dict):
        raise FieldsError(f"expected an object, got {fields!r}")
    result: FieldSet = {}
    for key, below in fields.items():
        if key == SELF:
            result[SELF] = {}
            continue
        try:
            element = canonical(key)
        except ElementError as error:
            raise FieldsError(f"parsing key as path element: {error}") from None
        if element is not None:
            result[element] = parse(below)
    return _tidy(result)


def _tidy(fields: FieldSet) -> FieldSet:
    return {} if len(fields) == 1 and SELF in fields else fields


def ordered(fields: FieldSet) -> FieldSet:
    """The same set with its elements in the order in which the original writes them."""
    return {element: ordered(below) if below else below for element, below in in_order(fields).items()}


def in_order(fields: FieldSet) -> FieldSet:
    """The same for the elements of the first level alone."""
    if len(fields) < 2:
        return fields
    elements = sorted(fields)
    if elements[-1] >= "g":
        elements.sort(key=sort_key)
    return {element: fields[element] for element in elements}
