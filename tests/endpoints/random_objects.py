"""Objects of built-in kinds made at random from their types: fields left out, empty, null, repeated, or wrong."""

from __future__ import annotations

from random import Random
from typing import Any

from kube_twisted.schema.types import List, Map, Scalar, Struct, Type

_TEXTS = ("", "a", "x-y", "A", "a b", "é", "\0", "..", "*", "=", "{}", "[", "$(A)", "a" * 64, "http", "TCP", "Always",
          "Never", "In", "Exists", "10.0.0.1", "10.0.0.0/24", "fd00::1", "/tmp", "100%", "kubernetes.io/os",
          "example.com/x", "x.example.com", "v1", "apps/v1", "Pod", "has(object.x)")
_NUMBERS = (0, 1, -1, 2, 80, 65535, 65536, 2**31 - 1, -2**31)
_SCALARS: dict[str, tuple[Any, ...]] = {
    "string": _TEXTS, "bool": (True, False), "int32": _NUMBERS, "int64": (*_NUMBERS, 2**63 - 1, -2**63),
    "float64": (0, 1.5, -2, 1e300), "quantity": ("0", "1", "-1", "1Gi", "100m", "0.1m", "9" * 20, 1, 0.5),
    "int-or-string": (0, 80, -1, "http", "50%", "101%", ""), "duration": ("1s", "-1h", "10000h"),
    "time": ("2026-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", None),
    "micro-time": ("2026-01-01T00:00:00.000000Z", None), "bytes": ("", "eA==", "LS0tLS1CRUdJTiBYLS0tLS0="),
}
_WRONG = (None, 1, 1.5, "x", "", True, [], {}, [None], [{}], {"a": None}, 2**70)
_DEEPEST = 8


class RandomObjects:
    """Makes objects.

    :param often: how likely a field is there.
    :param wrong: how likely a value is of another type.
    """

    def __init__(self, random: Random, often: float, wrong: float) -> None:
        self._random = random
        self._often = often
        self._wrong = wrong

    def value(self, kind: Type, depth: int = 0) -> Any:
        """A value of a type, most of the time."""
        random = self._random
        if depth and random.random() < self._wrong:
            return random.choice(_WRONG)
        if isinstance(kind, Struct):
            return self._struct(kind, depth)
        if isinstance(kind, List):
            items = [self.value(kind.item, depth + 1) for _ in range(random.choice((0, 1, 1, 2)))]
            return items + items[:1] if random.random() < 0.1 else items
        if isinstance(kind, Map):
            return {random.choice(_TEXTS): self.value(kind.value, depth + 1) for _ in range(random.choice((0, 1, 2)))}
        return random.choice(_SCALARS[kind.kind] if isinstance(kind, Scalar) else _WRONG)

    def _struct(self, kind: Struct, depth: int) -> dict[str, Any]:
        often = self._often if depth < _DEEPEST else 0.05
        return {name: self.value(field.type, depth + 1) for name, field in kind.fields.items()
                if name != "managedFields" and self._random.random() < often}
