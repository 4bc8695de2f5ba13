"""A JSONPath template, read once and used many times."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.api.jsonpath.evaluation import evaluate
from kube_twisted.api.jsonpath.nodes import Identifier, JSONPathError, Path
from kube_twisted.api.jsonpath.parsing import parse

_RANGE, _END = Identifier("range"), Identifier("end")


@frozen
class JSONPath:
    """A template.

    :ivar parts: its texts and its paths in braces.
    """

    parts: tuple[Path, ...]

    @classmethod
    def parse(cls, template: str) -> JSONPath:
        """Read a template such as ``{.spec.containers[*].name}``.

        :raises JSONPathError: worded as client-go's error.
        """
        return cls(parse(template))

    def find(self, data: Any) -> list[list[Any]]:
        """What each part finds, in their order; parts between ``{range}`` and ``{end}`` once per result of the range.

        :raises JSONPathError: when the template does not fit the data.
        """
        results, _ = self._find(0, data, in_range=False)
        return results

    def _find(self, position: int, data: Any, *, in_range: bool) -> tuple[list[list[Any]], int]:
        """The results from a part on, and the position of the part behind the end of the range."""
        found: list[list[Any]] = []
        while position < len(self.parts):
            path = self.parts[position]
            position += 1
            if path[-1:] == (_END,):
                if not in_range:
                    raise JSONPathError("not in range, nothing to end")
                return found, position
            if path[:1] == (_RANGE,):
                results, position = self._range(position, evaluate(path[1:], [data]))
                found += results
            else:
                found.append(evaluate(path, [data]))
        return found, position

    def _range(self, position: int, values: list[Any]) -> tuple[list[list[Any]], int]:
        """The parts of a range, for each of the values; without any, only the range's end is looked for."""
        found: list[list[Any]] = []
        behind = self._find(position, None, in_range=True)[1] if not values else position
        for value in values:
            results, behind = self._find(position, value, in_range=True)
            found += results
        return found, behind
