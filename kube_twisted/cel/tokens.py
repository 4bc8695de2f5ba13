"""Cut an expression's text into tokens."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from kube_twisted.cel.errors import Issue

#: Symbols and words with a meaning of their own, by the name that error messages give them.
SYMBOLS = ("==", "!=", "in", "<", "<=", ">=", ">", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",", "-", "!",
           "?", ":", "+", "*", "/", "%", "true", "false", "null")
EOF = "<EOF>"
#: Kinds of tokens in the order in which messages list them.
KINDS = (EOF, *SYMBOLS, "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER")
_WORDS = frozenset({"in", "true", "false", "null"})

_ESCAPE = (r"""\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})""")
_RAW = r"""[rR](?:\"\"\"(?:.|\n)*?\"\"\"|'''(?:.|\n)*?'''|"[^"\n\r]*"|'[^'\n\r]*')"""
_QUOTED = (rf'''"""(?:{_ESCAPE}|[^\\])*?"""|\'\'\'(?:{_ESCAPE}|[^\\])*?\'\'\'|'''
           rf'''"(?:{_ESCAPE}|[^\\"\n\r])*"|'(?:{_ESCAPE}|[^\\'\n\r])*\'''')
_PATTERNS = (
    ("SKIP", r"[\t \r\n\f]+|//[^\n]*"),
    ("NUM_FLOAT", r"[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?"),
    ("NUM_UINT", r"0x[0-9a-fA-F]+[uU]|[0-9]+[uU]"),
    ("NUM_INT", r"0x[0-9a-fA-F]+|[0-9]+"),
    ("BYTES", rf"[bB](?:{_RAW}|{_QUOTED})"),
    ("STRING", rf"{_RAW}|{_QUOTED}"),
    ("IDENTIFIER", r"[A-Za-z_][A-Za-z0-9_]*"),
    ("ESC_IDENTIFIER", r"`[A-Za-z0-9_.\-/ ]+`"),
    ("SYMBOL", r"==|!=|<=|>=|&&|\|\||[<>\[\]{}().,\-!?:+*/%]"),
)
_SKIP = re.compile(_PATTERNS[0][1])
_TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS))


class Token(NamedTuple):
    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + (0 if self.kind == EOF else len(self.text))


def tokenize(text: str) -> tuple[list[Token], list[Issue]]:
    """All tokens with an ``<EOF>`` behind them, and what could not be recognised as a token."""
    tokens: list[Token] = []
    issues: list[Issue] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            bad = _unrecognised(text, at)
            issues.append(Issue(at, f"Syntax error: token recognition error at: '{_shown(bad)}'"))
            at += len(bad)
            continue
        kind, found = match.lastgroup or "", match.group()
        if kind == "SYMBOL" or found in _WORDS:
            kind = found
        if kind != "SKIP":
            tokens.append(Token(kind, found, at))
        at = match.end()
    tokens.append(Token(EOF, EOF, len(text)))
    return tokens, issues


_OPENING = re.compile(r"""[bB]?(?:[rR]?(?:\"\"\"|\'\'\'))|[bB]?[rR]?["']""")
#: The beginning of an escape.
_BEGUN = re.compile(r"\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?")


def _unrecognised(text: str, at: int) -> str:
    """What is skipped: as much as could have become a token, with the character that doesn't fit."""
    opening = _OPENING.match(text, at)
    if opening is None:
        return _single(text, at)
    quote = opening.group().lstrip("bBrR")
    raw = "r" in opening.group().lower()
    end = opening.end()
    item = re.compile((r"[^\n\r]" if len(quote) == 1 else r"(?:.|\n)") if raw
                      else rf"{_ESCAPE}|[^\\\n\r]" if len(quote) == 1 else rf"{_ESCAPE}|[^\\]")
    while (more := item.match(text, end)) is not None:
        end = more.end()
    begun = None if raw else _BEGUN.match(text, end)
    return text[at:(begun.end() if begun else end) + 1]


def _single(text: str, at: int) -> str:
    if text[at] in "&|=" and at + 1 < len(text):
        return text[at:at + 2]
    return text[at]


def _shown(text: str) -> str:
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def text_between(text: str, tokens: list[Token]) -> str:
    """The tokens with the space between them, without what was not recognised."""
    parts = [tokens[0].text]
    for before, token in pairwise(tokens):
        parts += _SKIP.findall(text[before.end:token.at])
        parts.append(token.text if token.kind != EOF else "")
    return "".join(parts)
