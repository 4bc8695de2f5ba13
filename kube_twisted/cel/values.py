"""Values at run time.

Most are plain Python: None, bool, int, float, str, bytes, list and dict. An unsigned integer is a ``UInt``; times,
optionals and the values of libraries have classes of their own. Lists and maps that follow a schema are ``ListValue``
and ``MapValue``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from attrs import field, frozen

from kube_twisted.cel.errors import CelError, no_such_overload

INT_MIN, INT_MAX, UINT_MAX = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1

#: Stands for what is not there.
MISSING: Any = object()


class UInt(int):
    """An unsigned integer of 64 bits."""

    __slots__ = ()


@frozen
class Timestamp:
    """A moment, in nanoseconds since 1970 in UTC.

    :ivar offset: the zone that it is written in, in minutes east of UTC.
    """

    nanoseconds: int
    offset: int = field(default=0, eq=False)


@frozen
class Duration:
    """A length of time in nanoseconds."""

    nanoseconds: int


@frozen
class TypeValue:
    """What ``type(x)`` gives."""

    name: str


@frozen(eq=False)
class Optional:
    """A value that may be absent; ``MISSING`` then."""

    value: Any = MISSING

    @property
    def present(self) -> bool:
        return self.value is not MISSING


NONE = Optional()


class ListValue(ABC):
    """A list that isn't a Python list."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, index: int) -> Any: ...

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    @abstractmethod
    def equals(self, other: Any) -> bool: ...

    @abstractmethod
    def plus(self, other: Any) -> Any: ...


class MapValue(ABC):
    """A map, or an object with fields, that isn't a Python dict."""

    __slots__ = ()

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __iter__(self) -> Iterator[Any]: ...

    @abstractmethod
    def find(self, key: Any) -> Any:
        """The value of a key, or ``MISSING``."""

    @abstractmethod
    def equals(self, other: Any) -> bool: ...


class Foreign(ABC):
    """A value of a library: it knows its own type."""

    __slots__ = ()
    #: As ``type(x)`` names it.
    type_name = ""

    @abstractmethod
    def equals(self, other: Any) -> bool: ...

    def size(self) -> int:
        """How much the value counts when costs are reckoned."""
        return 1


Lists = (list, ListValue)
Maps = (dict, MapValue)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and value is not True and value is not False


def find(container: Any, key: Any) -> Any:
    """The value of a map's key, or ``MISSING``. Keys that are equal numbers are the same, whatever their type."""
    if isinstance(container, MapValue):
        return container.find(key)
    if type(key) is str:
        return container.get(key, MISSING)
    if not isinstance(key, (int, float)):
        return MISSING
    for one, value in container.items():
        if equal(one, key):
            return value
    return MISSING


def entries(container: Any) -> Iterator[tuple[Any, Any]]:
    """Keys and values of a map."""
    return iter(container.items()) if isinstance(container, dict) else ((key, container.find(key)) for key in container)


def equal(first: Any, second: Any) -> bool:
    """Equality of any two values; those of different types are unequal, but numbers compare by value.

    :raises CelError: a list or object of a schema is compared with something else.
    """
    if first is None or second is None:
        return first is second
    if first is True or first is False or second is True or second is False:
        return first is second
    if isinstance(first, (ListValue, MapValue, Foreign)):
        return first.equals(second)
    if isinstance(first, list):
        return isinstance(second, Lists) and _equal_lists(first, second)
    if isinstance(first, dict):
        return isinstance(second, Maps) and _equal_maps(first, second)
    if isinstance(first, Optional):
        return isinstance(second, Optional) and _equal_optionals(first, second)
    if isinstance(second, (ListValue, MapValue, Foreign)):
        return False
    return bool(first == second)


def _equal_lists(first: Any, second: Any) -> bool:
    return len(first) == len(second) and all(equal(one, two) for one, two in zip(first, second, strict=True))


def _equal_maps(first: Any, second: Any) -> bool:
    if len(first) != len(second):
        return False
    for key, value in entries(first):
        other = find(second, key)
        if other is MISSING or not equal(value, other):
            return False
    return True


def _equal_optionals(first: Optional, second: Optional) -> bool:
    if not first.present or not second.present:
        return first.present == second.present
    return equal(first.value, second.value)


def compare(first: Any, second: Any) -> int:
    """-1, 0 or 1.

    :raises CelError: the values have no order.
    """
    if first != first or (is_number(first) and second != second):
        raise CelError("NaN values cannot be ordered")
    if is_number(first) and is_number(second):
        pass
    elif type(first) is not type(second):
        raise no_such_overload()
    elif isinstance(first, (Timestamp, Duration)):
        first, second = first.nanoseconds, second.nanoseconds
    elif not isinstance(first, (bool, str, bytes)):
        raise no_such_overload()
    return -1 if first < second else 1 if first > second else 0
