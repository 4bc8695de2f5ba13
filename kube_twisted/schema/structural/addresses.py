"""Formats of addresses: IP addresses and networks, MAC addresses, host names, URIs, email addresses."""

from __future__ import annotations

import ipaddress
import re
import unicodedata

_DOTTED = re.compile(r"[0-9]+(?:\.[0-9]+){3}").fullmatch
_PREFIX = re.compile(r"[0-9]{1,4}").fullmatch
_MAC_OCTETS = re.compile(r"[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1)+[0-9A-Fa-f]{2}").fullmatch
_MAC_QUADS = re.compile(r"[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4})+").fullmatch
_HOST = re.compile(r"(?:[a-zA-Z0-9](?:-?[a-zA-Z0-9]{0,62})?|"
                   r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63})").fullmatch
_LAST_LABEL = re.compile(r"\.([^.]{2,63})$").search
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):").match
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})").search
_CONTROL = re.compile(r"[\x00-\x1f\x7f]").search
_USER_INFO = re.compile(r"[A-Za-z0-9._:~!$&'()*+,;=%@-]*").fullmatch
_AUTHORITY_HOST = re.compile(r"""(?:\[[^\]]*\]|[A-Za-z0-9._~!$&'()*+,;=<>"\x80-\U0010ffff-]|%[89A-Fa-f][0-9A-Fa-f])*"""
                             r"(?::[0-9]*)?").fullmatch
_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\x80-\U0010ffff-]+"
_QUOTED = r'"(?:[^"\\\r\n]|\\[ -~\t])*"'
_ADDRESS = rf"(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})@(?:{_ATOM}(?:\.{_ATOM})*|\[[^\[\]\\\s]+\])"
_WORD = rf"(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})"
_MAILBOX = re.compile(rf"[ \t]*(?:{_ADDRESS}|(?:{_WORD}[ \t]*)*<{_ADDRESS}>)[ \t]*").fullmatch


def is_ipv4(text: str) -> bool:
    """A dotted address, leading zeros allowed; an IPv6 address that ends in one passes too."""
    return "." in text and _parse_ip(text)


def is_ipv6(text: str) -> bool:
    return ":" in text and _parse_ip(text)


def is_cidr(text: str) -> bool:
    """An address with the length of a prefix."""
    head, slash, bits = text.partition("/")
    if not slash or not _PREFIX(bits) or not _parse_ip(head):
        return False
    return int(bits) <= (128 if ":" in head else 32)


def _parse_ip(text: str) -> bool:
    if _DOTTED(text):
        return all(int(part[-9:]) < 256 and not part[:-9].strip("0") for part in text.split("."))
    try:
        return text.isascii() and "%" not in text and bool(ipaddress.IPv6Address(text).version)
    except ValueError:
        return False


def is_mac(text: str) -> bool:
    """6, 8 or 20 bytes, with colons or dashes between bytes, or dots between pairs of bytes."""
    if _MAC_OCTETS(text):
        return len(text) in (17, 23, 59)
    return bool(_MAC_QUADS(text)) and len(text) in (14, 19, 49)


def is_hostname(text: str) -> bool:
    """A host name, in up to 255 bytes. Letters and symbols of all scripts count as letters, symbols not at the end."""
    if not _HOST(text) and not _HOST("".join(map(_as_letter, text))):
        return False
    last = _LAST_LABEL(text)
    if last is not None and any(unicodedata.category(one)[0] != "L" for one in last[1]):
        return False
    return len(text.encode()) <= 255 and all(len(label.encode()) <= 63 for label in text.split("."))


def _as_letter(character: str) -> str:
    return "a" if unicodedata.category(character)[0] in "LS" else character


def is_uri(text: str) -> bool:
    """An absolute URI or an absolute path, as in an HTTP request."""
    if not text or _CONTROL(text):
        return False
    match = _SCHEME(text)
    if match is None and text.startswith(":"):
        return False
    rest = text[match.end():] if match else text
    rest = rest.partition("?")[0]
    if not rest.startswith("/"):
        return match is not None or text == "*"
    if match and rest.startswith("//"):
        authority, slash, path = rest[2:].partition("/")
        return _is_authority(authority) and not _BAD_ESCAPE(slash + path)
    return not _BAD_ESCAPE(rest)


def _is_authority(text: str) -> bool:
    user, at, host = text.rpartition("@")
    if at and (not _USER_INFO(user) or _BAD_ESCAPE(user)):
        return False
    return _AUTHORITY_HOST(host) is not None


def is_email(text: str) -> bool:
    """One address, with or without a name: ``a@example.com``, ``Ann <a@example.com>`` (RFC 5322)."""
    return bool(_MAILBOX(text))
