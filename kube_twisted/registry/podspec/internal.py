"""Objects as kube-apiserver shows them in some messages: in its internal form, every field there, Go's names.

Users see it when a change is refused: the whole value that may not change, or what differs in it.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from kube_twisted.registry.podspec.internal_types import INTERNAL_TYPES

Obj = dict[str, Any]

_ZERO: dict[str, Any] = {"s": "", "i": 0, "b": False, "q": "0", "n": 0, "p": None}
#: In the internal form these belong to the pod's security context.
_HOST_FIELDS = ("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers")
_CONTEXT = 3


def shown(type_name: str, value: Obj | None, types: Mapping[str, str] = INTERNAL_TYPES) -> Any:
    """The internal form of a value.

    :param type_name: a key of ``types``.
    """
    if value is None:
        return None
    if type_name == "ObjectMeta":
        return value
    if type_name == "PodSpec":
        context = {name: value[name] for name in _HOST_FIELDS if name in value}
        value = value | {"securityContext": (value.get("securityContext") or {}) | context}
    form: Obj = {}
    for name, key, kind in _fields(types[type_name]):
        if kind[0] == ">":
            form.update(shown(kind[1:], value.get("metadata") or {} if kind == ">ObjectMeta" else value, types))
        else:
            form[name] = _field(kind, value.get(key), types)
    return form


def _fields(fields: str) -> Iterator[tuple[str, str, str]]:
    for word in fields.split():
        named, _, kind = word.rpartition(":")
        name, _, key = named.partition("/")
        yield name, key or name[:1].lower() + name[1:], kind


def _field(kind: str, value: Any, types: Mapping[str, str]) -> Any:
    if kind == "j":
        return value
    if kind == "l":
        return None if value is None else shown_selector(value)
    if kind in _ZERO:
        value = _ZERO[kind] if value is None else value
        return dict(sorted(value.items())) if isinstance(value, dict) else value
    form, type_name = kind[0], kind[1:]
    if form == "[":
        return None if value is None else [shown(type_name, one, types) for one in value]
    return shown(type_name, {} if value is None and form == "=" else value, types)


def shown_labels(labels: dict[str, str] | None) -> dict[str, str] | None:
    """Labels as Go shows a map: sorted."""
    return None if labels is None else dict(sorted(labels.items()))


def shown_selector(selector: Obj) -> Obj:
    """A LabelSelector, its labels sorted."""
    form: Obj = {}
    if selector.get("matchLabels"):
        form["matchLabels"] = shown_labels(selector["matchLabels"])
    if selector.get("matchExpressions"):
        form["matchExpressions"] = selector["matchExpressions"]
    return form


def difference(type_name: str, old: Obj, new: Obj, types: Mapping[str, str] = INTERNAL_TYPES) -> str:
    """What differs between two values, as a unified diff of their internal forms."""
    lines = difflib.unified_diff(_lines(type_name, old, types), _lines(type_name, new, types), n=_CONTEXT)
    return "".join(line for index, line in enumerate(lines) if index >= 2)


def _lines(type_name: str, value: Obj, types: Mapping[str, str]) -> list[str]:
    text = json.dumps(shown(type_name, value, types), indent=1, ensure_ascii=False)
    return [f"{line}\n" for line in text.split("\n")]
