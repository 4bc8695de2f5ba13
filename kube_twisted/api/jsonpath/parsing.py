"""From the text of a JSONPath template to its nodes."""

from __future__ import annotations

import re

from kube_twisted.api.jsonpath.nodes import (
    Field,
    Filter,
    Identifier,
    JSONPathError,
    Literal,
    Node,
    Path,
    Recursive,
    Slice,
    Union,
    Wildcard,
)
from kube_twisted.api.jsonpath.quoting import unquote

_KEY = re.compile(r"'([^']*)'")
_SLICE = re.compile(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
_COMPARISON = re.compile(r"([^!<>=]+)([!<>=]+)(.+)")
_FIELD = re.compile(r"(?:\\.|[^\\ \t\r\n.,\[\]$@{}])*\\?", re.DOTALL)
_WORD = re.compile(r"[^ \t\r\n.,\[\]$@{}]*")
_NUMBER = re.compile(r"[+-]?[0-9.]*")
_QUOTED = {quote: re.compile(rf"{quote}[^\n]*?(?<!\\){quote}") for quote in "'\""}
_MAX_INT = (1 << 63) - 1


def parse(template: str) -> tuple[Path, ...]:
    """The parts of a template: texts, and paths in braces.

    :raises JSONPathError: worded as client-go's error.
    """
    parts: list[Path] = []
    position = 0
    while position < len(template):
        start = template.find("{", position)
        text = template[position:start] if start >= 0 else template[position:]
        if text:
            parts.append((Literal(text),))
        if start < 0:
            break
        path, position = _Action(template, start + 1).parse()
        parts.append(path)
    return tuple(parts)


def _parse_action(text: str) -> Path:
    """A path without its braces."""
    return _Action(f"{{{text}}}", 1).parse()[0]


class _Action:
    """Reads what is between braces."""

    def __init__(self, text: str, position: int) -> None:
        self._text = text
        self._position = position
        self._nodes: list[Node] = []

    def parse(self) -> tuple[Path, int]:
        """The path, and where the text goes on behind the closing brace."""
        while not self._skip("}"):
            if self._skip("[?("):
                self._filter()
            elif self._skip(".."):
                self._recursive()
            else:
                self._single()
        return tuple(self._nodes), self._position

    def _skip(self, prefix: str) -> bool:
        found = self._text.startswith(prefix, self._position)
        if found:
            self._position += len(prefix)
        return found

    def _take(self, pattern: re.Pattern[str]) -> str:
        """What matches here; the pattern must be able to match nothing."""
        match = pattern.match(self._text, self._position)
        assert match is not None
        self._position = match.end()
        return match.group()

    def _single(self) -> None:
        letter = self._text[self._position:self._position + 1]
        if letter in ("", "\r", "\n"):
            raise JSONPathError("unclosed action")
        if letter in " @$":
            self._position += 1
        elif letter == "[":
            self._bracket()
        elif letter in _QUOTED:
            self._quoted(letter)
        elif self._skip("."):
            self._field()
        elif letter in "+-0123456789":
            self._number()
        elif letter == "_" or letter.isalpha():
            self._word()
        else:
            raise JSONPathError(f"unrecognized character in action: U+{ord(letter):04X} '{letter}'")

    # -- one node each --------------------------------------------------------------------------------------------

    def _field(self) -> None:
        name = self._take(_FIELD)
        self._nodes.append(Wildcard() if name == "*" else Field(name.replace("\\", "")))

    def _recursive(self) -> None:
        if self._nodes and isinstance(self._nodes[-1], Recursive):
            raise JSONPathError("invalid multiple recursive descent")
        self._nodes.append(Recursive())
        following = self._text[self._position:self._position + 1]
        if following == "_" or following.isalnum():
            self._field()

    def _word(self) -> None:
        word = self._take(_WORD)
        self._nodes.append(Literal(word == "true") if word in ("true", "false") else Identifier(word))

    def _number(self) -> None:
        text = self._take(_NUMBER)
        try:
            number = int(text) if "." not in text else float(text)
            self._nodes.append(Literal(number if abs(number) <= _MAX_INT else float(number)))
        except (ValueError, OverflowError):
            raise JSONPathError(f"cannot parse number {text}") from None

    def _quoted(self, quote: str) -> None:
        match = _QUOTED[quote].match(self._text, self._position)
        if match is None:
            raise JSONPathError("unterminated quoted string")
        self._position = match.end()
        self._nodes.append(Literal(unquote(match.group())))

    def _bracket(self) -> None:
        end = self._text.find("]", self._position)
        inside = self._text[self._position + 1:end]
        if end < 0 or "\n" in inside:
            raise JSONPathError("unterminated array")
        self._position = end + 1
        choices = inside.split(",")
        if len(choices) > 1:
            self._nodes.append(Union(tuple(_parse_action(f"[{one.strip(' ')}]") for one in choices)))
        elif key := _KEY.fullmatch(inside):
            self._nodes += _parse_action(f".{key.group(1)}")
        else:
            self._nodes.append(_slice(":" if inside == "*" else inside))

    def _filter(self) -> None:
        start = self._position
        self._position = end = self._end_of_filter()
        if not self._skip(")]"):
            raise JSONPathError("unclosed array expect ]")
        inside = self._text[start:end]
        comparison = _COMPARISON.fullmatch(inside)
        if comparison is None:
            self._nodes.append(Filter(_parse_action(inside), "exists", ()))
        else:
            left, operator, right = comparison.groups()
            self._nodes.append(Filter(_parse_action(left), operator, _parse_action(right)))

    def _end_of_filter(self) -> int:
        """Where the closing parenthesis is: the first one outside of the quoted text that there may be."""
        opened, closed = "", False
        for index in range(self._position, len(self._text)):
            letter = self._text[index]
            if letter == "\n":
                break
            if letter == ")" and bool(opened) == closed:
                return index
            if letter in _QUOTED:
                if not opened:
                    opened = letter
                elif letter == opened and self._text[index - 1] != "\\":
                    closed = True
        raise JSONPathError("unterminated filter")


def _slice(text: str) -> Slice:
    match = _SLICE.fullmatch(text)
    if match is None:
        raise JSONPathError(f"invalid array index {text}")
    start, end, step = match.groups()
    if end is None:
        return Slice(_index(start), single=True)
    return Slice(_index(start), _index(end[1:]), _index(step[1:]) if step else None)


def _index(text: str) -> int | None:
    if text == "-" or len(text) > len(str(_MAX_INT)):
        raise JSONPathError(f"array index {text} is not a number")
    return int(text) if text else None
