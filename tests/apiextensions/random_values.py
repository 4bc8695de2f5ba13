"""Structural schemas, and values that are more or less what they ask for, made at random."""

from __future__ import annotations

from random import Random
from typing import Any

Schema = dict[str, Any]

_TEXTS = ("", "a", "b", "x-y", "A", "a b", "é", "\0", "\ud83d\ude00", "..", "10.0.0.1", "10.0.0.0/24", "fd00::1",
          "2026-01-01", "2026-01-01T00:00:00Z", "1h", "eA==", "https://example.com", "1", "true", "null", "a" * 40)
_NUMBERS = (0, 1, -1, 2, 10, 1.0, 0.5, -0.0, 1e21, 1.5e300, 2**53, 2**63 - 1, -2**63)
_WRONG = (None, 1, 1.5, "x", "", True, [], {}, [None], [{}], {"a": None}, [[]], {"x": {"y": [1, {"z": None}]}})
_NAMES = ("a", "b", "c-d", "e.f", "status", "metadata", "kind", "x/y", "")
_FORMATS = ("ipv4", "ipv6", "cidr", "date", "date-time", "duration", "byte", "uri", "uuid", "hostname", "email",
            "password", "int32", "nonsense")
_PATTERNS = ("^a", "[0-9]+$", "^[a-z]*$", "a{2,3}", r"^\w+$", r"^\PZ*$")
_DEEPEST = 4


class RandomSchemas:
    """Makes structural schemas."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._embeds = True

    def root(self) -> Schema:
        """Of a kind. Objects in a status would not be looked at when the status alone is written."""
        properties = {}
        for name in "spec", "status", "data":
            self._embeds = name != "status"
            if self._random.random() < 0.8:
                properties[name] = self.node(1)
        return {"type": "object", "properties": properties}

    def node(self, depth: int) -> Schema:
        """Of a field."""
        random = self._random
        kinds = ["string", "integer", "number", "boolean", "int-or-string", "free"]
        if depth < _DEEPEST:
            kinds += ["object", "map", "array", "object"] + ["embedded"] * self._embeds
        kind = random.choice(kinds)
        made: Schema = getattr(self, f"_{kind.replace('-', '_')}")(depth)
        if random.random() < 0.15:
            made["nullable"] = True
        return made

    def _maybe(self, **choices: tuple[Any, ...]) -> Schema:
        """Some keywords, seldom."""
        return {key: self._random.choice(values) for key, values in choices.items() if self._random.random() < 0.15}

    def _string(self, _depth: int) -> Schema:
        made = {"type": "string", **self._maybe(
            minLength=(0, 1), maxLength=(5, 50), pattern=_PATTERNS, format=_FORMATS, enum=(["", "a", "b"],))}
        if self._random.random() < 0.2:
            made["default"] = made.get("enum", ["a"])[-1] if "format" not in made and "pattern" not in made else None
        return {key: value for key, value in made.items() if value is not None}

    def _integer(self, _depth: int) -> Schema:
        made = {"type": "integer", **self._maybe(minimum=(0, 1, -5), maximum=(10, 100), multipleOf=(2, 3),
                                                 format=("int32", "int64"), exclusiveMaximum=(True,))}
        if self._random.random() < 0.2 and not made.keys() & {"multipleOf", "maximum"}:
            made["default"] = 2
        return made

    def _number(self, _depth: int) -> Schema:
        return {"type": "number", **self._maybe(minimum=(0, -1.5), maximum=(1e6,), format=("double", "float"))}

    def _boolean(self, _depth: int) -> Schema:
        return {"type": "boolean", **self._maybe(default=(True, False))}

    def _int_or_string(self, _depth: int) -> Schema:
        return {"x-kubernetes-int-or-string": True, **self._maybe(default=(1, "50%"), pattern=("^[0-9]+%$",))}

    def _free(self, _depth: int) -> Schema:
        return {"x-kubernetes-preserve-unknown-fields": True, **({"type": "object"} if self._random.random() < 0.5
                                                                else {})}

    def _object(self, depth: int) -> Schema:
        random = self._random
        names = random.sample(_NAMES[:-1], random.randint(0, 4))
        made: Schema = {"type": "object", "properties": {name: self.node(depth + 1) for name in names}}
        if names and random.random() < 0.2:
            made["required"] = [names[0]]
        if random.random() < 0.15:
            made["x-kubernetes-preserve-unknown-fields"] = True
        if random.random() < 0.1:
            made["x-kubernetes-map-type"] = "atomic"
        if random.random() < 0.15 and not made.get("required"):
            made["default"] = {}
        return made

    def _map(self, depth: int) -> Schema:
        return {"type": "object", "additionalProperties": self.node(depth + 1),
                **self._maybe(maxProperties=(1, 3), minProperties=(1,))}

    def _array(self, depth: int) -> Schema:
        kind = self._random.choice(("", "", "atomic", "set", "map"))
        made: Schema = {"type": "array", **self._maybe(maxItems=(1, 3), minItems=(1,))}
        if kind:
            made["x-kubernetes-list-type"] = kind
        if kind == "map":
            item = self._object(depth + 1)
            item.pop("default", None)
            item["properties"]["k"] = {"type": self._random.choice(("string", "integer"))}
            item["required"] = ["k"]
            return {**made, "items": item, "x-kubernetes-list-map-keys": ["k"]}
        made["items"] = {"type": "string"} if kind == "set" else self.node(depth + 1)
        return made

    def _embedded(self, _depth: int) -> Schema:
        return {"type": "object", "x-kubernetes-embedded-resource": True, "x-kubernetes-preserve-unknown-fields": True}


class RandomValues:
    """Makes values of schemas.

    :param often: how likely a field is there.
    :param wrong: how likely a value is of another type.
    """

    def __init__(self, random: Random, often: float, wrong: float) -> None:
        self._random = random
        self._often = often
        self._wrong = wrong

    def value(self, schema: Schema) -> Any:
        """A value of a schema, most of the time."""
        random = self._random
        if random.random() < self._wrong:
            return random.choice(_WRONG)
        if "enum" in schema and random.random() < 0.8:
            return random.choice(schema["enum"])
        if schema.get("x-kubernetes-int-or-string"):
            return random.choice((0, 80, "http", "50%"))
        if schema.get("x-kubernetes-embedded-resource"):
            return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "labels": {"a": "b"}}, "x": 1}
        kind = schema.get("type", "")
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return [self.value(schema["items"]) for _ in range(random.choice((0, 1, 1, 2, 3)))]
        return random.choice({"string": _TEXTS, "integer": _NUMBERS[:5], "number": _NUMBERS,
                              "boolean": (True, False)}.get(kind, _WRONG))

    def _object(self, schema: Schema) -> dict[str, Any]:
        random = self._random
        properties = schema.get("properties") or {}
        made = {name: self.value(one) for name, one in properties.items()
                if name in schema.get("required", ()) or random.random() < self._often}
        if isinstance(schema.get("additionalProperties"), dict):
            made |= {random.choice(_NAMES): self.value(schema["additionalProperties"])
                     for _ in range(random.choice((0, 1, 2)))}
        elif random.random() < 0.2:
            made["unknown"] = random.choice(_WRONG)
        return made
