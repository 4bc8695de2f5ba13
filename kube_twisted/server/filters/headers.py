"""Headers that every answer carries: the audit ID, cache control, warnings, HSTS."""

from __future__ import annotations

import re

from kube_twisted.api.errors import StatusError
from kube_twisted.endpoints.request import NO_SNIFFING, Answer, Handler, Request, Response
from kube_twisted.registry.objectmeta import new_uid

_NOT_CACHED = (b"Cache-Control", b"no-cache, private")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
#: Characters of all warnings together, and of each one when they are cut.
_LONGEST_WARNINGS = 4096
_LONGEST_WARNING = 256


def with_audit_id(handler: Handler) -> Handler:
    """Give the request an ID, the client's own where it sends one, and tell it."""

    def audit_id(request: Request) -> Answer:
        request.audit_id = (request.transport.header("audit-id") or new_uid())[:64]
        return handler(request)

    return audit_id


def answer_headers(request: Request, response: Response, hsts: str = "") -> list[tuple[bytes, bytes]]:
    """Headers of an answer besides its type and length, as they are sent."""
    headers = [(b"Audit-Id", _sent(request.audit_id))]
    more: list[tuple[str, str]] = []
    if hsts:
        more.append(("Strict-Transport-Security", hsts))
    if request.warnings:
        more += warning_headers(request.warnings)
    if response.headers:
        more += response.headers
    if not any(name == "Cache-Control" for name, _ in more):
        headers.append(_NOT_CACHED)
    if more:
        headers += [(name.encode(), _sent(value)) for name, value in more]
    return headers


def _sent(value: str) -> bytes:
    return value.encode("utf-8", "replace").replace(b"\r", b" ").replace(b"\n", b" ")


def unsniffed(error: StatusError) -> StatusError:
    """The error, with browsers told to take its text for nothing but what it says it is."""
    error.headers = {**error.headers, **dict([NO_SNIFFING])}
    return error


def warning_headers(texts: list[str]) -> list[tuple[str, str]]:
    """``Warning: 299 - "text"`` each; all are cut short when together they are too long.

    Texts with control characters can't be sent.
    """
    shown: list[str] = []
    written, cutting = 0, False
    texts = [text for text in texts if not _CONTROL.search(text)]
    for index, text in enumerate(texts):
        if cutting and written >= _LONGEST_WARNINGS:
            break
        if not cutting and written + len(text) > _LONGEST_WARNINGS:
            cutting = True
            shown = [one[:_LONGEST_WARNING] for one in texts[:index + 1]]
            written = sum(map(len, shown))
            continue
        shown.append(text[:_LONGEST_WARNING] if cutting else text)
        written += len(shown[-1])
    return [("Warning", f'299 - "{_quoted(one)}"') for one in shown]


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
