"""What is made sure about ``managedFields`` after admission, before an object is stored."""

from __future__ import annotations

from typing import Any

from kube_twisted.schema.apply.fieldsv1 import FieldsError
from kube_twisted.schema.apply.managed import Entry, decode

_INVALID = (".metadata.managedFields was in an invalid state after admission; this could be caused by an "
            "outdated mutating admission controller; please fix your requests: ")


def restore_invalid(before: list[Entry] | None, obj: dict[str, Any]) -> str | None:
    """Undo what admission did to ``managedFields`` if they are malformed now; an empty list is none.

    :param before: the entries before admission.
    :return: the warning for the client, None if all is well.
    """
    try:
        decode(_entries(obj))
    except FieldsError as error:
        obj["metadata"].pop("managedFields", None)
        if before:
            obj["metadata"]["managedFields"] = before
        return f"{_INVALID}{error}"
    if not _entries(obj):
        obj["metadata"].pop("managedFields", None)
    return None


def keep_times(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Put the old times back if the objects are equal otherwise, so that storing ``new`` is no change.

    Equality is that of decoded objects.
    """
    before, after = _entries(old), _entries(new)
    if not after or len(before) != len(after) or before == after:
        return
    if any(value != old.get(key) for key, value in new.items() if key != "metadata"):
        return
    if any(_timeless(one) != _timeless(other) for one, other in zip(before, after, strict=True)):
        return
    restored = {**new, "metadata": {**new["metadata"], "managedFields": before}}
    if restored == old:
        new["metadata"]["managedFields"] = before


def _entries(obj: dict[str, Any]) -> list[Entry]:
    return obj.get("metadata", {}).get("managedFields") or []


def _timeless(entry: Entry) -> Entry:
    return {key: value for key, value in entry.items() if key != "time"}
