"""Regular expressions of RE2, run by Python's ``re``.

What differs: RE2 has no backreferences and no lookaround, so those are refused. ``$`` is the very end and classes
are ASCII, unless flags say otherwise. Unicode classes (``\\pL``) and flags in the middle of a
pattern are not known here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kube_twisted.cel.errors import CelError

_TOKEN = re.compile(r"""
    \\Q(?P<quoted>.*?)(?:\\E|$) | \\(?P<escaped>.) | \[(?P<class>\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*)\] |
    (?P<group>\(\?(?:P<\w+>|<\w+>|[a-zA-Z-]*[:)])|\(\?) | (?P<anchor>[\^$]) | (?P<other>.)""", re.DOTALL | re.VERBOSE)
_POSIX = {"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7F", "blank": r"\t ", "cntrl": r"\x00-\x1F\x7F",
          "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~",
          "space": r"\t\n\v\f\r ", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f"}
_NAMED = re.compile(r"\[:(\^?)(\w+):\]")
_SET = re.compile(r"\\.|[\[&~|]", re.DOTALL)
_OUTSIDE = {"z": r"\Z", "A": r"\A", "C": "(?s:.)", "a": r"\x07"}
_KNOWN = frozenset("abdfnrstvxzABCDSWw01234567pPQE")


def matches(text: str, pattern: str) -> bool:
    """Whether the pattern is found anywhere in the text.

    :raises CelError: it is no regular expression.
    """
    return compile_pattern(pattern).search(text) is not None


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Python's form of a pattern of RE2.

    :raises CelError: worded as Go's ``regexp``, as far as known.
    """
    try:
        return re.compile(_translate(pattern), re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise CelError(f"error parsing regexp: {_complaint(pattern, error)}") from None


def _translate(pattern: str) -> str:
    parts: list[str] = []
    multiline = False
    for match in _TOKEN.finditer(pattern):
        kind, text = match.lastgroup, match.group()
        if kind == "quoted":
            parts.append(re.escape(match["quoted"]))
        elif kind == "escaped":
            parts.append(_escaped(match["escaped"]))
        elif kind == "class":
            parts.append(_class(match["class"]))
        elif kind == "group":
            multiline = multiline or _sets_multiline(text)
            parts.append(_group(text))
        elif text == "$" and not multiline:
            parts.append(r"\Z")
        else:
            parts.append(text)
    return "".join(parts)


def _escaped(char: str) -> str:
    if char.isalnum() and char.isascii() and char not in _KNOWN:
        raise re.error(f"invalid escape sequence: `\\{char}`")
    if char in "123456789":
        raise re.error(f"invalid escape sequence: `\\{char}`")
    return _OUTSIDE.get(char, f"\\{char}")


def _class(body: str) -> str:
    def named(match: re.Match[str]) -> str:
        if match[2] not in _POSIX or match[1]:
            raise re.error(f"invalid character class range: `{match.group()}`")
        return _POSIX[match[2]]
    negated = body.startswith("^")
    body = body[1:] if negated else body
    first = r"\]" if body.startswith("]") else ""
    rest = _SET.sub(lambda match: match.group() if match.group()[0] == "\\" else f"\\{match.group()}",
                    _NAMED.sub(named, body[1:] if first else body))
    return f"[{'^' if negated else ''}{first}{rest}]"


def _sets_multiline(text: str) -> bool:
    return "m" in text.split("-")[0] and not text.startswith(("(?P", "(?<"))


def _group(text: str) -> str:
    if text == "(?":
        raise re.error("invalid or unsupported Perl syntax: `(?`")
    if text.startswith("(?<"):
        return f"(?P{text[2:]}"
    return text.replace("U", "")


def _complaint(pattern: str, error: Exception) -> str:
    text = str(error)
    if text.startswith("invalid"):
        return text
    if "unterminated character set" in text:
        return f"missing closing ]: `{pattern[pattern.find('['):]}`"
    if "missing )" in text:
        return f"missing closing ): `{pattern}`"
    if "unbalanced parenthesis" in text:
        return f"unexpected ): `{pattern}`"
    if "nothing to repeat" in text:
        position = getattr(error, "pos", 0) or 0
        return f"missing argument to repetition operator: `{pattern[position:position + 1]}`"
    return f"invalid syntax: `{pattern}`"
