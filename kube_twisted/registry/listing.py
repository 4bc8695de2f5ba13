"""Lists with their resourceVersion semantics and continue tokens.

Source of the rules: the Kubernetes documentation, "API Concepts: Resource versions" and "Retrieving large results
sets in chunks".
"""

from __future__ import annotations

from typing import Any

from attrs import frozen
from twisted.internet.defer import Deferred

from kube_twisted.api import errors
from kube_twisted.api.field import go_quote
from kube_twisted.registry.continue_token import decode_token, encode_token
from kube_twisted.storage.cached import CachedObject
from kube_twisted.storage.interfaces import CompactedError, FutureRevisionError
from kube_twisted.storage.selection import Selection
from kube_twisted.storage.watch_cache import WatchCache
from kube_twisted.util.clock import Clock

#: How long a read waits for a revision that is not there yet, in seconds.
WAIT_FOR_REVISION = 3.0
_POLL = 0.05
_INCONSISTENT = -1
#: More than any 64 bit number has.
_DIGITS = 21
EXPIRED = "The resourceVersion for the provided list is too old."
EXPIRED_CONTINUE = (
    "The provided continue parameter is too old to display a consistent list result. You can start a new list without "
    "the continue parameter, or use the continue token in this response to retrieve the remainder of the results. "
    "Continuing with the provided token results in an inconsistent list - objects that were created, modified, or "
    "deleted between the time the first chunk was returned and now may show up in the list.")


@frozen
class ListResult:
    """A list's objects and its ListMeta."""

    items: list[CachedObject]
    revision: int
    continue_token: str = ""
    remaining: int | None = None

    def metadata(self) -> dict[str, Any]:
        meta: dict[str, Any] = {"resourceVersion": str(self.revision)}
        if self.continue_token:
            meta["continue"] = self.continue_token
        if self.remaining is not None:
            meta["remainingItemCount"] = self.remaining
        return meta


def parse_revision(text: str) -> int:
    """A resourceVersion parameter; empty is 0.

    :raises ValueError: worded as the original's.
    """
    if not text:
        return 0
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"resourceVersion: Invalid value: {go_quote(text)}: strconv.ParseUint: "
                         f"parsing {go_quote(text)}: invalid syntax")
    significant = text.lstrip("0") or "0"
    value = int(significant[:_DIGITS])
    if len(significant) >= _DIGITS or value >= 1 << 64:
        raise ValueError(f"resourceVersion: Invalid value: {go_quote(text)}: strconv.ParseUint: "
                         f"parsing {go_quote(text)}: value out of range")
    return value


async def wait_for_revision(cache: WatchCache, clock: Clock, revision: int) -> None:
    """Wait until the cache shows ``revision``.

    :raises StatusError: 504 when it does not in time.
    """
    deadline = clock.seconds() + WAIT_FOR_REVISION
    while cache.revision < revision:
        if clock.seconds() >= deadline:
            raise errors.too_large_resource_version(revision, cache.revision)
        pause: Deferred[None] = Deferred()
        clock.call_later(_POLL, pause.callback, None)
        await pause


async def list_objects(cache: WatchCache, clock: Clock, selection: Selection, options: dict[str, Any]) -> ListResult:
    """Answer a list; ``options`` is a validated ListOptions.

    :raises StatusError: 400 for a bad token or revision, 410 for one that is gone, 504 for one in the future.
    """
    version, match = options.get("resourceVersion", ""), options.get("resourceVersionMatch", "")
    limit = max(options.get("limit") or 0, 0)
    token = options.get("continue", "")
    if token:
        return await _next_chunk(cache, selection, token, version, limit)
    try:
        revision = parse_revision(version)
    except ValueError as error:
        raise errors.bad_request(f"invalid resource version: {error}") from None
    if match == "Exact" or (revision and limit and not match and not cache.names_one(selection)):
        await wait_for_revision(cache, clock, revision)
        return await _at(cache, selection, revision, "", limit)
    if revision:
        await wait_for_revision(cache, clock, revision)
    elif version == "0":
        limit = 0
    else:
        await cache.read_revision()
    shown = cache.revision
    items, more, left = cache.select(selection, "", limit)
    return _result(cache, selection, items, more, left, shown, shown)


async def _at(cache: WatchCache, selection: Selection, revision: int, start: str, limit: int) -> ListResult:
    try:
        items, more, left = await cache.list_at(revision, selection, start, limit)
    except CompactedError:
        raise errors.resource_expired(EXPIRED) from None
    except FutureRevisionError as error:
        raise errors.too_large_resource_version(error.asked, error.current) from None
    return _result(cache, selection, items, more, left, revision, revision)


async def _next_chunk(cache: WatchCache, selection: Selection, token: str, version: str, limit: int) -> ListResult:
    revision, start = decode_token(token, cache.prefix_of(selection))
    if version not in ("", "0"):
        raise errors.bad_request("specifying resource version is not allowed when using continue")
    if version == "0":
        limit = 0
    if revision < 0:
        shown = cache.revision
        items, more, left = cache.select(selection, start, limit)
        return _result(cache, selection, items, more, left, shown, shown)
    try:
        items, more, left = await cache.list_at(revision, selection, start, limit)
    except CompactedError:
        expired = errors.resource_expired(EXPIRED_CONTINUE)
        expired.list_meta = {"continue": encode_token(_INCONSISTENT, start, cache.prefix_of(selection))}
        raise expired from None
    except FutureRevisionError as error:
        raise errors.too_large_resource_version(error.asked, error.current) from None
    return _result(cache, selection, items, more, left, revision, revision)


def _result(cache: WatchCache, selection: Selection, items: list[CachedObject], more: bool, left: int,
            shown: int, snapshot: int) -> ListResult:
    if not more:
        return ListResult(items, shown)
    token = encode_token(snapshot, items[-1].key + "\0", cache.prefix_of(selection))
    return ListResult(items, shown, token, left if selection.everything else None)
