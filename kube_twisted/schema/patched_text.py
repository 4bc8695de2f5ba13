"""The JSON text of a patched document, with its fields in the order in which the original's patching leaves them.

Patching takes apart only the objects on its way, and writes those with sorted names. What it doesn't touch stays
as it was, in the order of the type's fields.
"""

from __future__ import annotations

from typing import Any

import orjson

from kube_twisted.api.jsonvalue import same

#: Go writes these escaped, so that JSON can stand in HTML.
_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def patched_text(document: Any, patched: Any, *, sort_new: bool) -> str:
    """The text.

    :param document: what was patched, its fields in the order of its type.
    :param sort_new: whether what the patch brings is written with sorted names, as merge patches do, or as it was
        sent.
    """
    return _text(document, patched, orjson.OPT_SORT_KEYS if sort_new else None).translate(_ESCAPES)


def _text(before: Any, after: Any, option: int | None) -> str:
    if same(before, after):
        return orjson.dumps(before).decode()
    if isinstance(before, dict) and isinstance(after, dict):
        return "{" + ",".join(f"{orjson.dumps(name).decode()}:{_text(before.get(name), after[name], option)}"
                              for name in sorted(after)) + "}"
    if option is None and isinstance(before, list) and isinstance(after, list):
        return "[" + ",".join(_item(before, index, one, option) for index, one in enumerate(after)) + "]"
    return orjson.dumps(after, option=option).decode()


def _item(before: list[Any], index: int, after: Any, option: int | None) -> str:
    """Items that were moved are untouched; others are what became of those in their place."""
    for one in before:
        if same(one, after):
            return orjson.dumps(one).decode()
    return _text(before[index] if index < len(before) else None, after, option)
