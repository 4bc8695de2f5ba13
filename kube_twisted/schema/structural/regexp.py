"""Regular expressions in Go's syntax (RE2), translated for Python's engine.

What differs: ``$`` and ``\\z``, classes of letters (``\\pL``, ``[[:alpha:]]``, ``\\d`` is ASCII), flags in the middle,
``\\Q..\\E``, braces that are no counts. What Go does not have (look-around, back references) is refused in its words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from kube_twisted.schema.structural.regexp_classes import PERL, POSIX, unicode_class

_ESCAPES = {"a": "\\x07", "f": "\\x0c", "t": "\\t", "n": "\\n", "r": "\\r", "v": "\\x0b"}
_COUNT = re.compile(r"\{([0-9]+)(?:(,)([0-9]*))?\}").match
_FLAGS = re.compile(r"\?([imsU]*)(?:-([imsU]+))?([:)])").match
_NAME = re.compile(r"\?P?<([A-Za-z0-9_]+)>").match
_HEX = re.compile(r"x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})").match
_OCTAL = re.compile(r"0[0-7]{0,2}|[1-7][0-7]{1,2}").match
_UNICODE = re.compile(r"[pP](?:\{(\^?)([A-Za-z_]+)\}|([A-Z]))").match
_POSIX = re.compile(r"\[:(\^?)([a-z]+):\]").match
_LARGEST_COUNT = 1000


class RegexpError(ValueError):
    """The text is no regular expression; worded as Go's."""

    def __init__(self, problem: str, where: str) -> None:
        super().__init__(f"error parsing regexp: {problem}: `{where}`")


@lru_cache(maxsize=1024)
def compile_regexp(pattern: str) -> re.Pattern[str]:
    """Compile a Go expression; ``search`` of the result is Go's ``MatchString``.

    :raises RegexpError: if Go would not compile it.
    """
    try:
        return re.compile(_Translator(pattern).whole())
    except (re.error, OverflowError) as error:
        raise RegexpError(str(error), pattern) from None


