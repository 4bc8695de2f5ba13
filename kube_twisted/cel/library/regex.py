"""``find`` and ``findAll``: what a regular expression finds in a text."""

from __future__ import annotations

from kube_twisted.cel.errors import CelError
from kube_twisted.cel.functions import Library, library
from kube_twisted.util.regexp import Regexp, RegexpError, compile_regexp

_DECLARATIONS = """
    find string_find_string: string.(string) -> string
    findAll string_find_all_string: string.(string) -> list(string)
    findAll string_find_all_string_int: string.(string, int) -> list(string)
"""


def _compiled(pattern: str) -> Regexp:
    try:
        return compile_regexp(pattern)
    except RegexpError as error:
        raise CelError(f"Illegal regex: {error}") from None


def _find(text: str, pattern: str) -> str:
    match = _compiled(pattern).search(text)
    return "" if match is None else match.group()


def _find_all(text: str, pattern: str, count: int = -1) -> list[str]:
    """At most ``count`` finds, all when it is negative. An empty find right behind another doesn't count."""
    found: list[str] = []
    end = -1
    for match in _compiled(pattern).finditer(text):
        if 0 <= count <= len(found):
            break
        if match.start() == match.end() == end:
            continue
        found.append(match.group())
        end = match.end()
    return found


REGEX: Library = library(_DECLARATIONS, {"string_find_string": _find, "string_find_all_string": _find_all,
                                         "string_find_all_string_int": _find_all})
