"""Types of expressions, and how messages name them."""

from __future__ import annotations

from attrs import frozen

#: Kinds whose values have a fixed size.
SCALARS = frozenset({"bool", "double", "duration", "int", "timestamp", "uint"})
_FORMATTED = {"null_type": "null", "timestamp": "timestamp", "duration": "duration", "error": "!error!"}


@frozen(cache_hash=True)
class Type:
    """A type. Equal types are the same type.

    :ivar kind: what sort of type this is: ``int``, ``list``, ``struct``, ``opaque``, ``param`` ...
    :ivar name: what ``type(x)`` is called at run time.
    """

    kind: str
    name: str
    params: tuple[Type, ...] = ()

    def __str__(self) -> str:
        if self.kind in _FORMATTED:
            return _FORMATTED[self.kind]
        if not self.params:
            return self.name
        return f"{self.name}({', '.join(map(str, self.params))})"


BOOL = Type("bool", "bool")
BYTES = Type("bytes", "bytes")
DOUBLE = Type("double", "double")
DURATION = Type("duration", "google.protobuf.Duration")
DYN = Type("dyn", "dyn")
ERROR = Type("error", "error")
INT = Type("int", "int")
NULL = Type("null_type", "null_type")
STRING = Type("string", "string")
TIMESTAMP = Type("timestamp", "google.protobuf.Timestamp")
TYPE = Type("type", "type")
UINT = Type("uint", "uint")


def list_of(element: Type) -> Type:
    return Type("list", "list", (element,))


def map_of(key: Type, value: Type) -> Type:
    return Type("map", "map", (key, value))


def optional_of(value: Type) -> Type:
    return Type("opaque", "optional_type", (value,))


def struct(name: str) -> Type:
    """An object type, known by its name."""
    return Type("struct", name)


def opaque(name: str) -> Type:
    return Type("opaque", name)


def param(name: str) -> Type:
    """A type parameter of a function's declaration, or a type still to be found out."""
    return Type("param", name)


def type_of(value: Type) -> Type:
    """The type of a type."""
    return Type("type", "type", (value,))


def unwrap_optional(found: Type) -> tuple[Type, bool]:
    """What an optional holds, and whether it is one."""
    if found.kind == "opaque" and found.name == "optional_type":
        return found.params[0], True
    return found, False


def is_scalar(found: Type) -> bool:
    """Whether a value's size is known from its type alone."""
    held, _ = unwrap_optional(found)
    return held.kind in SCALARS if held is found else is_scalar(held)


def format_signature(args: list[Type], is_method: bool) -> str:
    """The arguments of a call, as in ``string.(int, int)``."""
    target = f"{args[0]}." if is_method else ""
    return f"{target}({', '.join(map(str, args[1:] if is_method else args))})"
