"""The text of an expression, and how a complaint about one place of it is shown."""

from __future__ import annotations

from bisect import bisect_right

from kube_twisted.cel.errors import Issue

_MAX_SNIPPET = 16384


class Source:
    """An expression's text with its lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0] + [index + 1 for index, char in enumerate(text) if char == "\n"]

    def position(self, offset: int) -> tuple[int, int]:
        """Line (from 1) and column (from 0); ``(-1, -1)`` for nowhere."""
        if offset < 0:
            return -1, -1
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def display(self, issue: Issue) -> str:
        """The issue with the line it is about, and a caret under the place; an empty text has no line to show."""
        if not self.text:
            return f"ERROR: <input>:1:0: {issue.message}"
        line, column = self.position(issue.offset)
        text = f"ERROR: <input>:{line}:{column + 1}: {issue.message}"
        if line < 1:
            return text
        snippet = self._line(line)
        if len(snippet.encode()) > _MAX_SNIPPET:
            return text
        snippet = snippet.replace("\t", " ")
        dots = "".join("\uff0e" if ord(char) > 127 else "." for char in snippet[:column])
        wide = column < len(snippet) and ord(snippet[column]) > 127
        return f"{text}\n | {snippet}\n | {dots}{chr(0xFF3E) if wide else '^'}"

    def _line(self, line: int) -> str:
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[self._starts[line - 1]:end]
