"""Decodes a JSON value into a kind and writes it back, as Go's decoder and encoder together would.

One pass over the value: nulls go, types are checked, leaves are brought into their canonical form, fields
that Go leaves out when empty go, those that it always writes come, and fields stand in Go's order. Structs
are prepared once. When something is wrong the pass only notices; ``schema/strict.py`` finds out what.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any

from kube_twisted.schema.builtin import SchemaOr
from kube_twisted.schema.leaves import DECODERS, NEVER_EMPTY, ZEROS, Decoder, Mismatch
from kube_twisted.schema.shapes import Keys, Shapes
from kube_twisted.schema.strict import inspect
from kube_twisted.schema.types import Field, List, Map, Scalar, Struct, Type, Untyped

#: Key, type of values that stay as they are, decoder, whether an empty value is kept, what stands for a missing one.
_Step = tuple[str, type | None, Decoder, bool, Callable[[], Any] | None]
_PLAIN = {"string": str, "bool": bool}
_by_key = itemgetter(0)


class DecodeError(ValueError):
    """The value does not fit the kind; the message is the original's."""


def decode(struct: Struct, value: Any, unknown: list[str] | None = None) -> dict[str, Any]:
    """Decode a JSON value into a struct.

    The result shares nothing with the value that may be changed, but untyped parts.

    :param unknown: gets a message for each field that the kind does not have, in the original's order.
    :raises DecodeError: when the value does not fit.
    """
    if value is None:
        value = {}
    names: list[str] | None = None if unknown is None else []
    try:
        result: dict[str, Any] = decoder_of(struct)(value, names)
    except ValueError as error:
        raise DecodeError(inspect(struct, value).error or str(error)) from None
    if names and unknown is not None:
        unknown.extend(inspect(struct, value).messages)
    return result


def canonical(struct: Struct, obj: dict[str, Any]) -> dict[str, Any]:
    """Bring an object back into the form that is stored and answered, after a patch or defaulting.

    :raises DecodeError: when it does not fit the kind any more.
    """
    return decode(struct, obj)


@lru_cache(maxsize=4096)
def decoder_of(struct: Struct) -> Decoder:
    """The prepared decoder of a struct; its fields are looked at when it is first used."""
    plans = Shapes(partial(_plan, struct))

    def decode_struct(value: Any, unknown: list[str] | None) -> dict[str, Any]:
        if type(value) is not dict:
            raise Mismatch
        steps, strange = plans[tuple(value)]
        if strange and unknown is not None:
            unknown += strange
        result: dict[str, Any] = {}
        for key, plain, decoder, keep, zero in steps:
            item = value.get(key)
            if item is None:
                if zero is not None:
                    result[key] = zero()
            else:
                if type(item) is not plain:
                    item = decoder(item, unknown)
                if keep or item:
                    result[key] = item
        return result

    return decode_struct


def _plan(struct: Struct, keys: Keys) -> tuple[list[_Step], list[str]]:
    """How to decode a value with these keys: the fields that may come out, and the keys that are no fields."""
    given = frozenset(keys)
    steps = [step for step in _steps(struct) if step[0] in given or step[4] is not None]
    return steps, [key for key in keys if key not in struct.fields]


@lru_cache(maxsize=4096)
def _steps(struct: Struct) -> list[_Step]:
    """All fields, in Go's order."""
    return [(field.name, _plain_type(field.type), _decoder_of_field(field), _keeps_empty(field), _missing(field))
            for field in struct.fields.values()]


def _plain_type(kind: Type) -> type | None:
    """The Python type whose values are decoded as they are."""
    return _PLAIN.get(kind.kind) if isinstance(kind, Scalar) else None


def _missing(field: Field) -> Callable[[], Any] | None:
    """Makes what Go writes for the field when it is not there; None if it writes nothing."""
    if not _keeps_empty(field) or (field.pointer and field.omit_empty):
        return None
    return _nothing if field.pointer else _zero_of(field.type)


