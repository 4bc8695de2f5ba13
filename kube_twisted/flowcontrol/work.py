"""How many seats a list or a watch takes: by the bytes that it has to have in memory at once.

Source of the rules: apiserver's ``util/flowcontrol/request/list_work_estimator.go``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil

from attrs import frozen

_BYTES_PER_SEAT = 100_000
#: Lists are streamed from the cache: so many bytes at once.
_MOST_BYTES = 1_000_000
#: Seats for one request, whatever the level.
_MOST_SEATS = 100


@frozen
class Stored:
    """How much there is of a resource.

    :ivar size: of an object on the average, in bytes.
    """

    count: int
    size: float


#: Tells what there is of a resource of a group; None when that is not known.
Counter = Callable[[str, str], Stored | None]


def list_seats(stored: Stored | None, query: Mapping[str, list[str]], *, single: bool, most: int) -> int:
    """The seats of a list, or of a watch that begins with one.

    :param single: whether it is about one object by its name.
    :param most: the level's limit for one request, 0 for none.
    """
    if stored is None:
        return 1
    count = stored.count
    limit = query.get("limit", [""])[0]
    if single:
        count = 1
    elif limit.isascii() and limit.isdigit() and 0 < int(limit) < count:
        count = int(limit)
    seats = ceil(min(count * stored.size, _MOST_BYTES) / _BYTES_PER_SEAT)
    return max(1, min(seats, most or _MOST_SEATS, _MOST_SEATS))


def watch_begins_with_list(query: Mapping[str, list[str]]) -> bool:
    """Whether a watch first sends all that there is."""
    if query.get("sendInitialEvents", [""])[0].lower() in ("1", "t", "true"):
        return True
    return query.get("resourceVersion", [""])[0] in ("", "0")
