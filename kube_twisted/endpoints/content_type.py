"""Content types as Go's ``mime`` package reads them: in any case, but with parameters that are well formed."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_QUOTED = r'"(?:[^"\\\r\n]|\\.)*"'
_PARAMETER = re.compile(rf"\s*;\s*({_TOKEN})=(?:{_TOKEN}|{_QUOTED})")


@lru_cache(maxsize=64)
def parse_media_type(header: str) -> str:
    """The media type in lower case, or nothing where a parameter is wrong or there twice; one last ``;`` may stand."""
    media_type, semicolon, _ = header.partition(";")
    rest = header[len(media_type):]
    seen = set()
    while semicolon and (rest := rest.lstrip()):
        found = _PARAMETER.match(rest)
        if found is None:
            if rest.strip() != ";":
                return ""
            break
        if found[1].lower() in seen:
            return ""
        seen.add(found[1].lower())
        rest = rest[found.end():]
    return media_type.strip().lower()
