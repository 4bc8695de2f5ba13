"""One write as the generic store sees it: who, where, with which options, and where warnings go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from attrs import define, field

from kube_twisted.registry.strategy import Obj, WriteContext

#: Validating admission of a new object.
CreateValidation = Callable[[Obj], Awaitable[None]]
#: Validating admission of a change: (new, old).
UpdateValidation = Callable[[Obj, Obj], Awaitable[None]]
#: Validating admission of a deletion: (object as it is).
DeleteValidation = Callable[[Obj], Awaitable[None]]
#: Makes the new object from the current one, None when there is none.
Transform = Callable[[Obj | None], Awaitable[Obj]]


class ChoiceTaken(Exception):
    """What was chosen for an object, such as an address, has been taken by another write; choose again."""


async def accept_create(_obj: Obj) -> None:
    """No validating admission."""


async def accept_update(_obj: Obj, _old: Obj) -> None:
    """No validating admission."""


def _no_warning(_text: str) -> None:
    """Nobody reads the warnings of the server's own writes."""


@define
class Write:
    """A create, update, patch or delete of one request.

    :ivar options: CreateOptions, UpdateOptions, PatchOptions or DeleteOptions as data.
    :ivar uid: the uid that the client expects the object to have; empty for any.
    :ivar add_warning: takes texts for ``Warning`` headers.
    :ivar choices: each takes something back that was chosen for the object in this attempt.
    """

    ctx: WriteContext
    options: dict[str, Any] = field(factory=dict)
    uid: str = ""
    add_warning: Callable[[str], None] = _no_warning
    choices: list[Callable[[], None]] = field(factory=list)

    @property
    def namespace(self) -> str:
        return self.ctx.namespace

    @property
    def dry_run(self) -> bool:
        return self.ctx.dry_run

    def take_back(self) -> None:
        """Undo what was chosen, before the write is tried again."""
        while self.choices:
            self.choices.pop()()

    def warn(self, texts: list[str]) -> None:
        for text in texts:
            self.add_warning(text)
