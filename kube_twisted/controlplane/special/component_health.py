"""How a component of the control plane is, and what can ask it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen


@frozen
class Health:
    """How a component is.

    :ivar message: what it said, or why it could not be asked.
    """

    healthy: bool
    message: str = ""


#: Asks one component.
Probe = Callable[[], Awaitable[Health]]
