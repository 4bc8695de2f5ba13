"""How many seats each priority level has: nominally, at least, at most, and at the moment, as levels lend each other.

Source of the rules: KEP-1040, "Assured Concurrency Shares" and "Borrowing".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from attrs import frozen

#: A level that wants nothing still counts a little, so that what is left over can be shared out.
_LEAST_TARGET = 0.001


@frozen
class Limits:
    """Numbers of seats.

    :ivar nominal: the level's share of the server's.
    :ivar lower: what others can't borrow.
    :ivar upper: with all that it may borrow.
    """

    nominal: int
    lower: int
    upper: int


def limits_of(specs: Mapping[str, Mapping[str, Any]], server_limit: int) -> dict[str, Limits]:
    """The limits of all levels, by name.

    :param specs: of the PriorityLevelConfigurations, by name.
    :param server_limit: how many seats the server has in all.
    """
    settings = {name: spec.get("limited") or spec.get("exempt") or {} for name, spec in specs.items()}
    shares = sum(one.get("nominalConcurrencyShares", 0) for one in settings.values())
    return {name: _limits(one, server_limit, shares) for name, one in settings.items()}


def _limits(settings: Mapping[str, Any], server_limit: int, all_shares: int) -> Limits:
    shares = settings.get("nominalConcurrencyShares", 0)
    nominal = ceil(server_limit * shares / all_shares) if all_shares else 0
    lendable = _half_up(nominal * settings.get("lendablePercent", 0) / 100)
    borrowing = settings.get("borrowingLimitPercent")
    borrowed = server_limit if borrowing is None else _half_up(nominal * borrowing / 100)
    return Limits(nominal, nominal - lendable, nominal + borrowed)


def _half_up(number: float) -> int:
    return int(number + 0.5)


@frozen
class Demand:
    """How many seats a level should get.

    :ivar peak: how many it could have used at once, lately.
    :ivar smoothed: the same over a longer time.
    """

    limits: Limits
    peak: int
    smoothed: float = 0.0

    @property
    def floor(self) -> int:
        """What it keeps in any case as long as it uses it."""
        return max(self.limits.lower, min(self.limits.nominal, self.peak))

    @property
    def target(self) -> float:
        return max(self.floor, self.smoothed)


def current_limits(limited: Sequence[Demand], seats: int, exempt: int) -> list[int]:
    """How many seats each level that is limited has until the next look.

    :param seats: the nominal ones of all levels together.
    :param exempt: how many of them levels use that are not limited.
    """
    available = seats - exempt
    lowest = sum(one.limits.lower for one in limited)
    floors = sum(one.floor for one in limited)
    if available <= lowest:
        return [one.limits.lower for one in limited]
    if available <= floors:
        fraction = (available - lowest) / (floors - lowest)
        return [one.limits.lower + _half_up((one.floor - one.limits.lower) * fraction) for one in limited]
    return _in_proportion(limited, seats)


def _in_proportion(limited: Sequence[Demand], seats: int) -> list[int]:
    """Each its target times a number that is the same for all, within its bounds, so that all is given away."""
    targets = [max(one.target, _LEAST_TARGET) for one in limited]
    bounds = [(one.floor, one.limits.upper) for one in limited]

    def given(factor: float) -> list[float]:
        return [min(max(factor * target, low), high) for target, (low, high) in zip(targets, bounds, strict=True)]

    corners = sorted({bound / target for target, pair in zip(targets, bounds, strict=True) for bound in pair})
    before, given_before = 0.0, float(sum(low for low, _ in bounds))
    for corner in corners:
        here = sum(given(corner))
        if here >= seats:
            rising = here - given_before
            factor = before + (corner - before) * (seats - given_before) / rising if rising else corner
            return [_half_up(one) for one in given(factor)]
        before, given_before = corner, here
    return [high for _, high in bounds]
