"""Objects that must be there: created when they are missing."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable

from twisted.internet.defer import DeferredList, FirstError

from kube_twisted.api.errors import StatusError
from kube_twisted.registry.strategy import Obj
from kube_twisted.server.loopback import LoopbackClient
from kube_twisted.util.deferreds import to_deferred


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
    """Do all of it side by side, so that the writes share a transaction; raises the first error."""
    begun = [to_deferred(one) for one in work]
    try:
        await DeferredList(begun, fireOnOneErrback=True, consumeErrors=True)
    except FirstError as error:
        error.subFailure.raiseException()
