"""Strings: cel-go's extension library, version 2. Positions count characters."""

from __future__ import annotations

from typing import Any

from kube_twisted.cel.errors import CelError
from kube_twisted.cel.formatting import format_string
from kube_twisted.cel.functions import Library, library

_DECLARATIONS = """
    charAt string_char_at_int: string.(int) -> string
    indexOf string_index_of_string: string.(string) -> int
    indexOf string_index_of_string_int: string.(string, int) -> int
    lastIndexOf string_last_index_of_string: string.(string) -> int
    lastIndexOf string_last_index_of_string_int: string.(string, int) -> int
    lowerAscii string_lower_ascii: string.() -> string
    replace string_replace_string_string: string.(string, string) -> string
    replace string_replace_string_string_int: string.(string, string, int) -> string
    split string_split_string: string.(string) -> list(string)
    split string_split_string_int: string.(string, int) -> list(string)
    substring string_substring_int: string.(int) -> string
    substring string_substring_int_int: string.(int, int) -> string
    trim string_trim: string.() -> string
    upperAscii string_upper_ascii: string.() -> string
    format string_format: string.(list(dyn)) -> string
    strings.quote strings_quote: (string) -> string
    join list_join: list(string).() -> string
    join list_join_string: list(string).(string) -> string
"""
#: In characters.
_LONGEST = 50_000_000
_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_UPPER = {code: code - 32 for code in range(ord("a"), ord("z") + 1)}
_SPACE = ("\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
          "\u202f\u205f\u3000")
_QUOTED = str.maketrans({"\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
                         "\\": "\\\\", '"': '\\"'})


def _out_of_range(index: int) -> CelError:
    return CelError(f"index out of range: {index}")


def _char_at(text: str, index: int) -> str:
    if not 0 <= index <= len(text):
        raise _out_of_range(index)
    return text[index:index + 1]


def _index_of(text: str, part: str, start: int = 0) -> int:
    if not part:
        return start
    if start < 0:
        raise _out_of_range(start)
    return text.find(part, start)


def _last_index_of(text: str, part: str) -> int:
    if not part:
        return len(text)
    if not text:
        return -1
    return text.rfind(part)


def _last_index_from(text: str, part: str, last: int) -> int:
    """The last place of the part that is not behind ``last``; -1 also when that is behind the end."""
    if not part:
        return last
    if last < 0:
        raise _out_of_range(last)
    return -1 if last >= len(text) else text.rfind(part, 0, last + len(part))


def _bounded(length: int) -> None:
    """Refuse to make a text that could not be paid for, before it fills the memory."""
    if length > _LONGEST:
        raise CelError(f"text of {length} characters is too long")


def _replace(text: str, old: str, new: str, count: int = -1) -> str:
    if len(new) > len(old):
        _bounded(len(text) + (len(new) - len(old)) * (text.count(old) if count < 0 else min(count, text.count(old))))
    return text.replace(old, new, count)


def _split(text: str, separator: str, count: int = -1) -> list[str]:
    """At most ``count`` pieces; all when it is negative. An empty separator gives the characters."""
    if count == 0:
        return []
    if separator:
        return text.split(separator, count - 1 if count > 0 else -1)
    if 0 < count < len(text):
        return [*text[:count - 1], text[count - 1:]]
    return list(text)


def _substring(text: str, start: int, end: int | None = None) -> str:
    if end is None:
        end = len(text)
        if not 0 <= start <= end:
            raise _out_of_range(start)
    if start > end:
        raise CelError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, end):
        if not 0 <= index <= len(text):
            raise _out_of_range(index)
    return text[start:end]


def _join(texts: Any, separator: str = "") -> str:
    for one in texts:
        if not isinstance(one, str):
            raise CelError(f"join: invalid input: {one}")
    _bounded(sum(map(len, texts)) + len(separator) * len(texts))
    return separator.join(texts)


STRINGS: Library = library(_DECLARATIONS, {
    "string_char_at_int": _char_at, "string_index_of_string": _index_of, "string_index_of_string_int": _index_of,
    "string_last_index_of_string": _last_index_of, "string_last_index_of_string_int": _last_index_from,
    "string_lower_ascii": lambda text: text.translate(_LOWER), "string_replace_string_string": _replace,
    "string_replace_string_string_int": _replace, "string_split_string": _split, "string_split_string_int": _split,
    "string_substring_int": _substring, "string_substring_int_int": _substring,
    "string_trim": lambda text: text.strip(_SPACE), "string_upper_ascii": lambda text: text.translate(_UPPER),
    "string_format": format_string, "strings_quote": lambda text: f'"{text.translate(_QUOTED)}"',
    "list_join": _join, "list_join_string": _join})
