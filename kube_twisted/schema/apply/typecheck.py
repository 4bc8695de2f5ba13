"""Does an applied configuration fit its type: unknown fields, wrong kinds of values, repeated list items.

The wording is structured-merge-diff's, down to the Go formatting of values.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.api.field import go_quote
from kube_twisted.schema.apply.elements import ElementError, element_path
from kube_twisted.schema.apply.plan import ListNode, MapNode, Node, ScalarNode

_NUMERIC = ("int32", "int64", "float64")
_ANYTHING = ("any", "int-or-string")


@frozen
class Misfit:
    """One thing wrong with one field."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


def misfits(node: Node, value: Any, allow_repeated: bool = False) -> list[Misfit]:
    """All that is wrong with a value. Null fits everywhere but as an item of keyed lists and sets."""
    found: list[Misfit] = []
    _check(node, value, "", allow_repeated, found)
    return found


def summary(found: list[Misfit]) -> str:
    """The misfits as one text: a single one alone, several each on its line."""
    if len(found) == 1:
        return str(found[0])
    return "\n".join(["errors:", *(f"  {one}" for one in found)])


def _check(node: Node, value: Any, path: str, allow_repeated: bool, found: list[Misfit]) -> None:
    if value is None:
        return
    if isinstance(node, ScalarNode):
        text = _scalar_misfit(node.kind, value)
        if text:
            found.append(Misfit(path, text))
    elif isinstance(node, ListNode):
        _check_list(node, value, path, allow_repeated, found)
    elif isinstance(node, MapNode) and not node.deduced:
        _check_map(node, value, path, allow_repeated, found)


def _check_map(node: MapNode, value: Any, path: str, allow_repeated: bool, found: list[Misfit]) -> None:
    if not isinstance(value, dict):
        found.append(Misfit(path, f"expected map, got &{{{go_plain(value)}}}"))
        return
    for name, item in value.items():
        known = node.child(name)
        if known is None:
            found.append(Misfit(f"{path}.{name}", "field not declared in schema"))
            return
        _check(known[1], item, f"{path}.{name}", allow_repeated, found)


def _check_list(node: ListNode, value: Any, path: str, allow_repeated: bool, found: list[Misfit]) -> None:
    if not isinstance(value, list):
        found.append(Misfit(path, f"expected list, got &{{{go_plain(value)}}}"))
        return
    seen: set[str] = set()
    for index, item in enumerate(value):
        shown = f"[{index}]"
        if node.relation != "atomic":
            try:
                element = node.element(item)
            except ElementError as error:
                found.append(Misfit(path, f"element {index}: {error}"))
                return
            shown = element_path(element)
            if element in seen and not allow_repeated:
                found.append(Misfit(path, f"duplicate entries for key {shown}"))
            seen.add(element)
        _check(node.item, item, path + shown, allow_repeated, found)


def _scalar_misfit(kind: str, value: Any) -> str:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind in _ANYTHING:
        return ""
    if kind in _NUMERIC:
        return "" if number else f"expected numeric (int or float), got {_go_type(value)}"
    if kind == "bool":
        return "" if isinstance(value, bool) else f"expected boolean, got &{{{go_plain(value)}}}"
    if kind == "quantity":
        return f"expected any scalar, got &{{{go_plain(value)}}}" if isinstance(value, (dict, list)) else ""
    if isinstance(value, str):
        return ""
    return f"expected string, got &value.valueUnstructured{{Value:{_go_syntax(value)}}}"


def _go_type(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "string"
    return "map[string]interface {}" if isinstance(value, dict) else "[]interface {}"


def go_plain(value: Any) -> str:
    """A JSON value as Go's ``%v`` prints it."""
    if isinstance(value, dict):
        return "map[" + " ".join(f"{key}:{go_plain(value[key])}" for key in sorted(value)) + "]"
    if isinstance(value, list):
        return "[" + " ".join(map(go_plain, value)) + "]"
    return value if isinstance(value, str) else _go_scalar(value, "<nil>")


def _go_syntax(value: Any) -> str:
    """A JSON value as Go's ``%#v`` prints it."""
    if isinstance(value, dict):
        return "map[string]interface {}{" + ", ".join(
            f"{go_quote(key)}:{_go_syntax(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[]interface {}{" + ", ".join(map(_go_syntax, value)) + "}"
    return go_quote(value) if isinstance(value, str) else _go_scalar(value, "interface {}(nil)")


def _go_scalar(value: Any, nil: str) -> str:
    if value is None:
        return nil
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{int(value)}" if value.is_integer() and abs(value) < 1e21 else repr(value)
    return str(value)
