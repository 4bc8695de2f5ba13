"""A memory of parts of pods that were found without fault.

Pods are mostly copies of one another, and admission adds the same volume to nearly all of them: what was looked
at once and found faultless needs no second look.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import orjson

_Finding = TypeVar("_Finding")
_P = ParamSpec("_P")
#: How many parts are remembered of each kind, and how long their JSON may be.
_MOST, _LONGEST = 512, 4096

#: Takes where the part is, for its messages, the part, and what else the verdict depends on.
Check = Callable[Concatenate[str, Any, _P], list[_Finding]]


def remembering_faultless(check: Check[_P, _Finding]) -> Check[_P, _Finding]:
    """The check with a memory of the parts about which it had nothing to say.

    The check's answer must follow from the part and the arguments after it, which must be hashable, alone.
    """
    known: set[tuple[Any, ...]] = set()

    @wraps(check)
    def remembered(where: str, part: Any, /, *args: _P.args, **kwargs: _P.kwargs) -> list[_Finding]:
        text = orjson.dumps(part)
        seen = (text, *args)
        if seen in known:
            return []
        found = check(where, part, *args, **kwargs)
        if not found and not kwargs and len(text) <= _LONGEST:
            if len(known) >= _MOST:
                known.clear()
            known.add(seen)
        return found

    return remembered
