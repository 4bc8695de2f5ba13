"""What a mutation makes of an object, and what can go wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from kube_twisted.api.gvk import GroupVersionKind
from kube_twisted.schema.apply.plan import MapNode

#: The type of a kind's objects, for merging; None when there is none.
TypeOf = Callable[[GroupVersionKind], MapNode | None]


class PatchFailed(Exception):
    """A mutation can't be made: the text is told to the client, unless the policy may fail."""


@frozen
class Patched:
    """An object as JSON data that shares nothing with what it was made of.

    :ivar strict: whether fields that the kind has not are an error.
    """

    document: Any
    strict: bool
