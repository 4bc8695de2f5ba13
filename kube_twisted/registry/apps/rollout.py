"""Numbers and percentages of rolling updates, and counts of replicas in statuses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kube_twisted.api.field import FieldError, invalid
from kube_twisted.api.names import percent
from kube_twisted.registry.rules import messages, non_negative

Obj = dict[str, Any]
Errors = list[FieldError]
IntOrString = int | str


def validate_amount(path: str, amount: IntOrString) -> Errors:
    """A number that is not negative, or a percentage."""
    if isinstance(amount, str):
        return messages(path, amount, percent(amount))
    return non_negative(path, amount)


def amount_of(amount: IntOrString) -> int:
    """The number, of a percentage too; 0 for a text that is none."""
    if isinstance(amount, int):
        return amount
    return int(amount[:-1]) if not percent(amount) else int(amount) if amount.lstrip("+-").isdecimal() else 0


def not_above_all(path: str, amount: IntOrString) -> Errors:
    """At most 100%."""
    if isinstance(amount, str) and not percent(amount) and amount_of(amount) > 100:
        return [invalid(path, amount, "must not be greater than 100%")]
    return []


def validate_counts(status: Obj, names: Iterable[str]) -> Errors:
    """No count in a status is negative."""
    return [error for name in names if name in status
            for error in non_negative(f"status.{name}", status[name])]


def validate_at_most_replicas(status: Obj, names: Iterable[str]) -> Errors:
    """No count in a status is larger than that of all replicas."""
    replicas = status.get("replicas", 0)
    counts = {name: status.get(name, 0) for name in names}
    return [invalid(f"status.{name}", count, "cannot be greater than status.replicas")
            for name, count in counts.items() if count > replicas]


def validate_available(status: Obj, ready: str) -> Errors:
    """What is available is ready; ``ready`` is how the message names it."""
    available = status.get("availableReplicas", 0)
    if available > status.get("readyReplicas", 0):
        return [invalid("status.availableReplicas", available, f"cannot be greater than {ready}")]
    return []


def validate_collisions(status: Obj, old: Obj) -> Errors:
    """The count of name collisions only grows."""
    if "collisionCount" in old and status.get("collisionCount", -1) < old["collisionCount"]:
        return [invalid("status.collisionCount", status.get("collisionCount", 0), "cannot be decremented")]
    return []
