"""What can be done on a path, regardless of the OpenAPI version in which it is told."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import orjson
from attrs import frozen

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.endpoints.negotiation import JSON, OFFERED, STREAMED

#: Media types of objects, and of what can also be a watch stream.
OBJECTS = OFFERED
STREAMS = (*OFFERED, *(f"{one};stream=watch" for one in STREAMED))
ANYTHING = ("*/*",)
#: Of an operation that tells nothing about bodies.
NOTHING = ("",)
PATCHES = ("application/json-patch+json", "application/merge-patch+json",
           "application/strategic-merge-patch+json", "application/apply-patch+yaml")
#: What a response is that is no object.
TEXT = "string"

_VERBS = ("connect", "create", "delete", "get", "list", "patch", "read", "replace", "watch")


@frozen
class Parameter:
    """A parameter in a path or a query; each has one value."""

    name: str
    type: str
    description: str
    location: Literal["path", "query"]


@frozen
class Body:
    """What a request carries.

    :ivar definition: the name of its schema.
    """

    definition: str
    media_types: tuple[str, ...]
    required: bool = True


@frozen
class Operation:
    """One method on one path.

    :ivar path: with names of parameters in braces.
    :ivar name: the verb and what it acts on: ``readNamespacedPodStatus``.
    :ivar responses: by status code, the name of a definition or ``TEXT``.
    :ivar action: the verb of a request for a resource; empty for other paths.
    :ivar reads: media types that it says to read when it has no body; by default, what built-in kinds say. With
        :data:`NOTHING` it says none.
    """

    method: str
    path: str
    name: str
    description: str
    responses: Mapping[int, str]
    parameters: tuple[Parameter, ...] = ()
    produces: tuple[str, ...] = OBJECTS
    body: Body | None = None
    action: str = ""
    kind: GroupVersionKind | None = None
    reads: tuple[str, ...] = ()

    @property
    def consumes(self) -> tuple[str, ...]:
        """Media types of request bodies, as OpenAPI v2 lists them even where there is no body."""
        if self.body is not None:
            return self.body.media_types
        if self.reads:
            return self.reads if self.reads is not NOTHING else ()
        return ANYTHING if self.action else self.produces[:1] if self.produces == (JSON,) else OBJECTS

    def identify(self) -> tuple[str, str]:
        """The operation's ID, with group and version in it, and its tag."""
        verb = next(one for one in _VERBS if self.name.startswith(one))
        parts = self.path.strip("/").split("/")
        if parts[0] == "api":
            parts = ["apis", "core", *parts[1:]]
        if parts[0] != "apis" or len(parts) < 2:
            return verb + _camel(self.name[len(verb):]), _camel(parts[0], capital=False)
        group = parts[1].removesuffix(".k8s.io")
        tag, where = _camel(group, capital=False), _camel(group)
        if len(parts) > 2:
            tag += "_" + _camel(parts[2], capital=False)
            where += _camel(parts[2])
        return verb + where + _camel(self.name[len(verb):]), tag

    def definitions(self) -> set[str]:
        """The names of all definitions that it refers to."""
        names = set(self.responses.values()) - {TEXT}
        return names | {self.body.definition} if self.body is not None else names


def noun(kind: str) -> str:
    """A kind in a sentence: ``a Pod``, ``an Event``; ``Endpoints`` is a plural."""
    if kind.endswith("s") and not kind.endswith("ss"):
        return kind
    return f"an {kind}" if kind[0].lower() in "aeiou" else f"a {kind}"


def _camel(text: str, capital: bool = True) -> str:
    """Letters and digits only; a letter behind anything else is made a capital, and the first on request."""
    result = []
    for index, letter in enumerate(text):
        if letter.isalpha() or letter == "_" or (index and letter.isdigit()):
            result.append(letter.upper() if capital else letter)
            capital = False
        else:
            capital = True
    return "".join(result)


# -- parameters ---------------------------------------------------------------------------------------------


@cache
def _table() -> Any:
    return orjson.loads((files("kube_twisted.schema") / "data" / "query_options.json").read_bytes())


def is_options(kind: str) -> bool:
    """Whether a kind is one that query parameters are read into."""
    return kind in _table()["options"]


def options(*kinds: str, but: tuple[str, ...] = (), pretty: bool = True) -> tuple[Parameter, ...]:
    """The query parameters of some options kinds, such as ``ListOptions``.

    :param but: names to leave out.
    """
    table = _table()
    rows = {"pretty": table["pretty"]} if pretty else {}
    for kind in kinds:
        rows.update((name, row) for name, row in table["options"][kind].items() if name not in but)
    return tuple(Parameter(name, row[0], row[1], "query") for name, row in rows.items())


def in_path(name: str, description: str) -> Parameter:
    """A part of the path."""
    return Parameter(name, "string", description, "path")


def common_parameters(operations: list[Operation]) -> list[Parameter]:
    """The parameters that all operations of a path share, by name; of several texts the last one's counts."""
    shared = set.intersection(*({(one.name, one.location) for one in operation.parameters}
                                for operation in operations))
    last = {(one.name, one.location): one for operation in operations for one in operation.parameters}
    return sorted((last[key] for key in shared), key=_order)


def own_parameters(operation: Operation, common: list[Parameter]) -> list[Parameter]:
    """The parameters of an operation that its path does not have already."""
    shared = {(one.name, one.location) for one in common}
    return sorted((one for one in operation.parameters if (one.name, one.location) not in shared), key=_order)


def _order(parameter: Parameter) -> tuple[str, str]:
    return parameter.name, parameter.location
