"""IP addresses and networks: ``ip('10.0.0.1').family()``, ``cidr('10.0.0.0/8').containsIP(...)``."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from attrs import frozen

from kube_twisted.api.field import go_quote
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.library.address_complaints import complaint
from kube_twisted.cel.values import Foreign

_DECLARATIONS = """
    ip string_to_ip: (string) -> IP
    family ip_family: IP.() -> int
    ip.isCanonical ip_is_canonical: (string) -> bool
    isUnspecified ip_is_unspecified: IP.() -> bool
    isLoopback ip_is_loopback: IP.() -> bool
    isLinkLocalMulticast ip_is_link_local_multicast: IP.() -> bool
    isLinkLocalUnicast ip_is_link_local_unicast: IP.() -> bool
    isGlobalUnicast ip_is_global_unicast: IP.() -> bool
    isIP is_ip: (string) -> bool
    string ip_to_string: (IP) -> string
    cidr string_to_cidr: (string) -> CIDR
    containsIP cidr_contains_ip_string: CIDR.(string) -> bool
    containsIP cidr_contains_ip_ip: CIDR.(IP) -> bool
    containsCIDR cidr_contains_cidr_string: CIDR.(string) -> bool
    containsCIDR cidr_contains_cidr: CIDR.(CIDR) -> bool
    ip cidr_ip: CIDR.() -> IP
    prefixLength cidr_prefix_length: CIDR.() -> int
    masked cidr_masked: CIDR.() -> CIDR
    isCIDR is_cidr: (string) -> bool
    string cidr_to_string: (CIDR) -> string
"""


@frozen(eq=False)
class IPValue(Foreign):
    """An address."""

    address: IPv4Address | IPv6Address
    type_name = "net.IP"

    def equals(self, other: Any) -> bool:
        if not isinstance(other, IPValue):
            raise no_such_overload()
        return self.address == other.address

    def size(self) -> int:
        return self.address.max_prefixlen // 8

    def __str__(self) -> str:
        return str(self.address)


@frozen(eq=False)
class CIDRValue(Foreign):
    """A network, written with any address inside of it."""

    address: IPv4Address | IPv6Address
    prefix: int
    type_name = "net.CIDR"

    def equals(self, other: Any) -> bool:
        if not isinstance(other, CIDRValue):
            raise no_such_overload()
        return self.address == other.address and self.prefix == other.prefix

    def size(self) -> int:
        return -(-self.prefix // 8)

    def masked(self) -> CIDRValue:
        network = ip_network(f"{self.address}/{self.prefix}", strict=False)
        return CIDRValue(network.network_address, self.prefix)

    def contains(self, address: IPv4Address | IPv6Address) -> bool:
        shift = self.address.max_prefixlen - self.prefix
        return self.address.version == address.version and int(self.address) >> shift == int(address) >> shift

    def __str__(self) -> str:
        return f"{self.address}/{self.prefix}"


def _read_address(text: str) -> IPv4Address | IPv6Address:
    """:raises ValueError: worded as the original does."""
    quoted = go_quote(text)
    try:
        address = ip_address(text)
    except ValueError:
        raise ValueError(f"IP Address {quoted} parse error during conversion from string: ParseAddr({quoted}): "
                         f"{complaint(text)}") from None
    if isinstance(address, IPv6Address):
        if address.scope_id is not None:
            raise ValueError(f"IP address {quoted} with zone value is not allowed")
        if address.ipv4_mapped is not None:
            raise ValueError(f"IPv4-mapped IPv6 address {quoted} is not allowed")
    return address


def _ip(text: str) -> IPValue:
    try:
        return IPValue(_read_address(text))
    except ValueError as error:
        raise CelError(str(error)) from None


def _is_ip(text: str) -> bool:
    try:
        _read_address(text)
    except ValueError:
        return False
    return True


def _read_network(text: str) -> CIDRValue:
    """:raises ValueError: it is none."""
    quoted = go_quote(text)
    start, slash, bits = text.rpartition("/")
    problem = "no '/'"
    if slash:
        try:
            address = ip_address(start)
        except ValueError:
            problem = f"ParseAddr({go_quote(start)}): {complaint(start)}"
        else:
            return _network(text, address, bits)
    raise ValueError("network address parse error during conversion from string: network address parse error during "
                     f"conversion from string: netip.ParsePrefix({quoted}): {problem}")


def _network(text: str, address: IPv4Address | IPv6Address, bits: str) -> CIDRValue:
    start = ("network address parse error during conversion from string: network address parse error during conversion "
             f"from string: netip.ParsePrefix({go_quote(text)}): ")
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        raise ValueError(f"{start}IPv6 zones cannot be present in a prefix")
    if not (bits.isascii() and bits.isdigit()) or (len(bits) > 1 and bits[0] == "0"):
        raise ValueError(f"{start}bad bits after slash: {go_quote(bits)}")
    if len(bits) > 3 or int(bits) > address.max_prefixlen:
        raise ValueError(f"{start}prefix length out of range")
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        raise ValueError("network address parse error during conversion from string: IPv4-mapped IPv6 address "
                         f"{go_quote(text)} is not allowed")
    return CIDRValue(address, int(bits))


def _cidr(text: str) -> CIDRValue:
    try:
        return _read_network(text)
    except ValueError as error:
        raise CelError(str(error)) from None


def _is_cidr(text: str) -> bool:
    try:
        _read_network(text)
    except ValueError:
        return False
    return True


def _is_global(value: IPValue) -> bool:
    """As Go's ``IsGlobalUnicast``: private addresses are global too."""
    address = value.address
    return not (address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
                or (int(address) == 0xFFFFFFFF and address.version == 4))


def _is_link_local_multicast(value: IPValue) -> bool:
    packed = value.address.packed
    return packed[:3] == b"\xe0\x00\x00" if value.address.version == 4 else \
        packed[0] == 0xFF and packed[1] & 0x0F == 2


def _contains_ip_text(outer: CIDRValue, text: str) -> bool:
    """As in the original, a text that is no address is not told from something that is no text."""
    try:
        return outer.contains(_read_address(text))
    except ValueError:
        raise no_such_overload() from None


def _contains_cidr(outer: CIDRValue, inner: CIDRValue) -> bool:
    return outer.prefix <= inner.prefix and outer.contains(inner.address)


NETWORKS: Library = library(_DECLARATIONS, {
    "string_to_ip": _ip, "ip_family": lambda value: value.address.version,
    "ip_is_canonical": lambda text: str(_ip(text)) == text,
    "ip_is_unspecified": lambda value: value.address.is_unspecified,
    "ip_is_loopback": lambda value: value.address.is_loopback,
    "ip_is_link_local_multicast": _is_link_local_multicast,
    "ip_is_link_local_unicast": lambda value: value.address.is_link_local,
    "ip_is_global_unicast": _is_global, "is_ip": _is_ip, "ip_to_string": str, "string_to_cidr": _cidr,
    "cidr_contains_ip_string": _contains_ip_text,
    "cidr_contains_ip_ip": lambda outer, value: outer.contains(value.address),
    "cidr_contains_cidr_string": lambda outer, text: _contains_cidr(outer, _cidr(text)),
    "cidr_contains_cidr": _contains_cidr, "cidr_ip": lambda value: IPValue(value.address),
    "cidr_prefix_length": lambda value: value.prefix, "cidr_masked": CIDRValue.masked, "is_cidr": _is_cidr,
    "cidr_to_string": str})
