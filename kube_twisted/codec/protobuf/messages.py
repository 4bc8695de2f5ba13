"""Which message a kind is on the wire, and the fields of each message, from ``data/messages.json``."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from attrs import frozen

from kube_twisted.api.gvk import GroupVersionKind

_DATA = Path(__file__).parent / "data" / "messages.json"
_TOKEN = re.compile(r"(\S+)=(\d+)(:|\[\]|\{\}|)(\S*)")
_HOW_MANY: dict[str, Literal["one", "list", "map"]] = {"": "one", ":": "one", "[]": "list", "{}": "map"}
#: The package of the kinds that all groups share.
_META = "meta.v1"


@frozen
class MessageField:
    """A field of a message.

    :ivar name: the name in JSON; ``+`` for a message whose fields stand in the same JSON object.
    :ivar number: on the wire.
    :ivar type: ``text``, ``int32``, ``time``, ... or a message such as ``core.v1.Container``.
    """

    name: str
    number: int
    how_many: Literal["one", "list", "map"]
    type: str

    @property
    def inlined(self) -> bool:
        return self.name == "+"

    @property
    def is_message(self) -> bool:
        return "." in self.type

    @property
    def go_name(self) -> str:
        """As error messages name it."""
        name = self.type.rpartition(".")[2] if self.inlined else self.name
        return name[:1].upper() + name[1:]


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(_DATA.read_bytes())
    return table


@lru_cache(maxsize=4096)
def message_of(kind: GroupVersionKind) -> str | None:
    """The message of a kind; None for what has none: custom resources and Tables."""
    table = _table()
    package = table["groups"].get(kind.group)
    if package is None:
        return None
    own = f"{package}.{kind.version}"
    for candidate in (own, _META):
        if kind.kind in table["messages"].get(candidate, ()):
            return f"{candidate}.{kind.kind}"
    return None


def message_of_definition(name: str) -> str:
    """The message of an OpenAPI definition such as ``io.k8s.api.core.v1.Pod``."""
    return name.split(".", name.count(".") - 2)[-1]


@lru_cache(maxsize=4096)
def fields_of(message: str) -> tuple[MessageField, ...]:
    """The fields of a message.

    :raises KeyError: for an unknown message.
    """
    package, _, name = message.rpartition(".")
    line = _table()["messages"][package][name]
    return tuple(_field(package, token) for token in line.split())


def _field(package: str, token: str) -> MessageField:
    match = _TOKEN.fullmatch(token)
    if match is None:
        raise ValueError(f"no field of a message: {token}")
    name, number, how_many, type_ = match.groups()
    if type_[:1].isupper():
        type_ = f"{package}.{type_}"
    return MessageField(name, int(number), _HOW_MANY[how_many], type_ or "text")
