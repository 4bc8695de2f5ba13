"""The grammar of protobuf: variable-length numbers, tags, and reading over fields that nobody knows.

Source of the rules: https://protobuf.dev/programming-guides/encoding/; the errors are worded as the original's.
"""

from __future__ import annotations

from collections.abc import Iterator

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
_FIXED_SIZES = {FIXED64: 8, FIXED32: 4}
_LONGEST_VARINT = 10
_MASK = 0xFFFF_FFFF_FFFF_FFFF


class WireError(ValueError):
    """The bytes are no message of the expected type."""


def end_of_input() -> WireError:
    """The bytes end too early."""
    return WireError("unexpected EOF")


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


#: Numbers below this many have their bytes ready.
KNOWN = 2048
SIZES = [_varint(number) for number in range(KNOWN)]


def varint(value: int) -> bytes:
    """A number; a negative one is as an unsigned number of 64 bits."""
    return SIZES[value] if 0 <= value < KNOWN else _varint(value & _MASK)


def tag(number: int, wire_type: int) -> bytes:
    """What stands in front of a field."""
    return varint(number << 3 | wire_type)


def sized(content: bytes) -> bytes:
    """Text, bytes or a message, with its length in front."""
    return varint(len(content)) + content


def read_varint(buffer: bytes, at: int) -> tuple[int, int]:
    """The number at an offset, and the offset behind it.

    :raises IndexError: at the end of the buffer.
    :raises WireError: for a number that is too long.
    """
    first = buffer[at]
    if first < 0x80:
        return first, at + 1
    second = buffer[at + 1]
    if second < 0x80:
        return first & 0x7F | second << 7, at + 2
    value = first & 0x7F | (second & 0x7F) << 7
    for offset in range(2, _LONGEST_VARINT):
        byte = buffer[at + offset]
        value |= (byte & 0x7F) << 7 * offset
        if byte < 0x80:
            return value & _MASK, at + offset + 1
    raise WireError("proto: integer overflow")


def skip(buffer: bytes, at: int, wire_type: int) -> int:
    """The offset behind the value of an unknown field.

    :raises WireError: for a type of value that there is not.
    """
    if wire_type == VARINT:
        return read_varint(buffer, at)[1]
    if wire_type == BYTES:
        size, at = read_varint(buffer, at)
        return at + size
    if wire_type in _FIXED_SIZES:
        return at + _FIXED_SIZES[wire_type]
    raise WireError(f"proto: illegal wireType {wire_type}")


def read_fields(buffer: bytes, at: int, end: int) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a small message: the number of each, and a number or bytes.

    :raises WireError: for bytes that are no message.
    """
    while at < end:
        key, at = read_varint(buffer, at)
        value: int | bytes
        if key & 7 == VARINT:
            value, after = read_varint(buffer, at)
        else:
            after = skip(buffer, at, key & 7)
            start = read_varint(buffer, at)[1] if key & 7 == BYTES else at
            value = buffer[start:after]
        if after > end:
            raise end_of_input()
        if not key >> 3:
            raise WireError(f"proto: illegal tag 0 (wire type {key & 7})")
        yield key >> 3, value
        at = after
