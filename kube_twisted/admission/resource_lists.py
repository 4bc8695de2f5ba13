"""Arithmetic on maps from resource names to quantities."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from kube_twisted.api.quantity import Quantity

ResourceList = dict[str, Quantity]

ZERO = Quantity(0)
ONE = Quantity.of(1)


def parse_list(resources: Mapping[str, str] | None) -> ResourceList:
    """A ``ResourceList`` as it stands in an object."""
    return {name: Quantity.parse(text) for name, text in resources.items()} if resources else {}


def show_list(resources: ResourceList) -> dict[str, str]:
    """Back to the form in objects."""
    return {name: str(quantity) for name, quantity in resources.items()}


def add_to(total: ResourceList, more: Mapping[str, Quantity]) -> None:
    """Add in place."""
    for name, quantity in more.items():
        total[name] = total[name] + quantity if name in total else quantity


def raise_to(total: ResourceList, more: Mapping[str, Quantity]) -> None:
    """Take the greater of both, in place."""
    for name, quantity in more.items():
        if name not in total or quantity > total[name]:
            total[name] = quantity


def greatest(lists: Iterable[Mapping[str, Quantity]]) -> ResourceList:
    """The greatest of each resource."""
    total: ResourceList = {}
    for one in lists:
        raise_to(total, one)
    return total


def total_of(one: Mapping[str, Quantity], other: Mapping[str, Quantity]) -> ResourceList:
    total = dict(one)
    add_to(total, other)
    return total


def only(resources: Mapping[str, Quantity], names: Collection[str]) -> ResourceList:
    """Those of the list that are named."""
    return {name: quantity for name, quantity in resources.items() if name in names}


def more_than_before(now: Mapping[str, Quantity], before: Mapping[str, Quantity]) -> ResourceList:
    """By how much each resource grew; zero for what shrank."""
    return {name: max(now.get(name, ZERO) - before.get(name, ZERO), ZERO) for name in {**now, **before}}


def describe(resources: Mapping[str, Quantity]) -> str:
    """``cpu=1,memory=2Gi``, by name."""
    return ",".join(f"{name}={resources[name]}" for name in sorted(resources))
