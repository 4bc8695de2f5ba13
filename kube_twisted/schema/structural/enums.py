"""``enum``: is a value one of those listed?"""

from __future__ import annotations

import json
from typing import Any

from kube_twisted.api.jsonvalue import same
from kube_twisted.schema.structural.keywords import Keywords
from kube_twisted.schema.structural.plans import Part
from kube_twisted.schema.structural.problems import At, Outcome, Problem
from kube_twisted.schema.structural.shown import shown

_HTML = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def enum_check(keywords: Keywords, kind: type) -> Part:
    """Null is never listed, not even where the list has it."""
    listed = keywords.schema.get("enum")
    if not listed:
        return None, int(kind is not type(None))
    candidates = [one for one in listed if _comparable(kind, one)]
    supported = [one if isinstance(one, str) else _json(one) for one in listed]

    def check(value: Any, at: At, outcome: Outcome) -> None:
        if not any(same(_as(value, one), one) for one in candidates):
            name = at[2]
            message = f"{name} in body should be one of {supported}"
            outcome.add(Problem(message, name, value, "NotSupported", supported), at)

    return check, int(kind is not type(None))


def _comparable(kind: type, listed: Any) -> bool:
    return listed is not None and (type(listed) is kind or {kind, type(listed)} == {int, float})


def _as(value: Any, listed: Any) -> Any:
    """Numbers are compared in the type of the one listed: an integer there takes off the fraction."""
    return type(listed)(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _json(value: Any) -> str:
    return json.dumps(shown(value), separators=(",", ":"), ensure_ascii=False).translate(_HTML)
