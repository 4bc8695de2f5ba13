"""Scenarios: recorded requests with the answers that a real kube-apiserver gave.

A scenario is a JSON file::

    name       what it is about
    namespace  false when it needs no namespace of its own
    cleanup    paths to DELETE afterwards
    steps      the requests, in order

A step::

    method, path  the request. {ns} is the scenario's namespace, {run} differs from replay to replay, {x} is
                  what an earlier step captured as x
    headers       more headers; a list is one header a value, null leaves a default header out
    body | raw    a JSON body, or a string as it is
    stream        true: the answer is JSON documents one a line, until the server ends it
    capture       {"x": "metadata.resourceVersion"}: a dotted path into the answer, or "header:etag"
    fill          {fill} in the body is that many letters x
    sleep         seconds to wait before the step
    retry         seconds for which to repeat the step until it agrees
    ignore        dotted paths, with * for any part, left out of the comparison
    only          compare these dotted paths alone, besides the status; "path?" is compared for being there
    unordered     dotted paths of lists whose order is of no importance
    expect        {"status", "headers", "body"}, with placeholders for what differs from run to run
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attrs import field, frozen

#: The headers that are part of the comparison.
COMPARED_HEADERS = ("content-type", "warning")


@frozen(kw_only=True)
class Step:
    """One request and its recorded answer."""

    method: str
    path: str
    expect: dict[str, Any]
    headers: dict[str, Any] = field(factory=dict)
    body: Any = None
    raw: str | None = None
    stream: bool = False
    capture: dict[str, str] = field(factory=dict)
    fill: int = 0
    sleep: float = 0.0
    retry: float = 0.0
    ignore: tuple[str, ...] = field(default=(), converter=tuple)
    only: tuple[str, ...] | None = None
    unordered: tuple[str, ...] = field(default=(), converter=tuple)
    has_body: bool = False


@frozen(kw_only=True)
class Scenario:
    """A whole conversation.

    :ivar name: area and file name, such as ``machinery/watch-invalid``.
    """

    name: str
    steps: tuple[Step, ...]
    namespaced: bool
    cleanup: tuple[str, ...]

    @property
    def alone(self) -> bool:
        """Whether it changes what lies outside its namespace, and could disturb others beside it."""
        return bool(self.cleanup) or not self.namespaced


def load(path: Path) -> Scenario:
    """Read a scenario file. An unknown key is a :class:`TypeError`."""
    document = json.loads(path.read_text())
    return Scenario(
        name=f"{path.parent.name}/{path.stem}",
        steps=tuple(Step(**one, has_body="body" in one or "raw" in one) for one in document["steps"]),
        namespaced=document.get("namespace", True),
        cleanup=tuple(document.get("cleanup", ())))


def dig(value: Any, dotted: str) -> Any:
    """The part of a document at a dotted path. :class:`LookupError` when it isn't there."""
    for part in dotted.split("."):
        try:
            value = value[int(part) if isinstance(value, list) else part]
        except (TypeError, ValueError) as error:
            raise LookupError(dotted) from error
    return value
