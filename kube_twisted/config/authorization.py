"""Settings of authorization."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from kube_twisted.config import reading
from kube_twisted.config.reading import setting

NODE, RBAC, ALWAYS_ALLOW, ALWAYS_DENY = "Node", "RBAC", "AlwaysAllow", "AlwaysDeny"
_some_modes = reading.choices(NODE, RBAC, ALWAYS_ALLOW, ALWAYS_DENY)


def _modes(value: Any) -> tuple[str, ...]:
    modes = _some_modes(value)
    if not modes:
        raise ValueError("must have at least one mode")
    return modes


@frozen
class AuthorizationSettings:
    """The section ``authorization``."""

    modes: tuple[str, ...] = setting("modes", (NODE, RBAC), _modes)
    """Who is asked whether a request is allowed, in this order; the first that has an opinion decides."""
