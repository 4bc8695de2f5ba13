"""A keep-alive HTTPS client of the standard library: it adds nothing and hides nothing."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator, Mapping
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from attrs import frozen

_TIMEOUT = 90.0
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})

#: Header names and values; a list is sent as one header a value, None leaves a default header out.
Headers = Mapping[str, "str | list[str] | None"]


@frozen
class Answer:
    """One whole answer; header names are in lower case, repeated ones joined with ``"; "``."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One connection, opened when it is needed.

    :param url: such as ``https://127.0.0.1:6443``.
    :param token: the bearer token; empty for none.
    """

    def __init__(self, url: str, token: str, context: ssl.SSLContext) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port
        self._context = context
        self.defaults: dict[str, str] = {"Accept": "application/json"}
        if token:
            self.defaults["Authorization"] = f"Bearer {token}"
        self._connection: HTTPConnection | None = None

    def request(self, method: str, path: str, body: Any = None, headers: Headers | None = None) -> Answer:
        """Send a request and read the whole answer.

        :param body: bytes as they are, or an object to send as JSON.
        :raises OSError, http.client.HTTPException: when the connection ends before the answer does. The
            request may or may not have been done; the next one opens a new connection.
        """
        try:
            response = self.open(method, path, body, headers)
            answer = Answer(response.status, joined(response), response.read())
        except BaseException:
            self.close()
            raise
        if response.will_close:
            self.close()
        return answer

    def open(self, method: str, path: str, body: Any = None, headers: Headers | None = None) -> HTTPResponse:
        """Send a request and give back the answer to be read, such as a watch."""
        if self._connection is None:
            self._connection = HTTPSConnection(self._host, self._port, timeout=_TIMEOUT,
                                               context=self._context)
        self._send(self._connection, method, path, body, headers or {})
        return self._connection.getresponse()

    def watch(self, path: str) -> Iterator[dict[str, Any]]:
        """The events of a watch until the server ends it; the connection is used up then."""
        response = self.open("GET", path)
        assert response.status == 200, (response.status, response.read())
        for line in iter(response.readline, b""):
            yield json.loads(line)
        self.close()

    def _send(self, connection: HTTPConnection, method: str, path: str, body: Any, headers: Headers) -> None:
        wanted: dict[str, Any] = {name.title(): value for name, value in self.defaults.items()}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            wanted["Content-Type"] = "application/json"
        wanted.update((name.title(), value) for name, value in headers.items())
        connection.putrequest(method, path, skip_host="Host" in wanted,
                              skip_accept_encoding="Accept-Encoding" in wanted)
        for name, value in wanted.items():
            for one in value if isinstance(value, list) else [] if value is None else [value]:
                connection.putheader(name, one)
        if "Content-Length" not in wanted and (body is not None or method in _BODY_METHODS):
            connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def joined(response: HTTPResponse) -> dict[str, str]:
    """The headers of an answer by their names in lower case."""
    headers: dict[str, str] = {}
    for name, value in response.getheaders():
        name = name.lower()
        headers[name] = f"{headers[name]}; {value}" if name in headers else value
    return headers
