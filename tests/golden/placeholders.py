"""Puts placeholders where answers differ from run to run: versions, uids, times, names, addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_VARIABLE = re.compile(r"\{([a-z][a-zA-Z0-9_]*)\}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TOKEN_VOLUME = re.compile(r"\bkube-api-access-[a-z0-9]{5}\b")
#: resourceVersions within text: YAML, quoted JSON, and messages about them.
_TEXT_VERSION = re.compile(
    r'(resourceVersion(?:: |\\*":)\\*"|Too large resource version: \d+, current: '
    r"|ResourceVersion in (?:the precondition|record) \()\d+")
_ADDRESS = re.compile(r"[0-9.]+|[0-9a-f:]+")
_FIRST_NODE_PORT = 30000
#: Field -> its placeholder and what its value looks like.
_FIELDS: Mapping[str, tuple[str, re.Pattern[str]]] = {
    "resourceVersion": ("<rv>", re.compile(r"\d+")),
    "uid": ("<uid>", re.compile(r".*", re.DOTALL)),
    "continue": ("<continue>", re.compile(r".+", re.DOTALL)),
    "token": ("<token>", re.compile(r"eyJ.*")),
    "clusterIP": ("<ip>", _ADDRESS),
    "clusterIPs": ("<ip>", _ADDRESS),
}


def fill_in(value: Any, variables: Mapping[str, str]) -> Any:
    """Replace ``{x}`` by the variable x wherever a string has it; unknown ones stay."""
    if isinstance(value, str):
        return _VARIABLE.sub(lambda match: variables.get(match[1], match[0]), value)
    if isinstance(value, dict):
        return {fill_in(key, variables): fill_in(one, variables) for key, one in value.items()}
    if isinstance(value, list):
        return [fill_in(one, variables) for one in value]
    return value


def with_placeholders(value: Any, variables: Mapping[str, str], field: str = "") -> Any:
    """A document as it would be in any run.

    :param field: the name of the field that ``value`` is the value of.
    """
    if isinstance(value, dict):
        return _mapping(value, variables)
    if isinstance(value, list):
        return [with_placeholders(one, variables, field) for one in value]
    if isinstance(value, str):
        placeholder, pattern = _FIELDS.get(field, ("", None))
        if pattern is not None and pattern.fullmatch(value):
            return placeholder
        return _text(value, variables)
    if field in ("nodePort", "healthCheckNodePort") and isinstance(value, int) and value >= _FIRST_NODE_PORT:
        return "<port>"
    return value


def _mapping(value: dict[str, Any], variables: Mapping[str, str]) -> dict[str, Any]:
    result = {_text(key, variables): with_placeholders(one, variables, key) for key, one in value.items()}
    prefix, name = value.get("generateName"), value.get("name")
    if prefix and isinstance(name, str) and name.startswith(prefix):
        result["name"] = _text(f"{prefix}<generated>", variables)
    return result


def _text(text: str, variables: Mapping[str, str]) -> str:
    text = text.replace(variables["ns"], "<ns>").replace(variables["run"], "<run>")
    text = _TEXT_VERSION.sub(r"\1<rv>", _TIME.sub("<time>", text))
    return _UUID.sub("<uid>", _TOKEN_VOLUME.sub("kube-api-access-<generated>", text))
