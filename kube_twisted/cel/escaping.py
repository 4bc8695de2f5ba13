"""Field names as identifiers of the language: ``__namespace__`` for ``namespace``, ``a__dash__b`` for ``a-b``."""

from __future__ import annotations

import re
from functools import lru_cache

from kube_twisted.cel.parser import RESERVED

_SPECIAL = re.compile(r"__|[-./]")
_SEQUENCES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_NAMES = {"underscores": "__", "dot": ".", "dash": "-", "slash": "/"}
_VALID = re.compile(r"[A-Za-z_./-][A-Za-z0-9_./-]*", re.ASCII)
_ESCAPED = re.compile(r"__([^_]+)__")


@lru_cache(maxsize=4096)
def escape(name: str) -> str | None:
    """The identifier for a field; None when the field can't be named."""
    if name in RESERVED:
        return f"__{name}__"
    if not _VALID.fullmatch(name):
        return None
    return _SPECIAL.sub(lambda match: _SEQUENCES[match.group()], name)


@lru_cache(maxsize=4096)
def unescape(name: str) -> str | None:
    """The field that an identifier names; None when it holds a sequence without a meaning."""
    valid = True

    def replaced(match: re.Match[str]) -> str:
        nonlocal valid
        inner = match[1]
        if inner in _NAMES:
            return _NAMES[inner]
        if inner not in RESERVED or match.group() != name:
            valid = False
        return inner
    found = _ESCAPED.sub(replaced, name)
    return found if valid else None
