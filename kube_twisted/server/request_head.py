"""The head of an HTTP/1.1 request, read in one piece.

Twisted reads heads line by line, as they may come, which for a short answer is a fifth of all the work. Here a head
that is there as a whole, and is as nearly all are, is read at once. Of any other, nothing is said: Twisted decides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from twisted.web.http_headers import Headers

#: What Twisted lets through as a request line.
_REQUEST_LINE = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+) ([!-\xb0]+) (HTTP/1\.[01])")
_MOST_LINES = 100
#: How many spellings of header names are remembered at most: clients can make up any.
_MOST_NAMES = 1000
#: Spellings of header names -> as Twisted writes them.
_names: dict[bytes, bytes] = {}


class Head(NamedTuple):
    """A request line and headers.

    :ivar headers: all values of each, by names as Twisted writes them.
    """

    method: bytes
    uri: bytes
    version: bytes
    headers: dict[bytes, list[bytes]]


def parse_head(text: bytes) -> Head | None:
    """Read a head, without the empty line at its end; None leaves it to Twisted.

    That is what is wrong, what goes on in a further line, a body of unknown length, and a great many headers.
    """
    lines = text.split(b"\r\n")
    ends = len(lines) - 1
    first = _REQUEST_LINE.fullmatch(lines[0])
    if first is None or ends > _MOST_LINES or not text.count(b"\r") == text.count(b"\n") == ends or b"\0" in text:
        return None
    headers: dict[bytes, list[bytes]] = {}
    for line in lines[1:]:
        spelling, colon, value = line.partition(b":")
        name = _names.get(spelling) or _canonical(spelling)
        if not colon or not name:
            return None
        values = headers.get(name)
        if values is None:
            headers[name] = [value.strip(b" \t")]
        else:
            values.append(value.strip(b" \t"))
    if b"Transfer-Encoding" in headers or not _is_plain_length(headers.get(b"Content-Length")):
        return None
    return Head(first[1], first[2], first[3], headers)


def _is_plain_length(values: list[bytes] | None) -> bool:
    return values is None or (len(values) == 1 and values[0].isdigit())


def _canonical(spelling: bytes) -> bytes:
    """A header's name as Twisted writes it, empty for what is none."""
    try:
        name, = dict(Headers({spelling: [b""]}).getAllRawHeaders())
    except ValueError:
        return b""
    if len(_names) >= _MOST_NAMES:
        _names.clear()
    _names[spelling] = name
    return name
