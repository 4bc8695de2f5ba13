"""Objects that must be there: created when they are missing."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from itertools import islice

from twisted.internet.defer import DeferredList, FirstError

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.deferreds import to_deferred

#: So many writes at a time: more would take more memory, which the process would keep.
_AT_ONCE = 40


async def create_unless_there(client: LoopbackClient, path: str, obj: Obj) -> None:
    """POST an object; that somebody else has made it just now is as good.

    :raises StatusError: for any other refusal.
    """
    try:
        await client.call("POST", path, obj)
    except StatusError as error:
        if error.reason != "AlreadyExists":
            raise


async def all_at_once(work: Iterable[Awaitable[object]]) -> None:
    """Do all of it, much of it side by side, so that writes share transactions; raises the first error."""
    waiting = iter(work)
    while begun := [to_deferred(one) for one in islice(waiting, _AT_ONCE)]:
        try:
            await DeferredList(begun, fireOnOneErrback=True, consumeErrors=True)
        except FirstError as error:
            error.subFailure.raiseException()
