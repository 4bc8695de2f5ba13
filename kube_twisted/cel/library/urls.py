"""URLs: ``url('https://example.com/p?q=1').getQuery()``."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, unquote, unquote_plus

from attrs import frozen

from kube_twisted.api.field import go_quote
from kube_twisted.cel.errors import CelError, no_such_overload
from kube_twisted.cel.functions import Library, library
from kube_twisted.cel.values import Foreign

_U = "kubernetes.URL"
_DECLARATIONS = f"""
    url string_to_url: (string) -> {_U}
    getScheme url_get_scheme: {_U}.() -> string
    getHost url_get_host: {_U}.() -> string
    getHostname url_get_hostname: {_U}.() -> string
    getPort url_get_port: {_U}.() -> string
    getEscapedPath url_get_escaped_path: {_U}.() -> string
    getQuery url_get_query: {_U}.() -> map(string, list(string))
    isURL is_url_string: (string) -> bool
"""
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2}).{0,2}", re.DOTALL)
_PORT = re.compile(r":[0-9]*")
_PATH_SAFE = "!$&'()*+,;=:@/[]-._~"
_HOST_INVALID = re.compile(r"[ \"#/<>\\^`{|}]")


@frozen(eq=False)
class URLValue(Foreign):
    """A URL in its parts."""

    scheme: str
    host: str
    path: str
    query: str
    text: str
    type_name = _U

    def equals(self, other: Any) -> bool:
        if not isinstance(other, URLValue):
            raise no_such_overload()
        return self.text == other.text

    def size(self) -> int:
        return len(self.text)


def parse(text: str) -> URLValue:
    """Read a URL with a scheme, or a path that starts with a slash.

    :raises ValueError: worded as Go's ``url.ParseRequestURI``.
    """
    start = f"parse {go_quote(text)}: "
    if any(ord(char) < 0x20 or ord(char) == 0x7F for char in text):
        raise ValueError(f"{start}net/url: invalid control character in URL")
    if not text:
        raise ValueError(f"{start}empty url")
    if text == "*":
        return URLValue("", "", "*", "", text)
    if text.startswith(":"):
        raise ValueError(f"{start}missing protocol scheme")
    match = _SCHEME.match(text)
    scheme, rest = (match[1].lower(), text[match.end():]) if match else ("", text)
    before, _, _ = rest.partition("#")
    path, _, query = before.partition("?")
    if not path.startswith("/"):
        if not scheme:
            raise ValueError(f"{start}invalid URI for request")
        return URLValue(scheme, "", "", query, text)
    host = ""
    if path.startswith("//") and (scheme or not path.startswith("///")):
        authority, slash, path = path[2:].partition("/")
        host, path = _host(start, authority), slash + path
    _check_escapes(start, path)
    return URLValue(scheme, host, path, query, text)


def _host(start: str, authority: str) -> str:
    user, at, host = authority.rpartition("@")
    if at and not re.fullmatch(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*", user):
        raise ValueError(f"{start}net/url: invalid userinfo")
    port = ""
    if host.startswith("["):
        end = host.rfind("]")
        if end < 0:
            raise ValueError(f"{start}missing ']' in host")
        port = host[end + 1:]
    elif ":" in host:
        port = host[host.rfind(":"):]
    if port and not _PORT.fullmatch(port):
        raise ValueError(f"{start}invalid port {go_quote(port)} after host")
    bad = _HOST_INVALID.search(host)
    if bad is not None:
        raise ValueError(f"{start}invalid character {go_quote(bad.group())} in host name")
    _check_escapes(start, host)
    return unquote(host)


def _check_escapes(start: str, text: str) -> None:
    bad = _BAD_ESCAPE.search(text)
    if bad is not None:
        raise ValueError(f"{start}invalid URL escape {go_quote(bad.group())}")


def _url(text: str) -> URLValue:
    try:
        return parse(text)
    except ValueError as error:
        raise CelError(f"URL parse error during conversion from string: {error}") from None


def _is_url(text: str) -> bool:
    try:
        parse(text)
    except ValueError:
        return False
    return True


def _port(value: URLValue) -> str:
    match = re.search(r":([0-9]*)\Z", value.host)
    return match[1] if match and not value.host[match.start():].endswith("]") else ""


def _hostname(value: URLValue) -> str:
    """The host without its port, and without the brackets of an IPv6 address."""
    host = re.sub(r":[0-9]*\Z", "", value.host) if not value.host.endswith("]") else value.host
    return host[1:-1] if host.startswith("[") and host.endswith("]") else host


def _escaped_path(value: URLValue) -> str:
    """The path as it was written, if that is a valid way to write it."""
    if all(char in _PATH_SAFE or char == "%" or (char.isascii() and char.isalnum()) for char in value.path):
        return value.path
    return quote(unquote(value.path), safe="$&+,/:;=@-_.~")


def _query(value: URLValue) -> dict[str, list[str]]:
    """The parameters; what can't be decoded is left out."""
    found: dict[str, list[str]] = {}
    for part in value.query.split("&"):
        key, _, text = part.partition("=")
        if part and ";" not in part and not _BAD_ESCAPE.search(part):
            found.setdefault(unquote_plus(key), []).append(unquote_plus(text))
    return found


URLS: Library = library(_DECLARATIONS, {
    "string_to_url": _url, "url_get_scheme": lambda value: value.scheme, "url_get_host": lambda value: value.host,
    "url_get_hostname": _hostname, "url_get_port": _port, "url_get_escaped_path": _escaped_path,
    "url_get_query": _query, "is_url_string": _is_url})