class _Translator:
    """Walks over an expression.

    :ivar flags: those that are on at the place: ``i``, ``m``, ``s``, ``U``.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.flags = frozenset[str]()
        self.names: set[str] = set()

    def whole(self) -> str:
        result = self._alternatives()
        if self.at < len(self.pattern):
            raise RegexpError("unexpected )", self.pattern)
        return result

    def _alternatives(self) -> str:
        parts = []
        while self.at < len(self.pattern) and self.pattern[self.at] != ")":
            parts.append(self._piece())
        return "".join(parts)

    def _piece(self) -> str:
        """One atom with its repetition."""
        character = self.pattern[self.at]
        if character == "|":
            self.at += 1
            return "|"
        if self.pattern.startswith("\\Q", self.at):
            return self._quoted()
        if character in "*+?" or self._count() is not None:
            raise RegexpError("missing argument to repetition operator", self._operator())
        atom = self._atom(character)
        return atom + self._repetition(atom) if atom else self._no_repetition()

    def _atom(self, character: str) -> str:
        self.at += 1
        match character:
            case "(":
                return self._group()
            case "[":
                return self._fold(self._class())
            case "\\":
                return self._escape()
            case ".":
                return "(?s:.)" if "s" in self.flags else "[^\\n]"
            case "^":
                return "(?m:^)" if "m" in self.flags else "(?:\\A)"
            case "$":
                return "(?m:$)" if "m" in self.flags else "(?:\\Z)"
        return self._fold(re.escape(character))

    def _fold(self, atom: str) -> str:
        return f"(?i:{atom})" if "i" in self.flags else atom

    def _group(self) -> str:
        outer, start = self.flags, self.at - 1
        named, flagged = _NAME(self.pattern, self.at), _FLAGS(self.pattern, self.at)
        opening = "("
        if named:
            self._take_name(named)
        elif flagged:
            self.flags = (outer | set(flagged[1])) - set(flagged[2] or "")
            self.at = flagged.end()
            if flagged[3] == ")":
                return ""
            opening = "(?:"
        elif self.pattern.startswith("?", self.at):
            raise self._unknown_group(self.pattern[start:])
        inner = self._alternatives()
        if self.at >= len(self.pattern):
            raise RegexpError("missing closing )", self.pattern)
        self.at += 1
        self.flags = outer
        return f"{opening}{inner})"

    def _take_name(self, named: re.Match[str]) -> None:
        if named[1] in self.names:
            raise RegexpError("invalid named capture", named[1])
        self.names.add(named[1])
        self.at = named.end()

    @staticmethod
    def _unknown_group(rest: str) -> RegexpError:
        if rest.startswith(("(?<", "(?P<")):
            end = rest.find(">") + 1
            return RegexpError("invalid named capture", rest[:end] if end else rest)
        letters = len(rest) - len(rest[2:].lstrip("imsU-"))
        return RegexpError("invalid or unsupported Perl syntax", rest[:letters + 1])

    def _repetition(self, atom: str) -> str:
        """What follows an atom: at most one repetition."""
        operator = self._operator()
        if not operator:
            return ""
        count = self._count()
        if count is not None and max(count) > _LARGEST_COUNT:
            raise RegexpError("invalid repeat count", operator)
        self.at += len(operator)
        lazy = self.pattern.startswith("?", self.at)
        self.at += lazy
        following = self._operator()
        if following:
            raise RegexpError("invalid nested repetition operator", operator + "?" * lazy + following)
        return operator + ("?" if lazy != ("U" in self.flags) else "")

    def _no_repetition(self) -> str:
        if self._operator():
            raise RegexpError("missing argument to repetition operator", self._operator())
        return ""

    def _operator(self) -> str:
        if self.pattern.startswith(("*", "+", "?"), self.at):
            return self.pattern[self.at]
        match = _COUNT(self.pattern, self.at)
        return match[0] if match else ""

    def _count(self) -> tuple[int, int] | None:
        match = _COUNT(self.pattern, self.at)
        if match is None:
            return None
        low = int(match[1])
        high = int(match[3] or low) if match[2] else low
        if high < low:
            raise RegexpError("invalid repeat count", match[0])
        return low, high

    def _quoted(self) -> str:
        text, _, _ = self.pattern[self.at + 2:].partition("\\E")
        self.at = min(len(self.pattern), self.at + 4 + len(text))
        letters = [self._fold(re.escape(one)) for one in text]
        return "".join(letters) + (self._repetition(letters[-1]) if letters else "")

    def _escape(self) -> str:
        """An escape outside of a class."""
        if self.at >= len(self.pattern):
            raise RegexpError("trailing backslash at end of expression", "")
        character = self.pattern[self.at]
        if character in "AzbB":
            self.at += 1
            return {"A": "(?:\\A)", "z": "(?:\\Z)", "b": "(?a:\\b)", "B": "(?a:\\B)"}[character]
        members = self._set()
        if members is not None:
            return self._fold(f"[{members}]")
        return self._fold(re.escape(self._character()))

    def _set(self) -> str | None:
        """The members of a set such as ``\\d``, after its backslash; None if it is none."""
        character = self.pattern[self.at]
        if character in PERL:
            self.at += 1
            return PERL[character]
        match = _UNICODE(self.pattern, self.at) if character in "pP" else None
        if match is None:
            return None
        self.at = match.end()
        members = unicode_class(match[2] or match[3], negated=(character == "P") != bool(match[1]))
        if members is None:
            raise RegexpError("invalid character class range", f"\\{match[0]}")
        return members

    def _character(self) -> str:
        """A single escaped character, after its backslash."""
        character = self.pattern[self.at]
        for match, base in ((_HEX(self.pattern, self.at), 16), (_OCTAL(self.pattern, self.at), 8)):
            if match:
                digits = match[0] if base == 8 else match[1] or match[2]
                if int(digits, base) > 0x10FFFF:
                    break
                self.at = match.end()
                return chr(int(digits, base))
        if character in _ESCAPES or (character.isascii() and not character.isalnum()):
            self.at += 1
            return _ESCAPES[character].encode().decode("unicode-escape") if character in _ESCAPES else character
        raise RegexpError("invalid escape sequence", f"\\{character}")

    def _class(self) -> str:
        start = self.at - 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        members, first = [], True
        while first or not self.pattern.startswith("]", self.at):
            if self.at >= len(self.pattern):
                raise RegexpError("missing closing ]", self.pattern[start:])
            members.append(self._member(start))
            first = False
        self.at += 1
        return f"[{'^' if negated else ''}{''.join(members)}]"

    def _member(self, start: int) -> str:
        posix = _POSIX(self.pattern, self.at)
        if posix:
            self.at = posix.end()
            if posix[2] not in POSIX:
                raise RegexpError("invalid character class range", posix[0])
            return POSIX[posix[2]][bool(posix[1])]
        if self.pattern.startswith("\\", self.at) and self.at + 1 < len(self.pattern):
            self.at += 1
            members = self._set()
            if members is not None:
                return members
            self.at -= 1
        return self._range(start)

    def _range(self, start: int) -> str:
        begin = self.at
        low = self._class_character(start)
        if not self.pattern.startswith("-", self.at) or self.pattern.startswith("-]", self.at):
            return re.escape(low)
        self.at += 1
        high = self._class_character(start)
        if high < low:
            raise RegexpError("invalid character class range", self.pattern[begin:self.at])
        return f"{re.escape(low)}-{re.escape(high)}"

    def _class_character(self, start: int) -> str:
        if self.at >= len(self.pattern):
            raise RegexpError("missing closing ]", self.pattern[start:])
        character = self.pattern[self.at]
        self.at += 1
        if character != "\\":
            return character
        if self.at >= len(self.pattern):
            raise RegexpError("trailing backslash at end of expression", "")
        return self._character()
