"""How one setting is read from YAML: a function per type, and the field that ties it to its key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, TypeVar

import attrs

T = TypeVar("T")

#: Turns a YAML value into a setting's. :raises ValueError: saying what the value must be.
Reader = Callable[[Any], T]

#: Names in the metadata of attrs fields.
KEY, READER, SECTION = "key", "reader", "section"
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(h|ms|m|s)")
_UNIT_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_HOST = re.compile(r"[A-Za-z0-9*][A-Za-z0-9.-]*|[0-9A-Fa-f:.]+")
_SIZE = re.compile(r"(\d+)(Ki|Mi|Gi)?")
#: The fewest addresses that Services can do with; kube-apiserver's limit.
_FEWEST_ADDRESSES = 8
_UNIT_BYTES = {None: 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


def setting(key: str, default: T, reader: Reader[T]) -> T:
    """An attrs field that is read from ``key`` of its section by ``reader``."""
    return attrs.field(default=default, metadata={KEY: key, READER: reader})


def section(key: str, settings: Callable[[], T]) -> T:
    """An attrs field that holds the settings below ``key``, by default all of their defaults."""
    return attrs.field(factory=settings, metadata={KEY: key, SECTION: settings})


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("must be a list of texts")
    return tuple(value)


def patterns(value: Any) -> tuple[re.Pattern[str], ...]:
    """A list of regular expressions."""
    try:
        return tuple(re.compile(one) for one in texts(value))
    except re.error as error:
        raise ValueError(f"must be a list of regular expressions ({error})") from None


def host(value: Any) -> str:
    """A DNS name or an IP address, or empty text for none."""
    if isinstance(value, str) and (value == "" or _HOST.fullmatch(value)):
        return value
    raise ValueError("must be a DNS name or an IP address")


def hosts(value: Any) -> tuple[str, ...]:
    """A list of DNS names and IP addresses."""
    words = texts(value)
    if not all(words):
        raise ValueError("must be a list without empty names")
    return tuple(host(one) for one in words)


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def whole(minimum: int, maximum: int | None = None) -> Reader[int]:
    """A whole number from ``minimum`` to ``maximum``."""
    wanted = f"from {minimum} to {maximum}" if maximum is not None else f"of at least {minimum}"

    def read(value: Any) -> int:
        number = isinstance(value, int) and not isinstance(value, bool)
        if number and minimum <= value and (maximum is None or value <= maximum):
            return int(value)
        raise ValueError(f"must be a whole number {wanted}")

    return read


def choice(*allowed: str) -> Reader[str]:
    """One of a few words."""

    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError("must be one of " + ", ".join(allowed))
        return str(value)

    return read


def choices(*allowed: str) -> Reader[tuple[str, ...]]:
    """A list of some of a few words, each at most once."""

    def read(value: Any) -> tuple[str, ...]:
        words = texts(value)
        if len(set(words)) < len(words) or not set(words) <= set(allowed):
            raise ValueError("must be a list of some of " + ", ".join(allowed))
        return words

    return read


def duration(value: Any) -> float:
    """Seconds, or text as Go writes durations: ``60s``, ``1h30m``."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
        return float(value)
    if isinstance(value, str) and re.fullmatch(f"(?:{_DURATION_PART.pattern})+", value):
        return sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _DURATION_PART.findall(value))
    raise ValueError("must be a duration such as 60s or 1h30m")


def size(value: Any) -> int:
    """Bytes, or text such as ``3Mi``."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if isinstance(value, str) and (match := _SIZE.fullmatch(value)):
        return int(match[1]) * _UNIT_BYTES[match[2]]
    raise ValueError("must be a size in bytes such as 3Mi")


def path(value: Any) -> Path:
    if not isinstance(value, str) or not value:
        raise ValueError("must be a path")
    return Path(value)


def optional_path(value: Any) -> Path | None:
    """A path, or empty text for none."""
    return None if value in ("", None) else path(value)


def address(value: Any) -> str:
    """An IP address."""
    try:
        return str(ip_address(text(value)))
    except ValueError:
        raise ValueError("must be an IP address") from None


def optional(reader: Reader[str]) -> Reader[str]:
    """What ``reader`` reads, or empty text for none."""
    return lambda value: "" if value in ("", None) else reader(value)


def network(value: Any) -> str:
    """An IP range in CIDR notation, without host bits and not too small."""
    try:
        addresses = ip_network(text(value))
    except ValueError:
        raise ValueError("must be an IP range such as 10.0.0.0/24") from None
    if addresses.num_addresses < _FEWEST_ADDRESSES:
        raise ValueError(f"must be an IP range of at least {_FEWEST_ADDRESSES} addresses")
    return str(addresses)


def port_range(value: Any) -> tuple[int, int]:
    """First and last port, both included, written ``30000-32767``."""
    match = re.fullmatch(r"(\d{1,5})-(\d{1,5})", value) if isinstance(value, str) else None
    if match is None or not 0 < int(match[1]) <= int(match[2]) <= 65535:
        raise ValueError("must be a range of ports such as 30000-32767")
    return int(match[1]), int(match[2])


def switches(value: Any) -> Mapping[str, bool]:
    """A map from names to true or false."""
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ValueError("must be a map from names to true or false")
    for key, one in value.items():
        if not isinstance(one, bool):
            raise ValueError(f"{key} must be true or false")
    return dict(value)
