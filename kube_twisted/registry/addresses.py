"""IP addresses and CIDRs in fields: parsing as Go does it, strict validation, warnings about odd spellings.

Rules: KEP-4858 (strict IP and CIDR validation, on since 1.36).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache

from kube_twisted.api.field import FieldError, go_quote, invalid

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_BAD_IP = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
_BAD_CIDR = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
_BAD_INTERFACE = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)"
_LEADING_ZERO = re.compile(r"(?:^|\.)0\d")
_DOTTED = re.compile(r"\d+(?:\.\d+){3}")


@lru_cache(maxsize=4096)
def parse_ip(text: str) -> Address | None:
    """Read an address, leniently: leading zeros in IPv4 are decimal, an IPv4-mapped IPv6 address is IPv4."""
    if "%" in text or not text.isascii():
        return None
    try:
        address = ipaddress.ip_address(_without_zeros(text))
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped if mapped is not None else address


def parse_cidr(text: str) -> tuple[Address, Network] | None:
    """Read a CIDR as leniently; the address as written, and the network it lies in."""
    head, slash, bits = text.partition("/")
    if not slash or not re.fullmatch(r"[0-9]{1,4}", bits) or "%" in head:
        return None
    try:
        interface = ipaddress.ip_interface(f"{_without_zeros(head)}/{int(bits)}")
    except ValueError:
        return None
    return interface.ip, interface.network


def _without_zeros(text: str) -> str:
    """Strip the leading zeros of a dotted IPv4 address."""
    if not _DOTTED.fullmatch(text):
        return text
    return ".".join(str(int(part)) for part in text.split("."))


def _has_zeros(text: str) -> bool:
    return ":" not in text and bool(_LEADING_ZERO.search(text))


def _is_mapped(text: str) -> bool:
    """Whether an address is spelled as an IPv4-mapped IPv6 address."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None


def legacy_ip(path: str, value: str, existing: Iterable[str] = ()) -> list[FieldError]:
    """Validate the IP of an older field: not need be canonical; values that were stored before may stay."""
    if value in existing:
        return []
    if parse_ip(value) is None:
        return [invalid(path, value, _BAD_IP)]
    if _has_zeros(value):
        return [invalid(path, value, "must not have leading 0s")]
    if _is_mapped(value):
        return [invalid(path, value, "must not be an IPv4-mapped IPv6 address")]
    return []


def canonical_ip(path: str, value: str) -> list[FieldError]:
    """Validate the IP of a newer field: it must be in canonical form too."""
    errors = legacy_ip(path, value)
    if not errors and str(parse_ip(value)) != value:
        errors = [invalid(path, value, f"must be in canonical form ({go_quote(str(parse_ip(value)))})")]
    return errors


def legacy_cidr(path: str, value: str, existing: Iterable[str] = ()) -> list[FieldError]:
    """Validate the CIDR of an older field."""
    if value in existing:
        return []
    parsed = parse_cidr(value)
    if parsed is None:
        return [invalid(path, value, _BAD_CIDR)]
    head, _, bits = value.partition("/")
    if _has_zeros(head) or (len(bits) > 1 and bits.startswith("0")):
        return [invalid(path, value, "must not have leading 0s in IP or prefix length")]
    if _is_mapped(head):
        return [invalid(path, value, "must not have an IPv4-mapped IPv6 address")]
    if parsed[0] != parsed[1].network_address:
        return [invalid(path, value, "must not have bits set beyond the prefix length")]
    return []


def canonical_cidr(path: str, value: str) -> list[FieldError]:
    """Validate the CIDR of a newer field."""
    errors = legacy_cidr(path, value)
    parsed = parse_cidr(value)
    if not errors and parsed is not None and str(parsed[1]) != value:
        errors = [invalid(path, value, f"must be in canonical form ({go_quote(str(parsed[1]))})")]
    return errors


def interface_address(path: str, value: str) -> list[FieldError]:
    """An address and the length of its network's prefix, in canonical form."""
    parsed = parse_cidr(value)
    if parsed is None:
        return [invalid(path, value, _BAD_INTERFACE)]
    address, network = parsed
    length = network.prefixlen
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    if mapped is not None:
        address, length = mapped, length - 96 if length > 32 else length
    canonical = f"{address}/{length}"
    return [] if value == canonical else [invalid(path, value, f'must be in canonical form ("{canonical}")')]


def endpoint_ip(path: str, value: str) -> list[FieldError]:
    """Validate an address that traffic is sent to: none of the special ranges."""
    address = parse_ip(value)
    if address is None:
        return [invalid(path, value, "must be a valid IP address")]
    checks = (
        (address.is_unspecified, f"may not be unspecified ({value})"),
        (address.is_loopback, "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        (address.is_link_local, "may not be in the link-local range (169.254.0.0/16, fe80::/10)"),
        (_is_link_local_multicast(address),
         "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"),
    )
    return [invalid(path, value, why) for wrong, why in checks if wrong]


def _is_link_local_multicast(address: Address) -> bool:
    packed = address.packed
    if address.version == 4:
        return packed[:3] == b"\xe0\x00\x00"
    return packed[0] == 0xFF and packed[1] & 0x0F == 0x02


def ip_warnings(path: str, value: str) -> list[str]:
    """Warn about an accepted address that is spelled in an unusual way."""
    address = parse_ip(value)
    if address is None:
        return []
    if _has_zeros(value) or _is_mapped(value):
        return [f"{path}: non-standard IP address {go_quote(value)} is invalid: use {go_quote(str(address))}"]
    if address.version == 6 and str(address) != value:
        return [f"{path}: IPv6 address {go_quote(value)} should be in RFC 5952 canonical format "
                f"({go_quote(str(address))})"]
    return []


def cidr_warnings(path: str, value: str) -> list[str]:
    """Warn about an accepted CIDR that is ambiguous or spelled in an unusual way."""
    parsed = parse_cidr(value)
    if parsed is None:
        return []
    address, network = parsed
    warnings = []
    if address != network.network_address:
        single = go_quote(f"{address}/{address.max_prefixlen}")
        warnings.append(f"{path}: CIDR value {go_quote(value)} is ambiguous in this context "
                        f"(should be {go_quote(str(network))} or {single}?)")
    head, _, bits = value.partition("/")
    if _has_zeros(head) or _is_mapped(head) or (len(bits) > 1 and bits.startswith("0")):
        warnings.append(f"{path}: non-standard CIDR value {go_quote(value)} is invalid: "
                        f"use {go_quote(str(network))}")
    if not warnings and address.version == 6 and f"{address}/{network.prefixlen}" != value:
        warnings.append(f"{path}: IPv6 CIDR value {go_quote(value)} should be in RFC 5952 canonical format "
                        f"({go_quote(f'{address}/{network.prefixlen}')})")
    return warnings


def is_dual_stack(values: list[str]) -> bool:
    """Whether addresses or CIDRs are of both families."""
    heads = [parse_ip(value.partition("/")[0]) for value in values]
    return {head.version for head in heads if head is not None} == {4, 6}
