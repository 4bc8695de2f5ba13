"""Objects of requests and answers, as events carry them: JSON, with or without field ownership."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson


def as_logged(obj: Mapping[str, Any], without_managed_fields: bool) -> orjson.Fragment:
    """An object, encoded now: it may be changed later."""
    return orjson.Fragment(orjson.dumps(_stripped(obj) if without_managed_fields else obj))


def _stripped(obj: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the managedFields of the object, of a list's items, and of a table's rows."""
    shown: Mapping[str, Any] = _without(obj)
    if isinstance(items := obj.get("items"), list):
        shown = {**shown, "items": [_without(one) for one in items]}
    if obj.get("kind") == "Table" and isinstance(rows := obj.get("rows"), list):
        shown = {**shown, "rows": [{**row, "object": _without(row["object"])} if isinstance(row.get("object"), dict)
                                   else row for row in rows]}
    return shown


def _without(obj: Any) -> Any:
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    if not isinstance(metadata, dict) or "managedFields" not in metadata:
        return obj
    return {**obj, "metadata": {key: value for key, value in metadata.items() if key != "managedFields"}}
