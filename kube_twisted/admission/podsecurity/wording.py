"""How controls look at pods and say what they found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import frozen

Obj = dict[str, Any]


@frozen
class Violation:
    """What is not allowed, in short, and where it was found."""

    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.detail})" if self.detail else self.reason


def containers(spec: Obj) -> Iterator[Obj]:
    """All containers of a pod: those for initialisation first, ephemeral ones last."""
    for field in ("initContainers", "containers", "ephemeralContainers"):
        yield from spec.get(field) or ()


def security_context(one: Obj) -> Obj:
    """That of a pod's spec, or of a container; empty when there is none."""
    return one.get("securityContext") or {}


def quoted(texts: Iterable[str]) -> str:
    return ", ".join(f'"{text}"' for text in texts)


def plural(singular: str, number: int) -> str:
    return singular if number == 1 else singular + "s"


def named(what: str, names: list[str]) -> str:
    """``container "a"``, ``containers "a", "b"``."""
    return f"{plural(what, len(names))} {quoted(names)}"


def setters(pod: bool, names: list[str]) -> str:
    """``pod and containers "a", "b"``: who sets something; empty when nobody does."""
    parts = ["pod"] if pod else []
    if names:
        parts.append(named("container", names))
    return " and ".join(parts)
