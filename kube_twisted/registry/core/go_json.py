"""Why a text is no JSON object, in the words of Go's ``encoding/json``."""

from __future__ import annotations

from kube_twisted.codec.scanner import JSONSyntaxError, read
from kube_twisted.schema.tree import Members

_KINDS: dict[type, str] = {str: "string", bool: "bool", list: "array"}


def go_json_error(content: bytes) -> str:
    """The error of unmarshalling ``content`` into a ``map[string]interface{}``; empty when it can be."""
    try:
        value = read(content)
    except JSONSyntaxError as error:
        return str(error)
    if value is None or isinstance(value, Members):
        return ""
    kind = _KINDS.get(type(value), "number")
    return f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}"
