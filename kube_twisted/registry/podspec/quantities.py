"""Questions about quantities of resource lists, which are canonical texts such as ``250m`` and ``1Gi``."""

from __future__ import annotations

from functools import lru_cache

from kube_twisted.api.quantity import Quantity

_OVERFLOW = 1 << 64


@lru_cache(maxsize=1024)
def parsed(text: str) -> Quantity:
    """The quantity that a text means; few different ones occur.

    :raises ValueError: it is no quantity.
    """
    return Quantity.parse(text)


def compare(first: str, second: str) -> int:
    """Negative, zero or positive as ``first`` is less than, equal to or more than ``second``."""
    if first == second:
        return 0
    a, b = parsed(first).nanos, parsed(second).nanos
    return (a > b) - (a < b)


def has_fraction(text: str) -> bool:
    """Whether the original takes it for no whole number: it counts thousandths, in 64 bits that may overflow."""
    if not text.isdigit():
        return not parsed(text).is_whole()
    thousandths = int(text) * 1000 % _OVERFLOW
    return min(thousandths, _OVERFLOW - thousandths) % 1000 != 0


def add(first: str, second: str) -> str:
    """The sum, in the notation of ``first``."""
    return str(parsed(first) + parsed(second))


def round_up_to_milli(resources: dict[str, str] | None) -> None:
    """Round up what is finer than a thousandth, in place; a finer unit is the only reason to look closer."""
    if resources:
        for name, text in resources.items():
            if text[-1] in "nu" or "e-" in text:
                resources[name] = str(parsed(text).round_up_milli())


def huge_pages_fit(resource: str, text: str) -> bool:
    """Whether an amount of ``hugepages-<size>`` is a multiple of the page's size."""
    try:
        size = parsed(resource.removeprefix("hugepages-"))
    except ValueError:
        return False
    return size.sign > 0 and size.is_whole() and parsed(text).value() % size.value() == 0