def _keeps_empty(field: Field) -> bool:
    """Whether Go writes the field even when its value is empty."""
    if field.pointer or not field.omit_empty:
        return True
    if field.omit_zero:
        return False
    kind = field.type
    return isinstance(kind, Struct | Untyped) or (isinstance(kind, Scalar) and kind.kind in NEVER_EMPTY)


def _decoder_of_field(field: Field) -> Decoder:
    if not (field.omit_zero and isinstance(field.type, Struct)):
        return _decoder_of(field.type)
    inner, zero = _decoder_of(field.type), _zero_of(field.type)

    def decode_unless_zero(value: Any, unknown: list[str] | None) -> Any:
        result = inner(value, unknown)
        return None if result == zero() else result

    return decode_unless_zero


def _decoder_of(kind: Type) -> Decoder:
    match kind:
        case Scalar():
            return DECODERS[kind.kind]
        case Struct():
            return decoder_of(kind)
        case List():
            return _strings if _is_string(kind.item) else _list_decoder(kind.item)
        case Map():
            return _string_map if _is_string(kind.value) else _map_decoder(kind.value)
        case SchemaOr():
            return _schema_decoder(kind)
        case _:
            return _untouched


def _zero_of(kind: Type) -> Callable[[], Any]:
    """Makes what Go writes for a field, item or map value that nothing was decoded into."""
    if isinstance(kind, Struct):
        inner = decoder_of(kind)
        return lambda: inner({}, None)
    zero = ZEROS[kind.kind] if isinstance(kind, Scalar) else None
    return lambda: zero


def _nothing() -> None:
    return None


def _untouched(value: Any, _: list[str] | None) -> Any:
    return value


def _is_string(kind: Type) -> bool:
    return isinstance(kind, Scalar) and kind.kind == "string"


def _strings(value: Any, _: list[str] | None) -> list[str]:
    if type(value) is not list:
        raise Mismatch
    for item in value:
        if type(item) is not str:
            return ["" if item is None else DECODERS["string"](item, None) for item in value]
    return value.copy()


def _string_map(value: Any, _: list[str] | None) -> dict[str, str]:
    """Go writes maps with their keys sorted."""
    if type(value) is not dict:
        raise Mismatch
    for item in value.values():
        if type(item) is not str:
            value = {key: "" if one is None else DECODERS["string"](one, None) for key, one in value.items()}
            break
    return value.copy() if len(value) < 2 else dict(sorted(value.items()))


def _list_decoder(item_type: Type) -> Decoder:
    item_decoder, zero = _decoder_of(item_type), _zero_of(item_type)

    def decode_list(value: Any, unknown: list[str] | None) -> list[Any]:
        if type(value) is not list:
            raise Mismatch
        return [zero() if item is None else item_decoder(item, unknown) for item in value]

    return decode_list


def _map_decoder(value_type: Type) -> Decoder:
    value_decoder, zero = _decoder_of(value_type), _zero_of(value_type)
    if isinstance(value_type, Scalar) and value_type.kind == "bytes":
        zero = str

    def decode_map(value: Any, unknown: list[str] | None) -> dict[str, Any]:
        if type(value) is not dict:
            raise Mismatch
        return {key: zero() if item is None else value_decoder(item, unknown)
                for key, item in sorted(value.items(), key=_by_key)}

    return decode_map


def _schema_decoder(kind: SchemaOr) -> Decoder:
    """Unknown fields inside such a schema are dropped without a word."""
    def decode_schema(value: Any, _: list[str] | None) -> Any:
        if type(value) is dict:
            return decoder_of(kind.schema)(value, None)
        if kind.other == "bool":
            return DECODERS["bool"](value, None)
        if type(value) is not list or not value:
            return None
        return _strings(value, None) if kind.other == "strings" else _list_decoder(kind.schema)(value, None)

    return decode_schema
